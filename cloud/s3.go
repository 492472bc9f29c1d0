//go:build !nocloud

package cloud

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go/logging"
	"gocloud.dev/blob"
	"gocloud.dev/blob/s3blob"

	"symmom/internal/files"
)

func init() { files.Register("s3", store{amazon{}}) }

type amazon struct{}

// open opens a bucket of AWS, or of the server that AWS_ENDPOINT_URL names. It is
// s3blob.URLOpener, except that nothing is logged.
func (amazon) open(ctx context.Context, u *url.URL) (*blob.Bucket, error) {
	settings, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, badSetting()
	}
	with := []func(*config.LoadOptions) error{config.WithLogger(logging.Nop{})}
	endpoint, pathStyle := "", ""
	for name, values := range settings {
		switch value := values[0]; name {
		case "region":
			with = append(with, config.WithRegion(value))
		case "profile":
			with = append(with, config.WithSharedConfigProfile(value))
		case "anonymous":
			if value != "true" {
				return nil, badSetting()
			}
			with = append(with, config.WithCredentialsProvider(aws.AnonymousCredentials{}))
		case "endpoint":
			endpoint = value
		case "use_path_style":
			pathStyle = value
		default:
			return nil, badSetting()
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
	client := s3.NewFromConfig(c, func(o *s3.Options) {
		if endpoint != "" {
			o.BaseEndpoint = &endpoint
		}
		// Few servers of one's own have a name for each bucket.
		o.UsePathStyle = pathStyle == "true" || pathStyle == "" && own
	})
	return s3blob.OpenBucket(ctx, client, u.Host, &s3blob.Options{RequestChecksumCalculation: c.RequestChecksumCalculation})
}

func badSetting() error {
	return files.NewProblem(nil, "want settings of S3 after the question mark: region, profile, endpoint, anonymous=true, use_path_style=true or false")
}

func (amazon) like(as func(any) bool, version string) {
	var in *s3.GetObjectInput
	if as(&in) && version != "" {
		in.IfMatch = &version
	}
}

func (amazon) version(a *blob.Attributes) string { return a.ETag }

func (amazon) say(u files.URL, err error) *files.Problem {
	var api interface{ ErrorCode() string }
	code := ""
	if errors.As(err, &api) {
		code = api.ErrorCode()
	}
	switch code {
	case "NoSuchKey", "NotFound":
		return noObject(u)
	case "NoSuchBucket":
		return noBucket(u)
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
	case "PermanentRedirect", "AuthorizationHeaderMalformed", "MovedPermanently", "301":
		return files.NewProblem(nil, "the bucket %s is in another region; set AWS_REGION, or end the URL in ?region=eu-west-1", u.Bucket)
	case "AccessDenied", "Forbidden", "403", "AccountProblem", "AllAccessDisabled":
		return denied(u)
	case "EntityTooLarge", "QuotaExceeded", "InsufficientStorage":
		return files.NewProblem(nil, "the store has no room for it (%s)", code)
	case "":
		// The SDK has no type for this.
		if text := err.Error(); strings.Contains(text, "get credentials") || strings.Contains(text, "get identity") {
			return files.NewProblem(fs.ErrPermission, "no credentials were found; set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or end the URL in ?anonymous=true for public data")
		}
	}
	return nil
}
