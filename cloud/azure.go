//go:build !slim

package cloud

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"symmom/internal/store/files"
)

func init() { files.Register("azblob", &azure{}) }

// azure is Azure Blob Storage.
type azure struct{ clients[*azblob.Client] }

// connectAzure makes a client for the account that the environment names, with the
// first credentials that there are: a connection string, a key, a SAS token, those of
// the Azure tools.
func connectAzure(_ context.Context, _ files.URL, settings url.Values) (*azblob.Client, error) {
	account := os.Getenv("AZURE_STORAGE_ACCOUNT")
	anonymous := false
	for name, values := range settings {
		switch {
		case name == "account":
			account = values[0]
		case name == "anonymous" && values[0] == "true":
			anonymous = true
		default:
			return nil, badSetting("account, anonymous=true")
		}
	}
	options := &azblob.ClientOptions{ClientOptions: azcore.ClientOptions{Transport: &http.Client{Transport: transport()}}}
	wrong := func(name string) error { return files.NewProblem(nil, "%s cannot be used; check it", name) }
	if s := os.Getenv("AZURE_STORAGE_CONNECTION_STRING"); s != "" && !anonymous {
		c, err := azblob.NewClientFromConnectionString(s, options)
		if err != nil {
			return nil, wrong("AZURE_STORAGE_CONNECTION_STRING")
		}
		return c, nil
	}
	if account == "" {
		return nil, files.NewProblem(nil, "no storage account is set; set AZURE_STORAGE_ACCOUNT, or end the URL in ?account=NAME")
	}
	where := "https://" + account + ".blob.core.windows.net/"
	key, token := os.Getenv("AZURE_STORAGE_KEY"), os.Getenv("AZURE_STORAGE_SAS_TOKEN")
	var c *azblob.Client
	var err error
	switch {
	case anonymous:
		c, err = azblob.NewClientWithNoCredential(where, options)
	case key != "":
		shared, wrongKey := azblob.NewSharedKeyCredential(account, key)
		if wrongKey != nil {
			return nil, wrong("AZURE_STORAGE_KEY")
		}
		c, err = azblob.NewClientWithSharedKeyCredential(where, shared, options)
	case token != "":
		c, err = azblob.NewClientWithNoCredential(where+"?"+strings.TrimPrefix(token, "?"), options)
	default:
		found, none := azidentity.NewDefaultAzureCredential(nil)
		if none != nil {
			return nil, noAzure()
		}
		c, err = azblob.NewClient(where, found, options)
	}
	if err != nil {
		return nil, wrong("the storage account " + account)
	}
	return c, nil
}

func noAzure() error {
	return files.NewProblem(fs.ErrPermission, "no credentials were found; run az login, or set AZURE_STORAGE_CONNECTION_STRING, AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN")
}

// Stat describes an object.
func (a *azure) Stat(ctx context.Context, u files.URL) (files.Info, error) {
	c, err := a.get(ctx, u, connectAzure)
	if err != nil {
		return files.Info{}, err
	}
	p, err := c.ServiceClient().NewContainerClient(u.Bucket).NewBlobClient(u.Key).GetProperties(ctx, nil)
	if err != nil {
		return files.Info{}, sayAzure(ctx, u, err)
	}
	info := files.Info{Size: value(p.ContentLength), Modified: value(p.LastModified), Version: string(value(p.ETag)), Ranges: true}
	return info, nil
}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func (a *azure) Read(ctx context.Context, u files.URL, info files.Info, off, n int64) (io.ReadCloser, error) {
	c, err := a.get(ctx, u, connectAzure)
	if err != nil {
		return nil, err
	}
	tag := azcore.ETag(info.Version)
	r, err := c.DownloadStream(ctx, u.Bucket, u.Key, &azblob.DownloadStreamOptions{
		Range:            azblob.HTTPRange{Offset: off, Count: max(n, 0)}, // 0: to the end
		AccessConditions: &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfMatch: &tag}},
	})
	if err != nil {
		return nil, sayAzure(ctx, u, err)
	}
	if value(r.ETag) != tag {
		r.Body.Close()
		return nil, files.ErrChanged
	}
	return r.Body, nil
}

func (a *azure) List(ctx context.Context, u files.URL, flat bool, add func(string)) error {
	c, err := a.get(ctx, u, connectAzure)
	if err != nil {
		return err
	}
	items := func(list []*container.BlobItem) {
		for _, b := range list {
			add(value(b.Name))
		}
	}
	in := c.ServiceClient().NewContainerClient(u.Bucket)
	if flat {
		for pages := in.NewListBlobsHierarchyPager("/", &container.ListBlobsHierarchyOptions{Prefix: &u.Key}); pages.More(); {
			page, err := pages.NextPage(ctx)
			if err != nil {
				return sayAzure(ctx, u, err)
			}
			items(page.Segment.BlobItems)
		}
		return nil
	}
	for pages := in.NewListBlobsFlatPager(&container.ListBlobsFlatOptions{Prefix: &u.Key}); pages.More(); {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return sayAzure(ctx, u, err)
		}
		items(page.Segment.BlobItems)
	}
	return nil
}

func (a *azure) Create(ctx context.Context, u files.URL) (files.Writer, error) {
	c, err := a.get(ctx, u, connectAzure)
	if err != nil {
		return nil, err
	}
	return newWriter(ctx, func(ctx context.Context, r io.Reader) error {
		kind := contentType(u.Key)
		_, err := c.UploadStream(ctx, u.Bucket, u.Key, r, &azblob.UploadStreamOptions{BlockSize: partBytes, Concurrency: 2, HTTPHeaders: &blob.HTTPHeaders{BlobContentType: &kind}})
		return sayAzure(ctx, u, err)
	}), nil
}

// sayAzure puts an error of the SDK in words.
func sayAzure(ctx context.Context, u files.URL, err error) error {
	if err == nil {
		return nil
	}
	code := ""
	var answer *azcore.ResponseError
	var token *azidentity.AuthenticationFailedError
	switch {
	case errors.As(err, &answer):
		code = answer.ErrorCode
		if code == "" && answer.StatusCode == 404 {
			code = "BlobNotFound"
		}
	case errors.As(err, &token), strings.Contains(err.Error(), "DefaultAzureCredential"):
		return noAzure()
	}
	return explain(ctx, err, code, func(code string) error {
		switch code {
		case "BlobNotFound", "ResourceNotFound":
			return noObject(u)
		case "ContainerNotFound":
			return noBucket(u)
		case "ConditionNotMet", "InvalidRange":
			return files.ErrChanged
		case "AuthenticationFailed", "NoAuthenticationInformation", "InvalidAuthenticationInfo":
			return files.NewProblem(fs.ErrPermission, "the credentials are refused; check AZURE_STORAGE_KEY, the SAS token or az login")
		case "AuthorizationFailure", "AuthorizationPermissionMismatch", "InsufficientAccountPermissions", "PublicAccessNotPermitted":
			return denied(u)
		}
		return nil
	})
}
