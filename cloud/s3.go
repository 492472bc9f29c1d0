//go:build !slim

package cloud

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go/logging"

	"symmom/internal/store/files"
)

func init() { files.Register("s3", &amazon{}) }

// amazon is S3.
type amazon struct{ clients[*s3.Client] }

// connect makes a client for AWS, or for the server that AWS_ENDPOINT_URL names.
func connect(ctx context.Context, _ files.URL, settings url.Values) (*s3.Client, error) {
	with := []func(*config.LoadOptions) error{config.WithLogger(logging.Nop{}), config.WithHTTPClient(awshttp.NewBuildableClient().WithTransportOptions(patient))}
	endpoint, pathStyle := "", ""
	for name, values := range settings {
		switch value := values[0]; {
		case name == "region":
			with = append(with, config.WithRegion(value))
		case name == "profile":
			with = append(with, config.WithSharedConfigProfile(value))
		case name == "anonymous" && value == "true":
			with = append(with, config.WithCredentialsProvider(aws.AnonymousCredentials{}))
		case name == "endpoint":
			endpoint = value
		case name == "use_path_style":
			pathStyle = value
		default:
			return nil, badSetting("region, profile, endpoint, anonymous=true, use_path_style=true or false")
		}
	}
	c, err := config.LoadDefaultConfig(ctx, with...)
	if err != nil {
		return nil, files.NewProblem(nil, "the settings for S3 cannot be used; check AWS_PROFILE, ~/.aws/config and ~/.aws/credentials")
	}
	own := cmp.Or(endpoint, os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL")) != ""
	if c.Region == "" {
		if !own {
			return nil, files.NewProblem(nil, "no region is set; set AWS_REGION or a profile, or end the URL in ?region=eu-west-1")
		}
		c.Region = "us-east-1" // something must be signed
	}
	return s3.NewFromConfig(c, func(o *s3.Options) {
		if endpoint != "" {
			o.BaseEndpoint = &endpoint
		}
		// Few servers of one's own have a name for each bucket.
		o.UsePathStyle = pathStyle == "true" || pathStyle == "" && own
	}), nil
}

// Stat describes an object.
func (a *amazon) Stat(ctx context.Context, u files.URL) (files.Info, error) {
	client, err := a.get(ctx, u, connect)
	if err != nil {
		return files.Info{}, err
	}
	h, err := client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &u.Bucket, Key: &u.Key})
	if err == nil {
		return files.Info{Size: aws.ToInt64(h.ContentLength), Modified: aws.ToTime(h.LastModified), Version: aws.ToString(h.ETag), Ranges: true}, nil
	}
	if _, ok := errors.AsType[*net.OpError](err); !ok {
		// The answer about the head alone has no reason in it.
		r, why := client.GetObject(ctx, &s3.GetObjectInput{Bucket: &u.Bucket, Key: &u.Key, Range: aws.String("bytes=0-0")})
		if why == nil {
			r.Body.Close()
		} else {
			err = why
		}
	}
	return files.Info{}, sayS3(ctx, u, err)
}

func (a *amazon) Read(ctx context.Context, u files.URL, info files.Info, off, n int64) (io.ReadCloser, error) {
	client, err := a.get(ctx, u, connect)
	if err != nil {
		return nil, err
	}
	in := &s3.GetObjectInput{Bucket: &u.Bucket, Key: &u.Key, Range: byteRange(off, n)}
	if info.Version != "" {
		in.IfMatch = &info.Version
	}
	r, err := client.GetObject(ctx, in)
	if err != nil {
		return nil, sayS3(ctx, u, err)
	}
	// Not every server looks at IfMatch.
	if aws.ToString(r.ETag) != info.Version || !strings.HasSuffix(aws.ToString(r.ContentRange), fmt.Sprintf("/%d", info.Size)) {
		r.Body.Close()
		return nil, files.ErrChanged
	}
	return r.Body, nil
}

// byteRange is a header of HTTP.
func byteRange(off, n int64) *string {
	s := fmt.Sprintf("bytes=%d-", off)
	if n >= 0 {
		s += strconv.FormatInt(off+n-1, 10)
	}
	return &s
}

func (a *amazon) List(ctx context.Context, u files.URL, flat bool, add func(string)) error {
	client, err := a.get(ctx, u, connect)
	if err != nil {
		return err
	}
	in := &s3.ListObjectsV2Input{Bucket: &u.Bucket, Prefix: &u.Key}
	if flat {
		in.Delimiter = aws.String("/")
	}
	for pages := s3.NewListObjectsV2Paginator(client, in); pages.HasMorePages(); {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return sayS3(ctx, u, err)
		}
		for _, o := range page.Contents {
			add(aws.ToString(o.Key))
		}
	}
	return nil
}

func (a *amazon) Create(ctx context.Context, u files.URL) (files.Writer, error) {
	client, err := a.get(ctx, u, connect)
	if err != nil {
		return nil, err
	}
	parts := transfermanager.New(client, func(o *transfermanager.Options) {
		o.PartSizeBytes, o.Concurrency = partBytes, 2
		o.FailTimeout = time.Minute // for giving up, with a context of its own
		o.RequestChecksumCalculation = client.Options().RequestChecksumCalculation
	})
	return newWriter(ctx, func(ctx context.Context, r io.Reader) error {
		_, err := parts.UploadObject(ctx, &transfermanager.UploadObjectInput{Bucket: &u.Bucket, Key: &u.Key, Body: r, ContentType: aws.String(contentType(u.Key))})
		var given interface{ UploadID() string }
		if ctx.Err() != nil && errors.As(err, &given) {
			abortAgain(ctx, client, u, given.UploadID())
		}
		return sayS3(ctx, u, err)
	}), nil
}

// abortAgain gives up an upload that has been given up while the store may still have been
// writing a part of which the request was cut off: it keeps that part, at a cost, though
// the upload has ended ("it might be necessary to abort a given multipart upload multiple
// times", says S3's reference). Nothing tells when no part is under way any more, so it is
// done at growing intervals: three times while a command waits (see grace), and for more
// than a minute in a session.
func abortAgain(ctx context.Context, client *s3.Client, u files.URL, id string) {
	for wait := 50 * time.Millisecond; wait < time.Minute; wait *= 2 {
		time.Sleep(wait)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: &u.Bucket, Key: &u.Key, UploadId: &id}) // fails where nothing is left
		cancel()
	}
}

// sayS3 puts an error of the SDK in words.
func sayS3(ctx context.Context, u files.URL, err error) error {
	if err == nil {
		return nil
	}
	var api interface{ ErrorCode() string }
	code := ""
	if errors.As(err, &api) {
		code = api.ErrorCode()
	} else if text := err.Error(); strings.Contains(text, "get credentials") || strings.Contains(text, "get identity") { // the SDK has no type for this
		code = "no credentials"
	}
	return explain(ctx, err, code, func(code string) error {
		switch code {
		case "NoSuchKey", "NotFound":
			return noObject(u)
		case "NoSuchBucket":
			return noBucket(u)
		case "PreconditionFailed", "InvalidRange":
			return files.ErrChanged
		case "InvalidBucketName":
			return files.NewProblem(nil, "a bucket cannot be named %s; check the URL", u.Bucket)
		case "InvalidAccessKeyId", "XAdminUserNotFound": // of versitygw
			return files.NewProblem(fs.ErrPermission, "the store does not know the access key; check AWS_ACCESS_KEY_ID or the profile")
		case "SignatureDoesNotMatch":
			return files.NewProblem(fs.ErrPermission, "the secret key does not belong to the access key; check AWS_SECRET_ACCESS_KEY or the profile")
		case "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired":
			return files.NewProblem(fs.ErrPermission, "the credentials have expired; get new ones")
		case "InvalidToken":
			return files.NewProblem(fs.ErrPermission, "the session token is not valid; check AWS_SESSION_TOKEN or the profile")
		case "RequestTimeTooSkewed":
			return files.NewProblem(nil, "the clock of this machine is wrong; set it")
		case "PermanentRedirect", "AuthorizationHeaderMalformed", "MovedPermanently":
			return files.NewProblem(nil, "the bucket %s is in another region; set AWS_REGION, or end the URL in ?region=eu-west-1", u.Bucket)
		case "AccessDenied", "Forbidden", "AccountProblem", "AllAccessDisabled":
			return denied(u)
		case "EntityTooLarge", "QuotaExceeded", "InsufficientStorage":
			return files.NewProblem(nil, "the store has no room for it (%s)", code)
		case "no credentials":
			return files.NewProblem(fs.ErrPermission, "no credentials were found; set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or end the URL in ?anonymous=true for public data")
		}
		return nil
	})
}
