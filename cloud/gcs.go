//go:build !slim

package cloud

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"symmom/internal/store/files"
)

func init() { files.Register("gs", &googleStore{}) }

// googleStore is Google Cloud Storage by its JSON API. Google's library links gRPC,
// which is more than all the rest of this package.
type googleStore struct{ clients[*gcs] }

// gcs sends requests.
type gcs struct {
	*http.Client
	base string
}

func connectGCS(ctx context.Context, _ files.URL, settings url.Values) (*gcs, error) {
	for name, values := range settings {
		if name != "anonymous" || values[0] != "true" {
			return nil, badSetting("anonymous=true")
		}
	}
	if host := os.Getenv("STORAGE_EMULATOR_HOST"); host != "" {
		if !strings.Contains(host, "://") {
			host = "http://" + host
		}
		return &gcs{&http.Client{Transport: transport()}, host}, nil
	}
	g := &gcs{&http.Client{Transport: transport()}, "https://storage.googleapis.com"}
	if settings.Has("anonymous") {
		return g, nil
	}
	c, err := google.FindDefaultCredentials(ctx, "https://www.googleapis.com/auth/devstorage.read_write")
	if err != nil {
		return nil, files.NewProblem(fs.ErrPermission, "no credentials were found; run gcloud auth application-default login, set GOOGLE_APPLICATION_CREDENTIALS, or end the URL in ?anonymous=true for public data")
	}
	g.Client = oauth2.NewClient(context.WithValue(ctx, oauth2.HTTPClient, g.Client), c.TokenSource)
	return g, nil
}

// object is the store's description of an object.
type object struct {
	Name       string
	Size       string
	Generation string
	Updated    time.Time
}

// send sends a request, and returns the answer if it is one of success or, with resume,
// a part that was taken.
func (g *gcs) send(ctx context.Context, u files.URL, method, where string, header http.Header, body []byte, resume bool) (*http.Response, error) {
	q, err := http.NewRequestWithContext(ctx, method, where, bytes.NewReader(body))
	if err != nil {
		return nil, explain(ctx, err, "", nil)
	}
	maps.Copy(q.Header, header)
	r, err := g.Do(q)
	if _, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		return nil, files.NewProblem(fs.ErrPermission, "the credentials are refused; get new ones: gcloud auth application-default login")
	}
	if err != nil {
		return nil, explain(ctx, err, "", nil)
	}
	if r.StatusCode/100 == 2 || resume && r.StatusCode == http.StatusPermanentRedirect {
		return r, nil
	}
	const most = 1 << 16
	text, _ := io.ReadAll(io.LimitReader(r.Body, most))
	r.Body.Close()
	return nil, explain(ctx, errors.New("an answer"), strconv.Itoa(r.StatusCode), func(string) error {
		switch r.StatusCode {
		case http.StatusNotFound:
			if strings.HasSuffix(q.URL.Path, "/o") || strings.Contains(string(text), "bucket does not exist") {
				return noBucket(u)
			}
			return noObject(u)
		case http.StatusUnauthorized, http.StatusForbidden:
			return denied(u)
		case http.StatusPreconditionFailed, http.StatusRequestedRangeNotSatisfiable:
			return files.ErrChanged
		case http.StatusBadRequest:
			return files.NewProblem(nil, "the store does not accept the request; check the URL")
		}
		return nil
	})
}

// at is the address of an object, or with an empty key of all of a bucket.
func (g *gcs) at(u files.URL, key string, settings url.Values) string {
	where := g.base + "/storage/v1/b/" + url.PathEscape(u.Bucket) + "/o"
	if key != "" {
		where += "/" + url.PathEscape(key)
	}
	return where + "?" + settings.Encode()
}

// Stat describes an object.
func (s *googleStore) Stat(ctx context.Context, u files.URL) (files.Info, error) {
	g, err := s.get(ctx, u, connectGCS)
	if err != nil {
		return files.Info{}, err
	}
	r, err := g.send(ctx, u, http.MethodGet, g.at(u, u.Key, url.Values{"fields": {"size,generation,updated"}}), nil, nil, false)
	if err != nil {
		return files.Info{}, err
	}
	defer r.Body.Close()
	var o object
	if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
		return files.Info{}, errors.New("the store does not answer as it should")
	}
	size, err := strconv.ParseInt(o.Size, 10, 64)
	return files.Info{Size: size, Modified: o.Updated, Version: o.Generation, Ranges: true}, err
}

func (s *googleStore) Read(ctx context.Context, u files.URL, info files.Info, off, n int64) (io.ReadCloser, error) {
	g, err := s.get(ctx, u, connectGCS)
	if err != nil {
		return nil, err
	}
	header := http.Header{"Range": {*byteRange(off, n)}, "Accept-Encoding": {"gzip"}} // as it is stored
	r, err := g.send(ctx, u, http.MethodGet, g.at(u, u.Key, url.Values{"alt": {"media"}, "ifGenerationMatch": {info.Version}}), header, nil, false)
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(r.Header.Get("Content-Range"), fmt.Sprintf("/%d", info.Size)) {
		r.Body.Close()
		return nil, files.ErrChanged
	}
	return r.Body, nil
}

func (s *googleStore) List(ctx context.Context, u files.URL, flat bool, add func(string)) error {
	g, err := s.get(ctx, u, connectGCS)
	if err != nil {
		return err
	}
	settings := url.Values{"prefix": {u.Key}, "fields": {"items(name),nextPageToken"}}
	if flat {
		settings.Set("delimiter", "/")
	}
	for {
		r, err := g.send(ctx, u, http.MethodGet, g.at(u, "", settings), nil, nil, false)
		if err != nil {
			return err
		}
		var page struct {
			Items         []object
			NextPageToken string
		}
		err = json.NewDecoder(r.Body).Decode(&page)
		r.Body.Close()
		if err != nil {
			return errors.New("the store does not answer as it should")
		}
		for _, o := range page.Items {
			add(o.Name)
		}
		if page.NextPageToken == "" {
			return nil
		}
		settings.Set("pageToken", page.NextPageToken)
	}
}

func (s *googleStore) Create(ctx context.Context, u files.URL) (files.Writer, error) {
	g, err := s.get(ctx, u, connectGCS)
	if err != nil {
		return nil, err
	}
	return newWriter(ctx, func(ctx context.Context, r io.Reader) error { return g.upload(ctx, u, r) }), nil
}

// upload sends an object part by part; it is there with the last one.
func (g *gcs) upload(ctx context.Context, u files.URL, from io.Reader) error {
	begin := g.base + "/upload/storage/v1/b/" + url.PathEscape(u.Bucket) + "/o?" + url.Values{"uploadType": {"resumable"}, "name": {u.Key}}.Encode()
	r, err := g.send(ctx, u, http.MethodPost, begin, http.Header{"X-Upload-Content-Type": {contentType(u.Key)}}, nil, false)
	if err != nil {
		return err
	}
	r.Body.Close()
	session := cmp.Or(r.Header.Get("Location"), begin)
	part, off := make([]byte, partBytes), int64(0)
	for {
		n, err := io.ReadFull(from, part)
		last := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !last { // given up
			if r, err := g.send(ctx, u, http.MethodDelete, session, nil, nil, false); err == nil {
				r.Body.Close()
			}
			return err
		}
		if err := g.part(ctx, u, session, part[:n], off, last); err != nil || last {
			return err
		}
		off += int64(n)
	}
}

// part sends a part, which begins at off, and again what the store does not keep of it:
// it says so, or the connection breaks off.
func (g *gcs) part(ctx context.Context, u files.URL, session string, data []byte, off int64, last bool) error {
	const most = 4
	end := off + int64(len(data))
	for tries := 0; ; tries++ {
		place := "bytes */"
		if off < end {
			place = fmt.Sprintf("bytes %d-%d/", off, end-1)
		}
		if last {
			place += strconv.FormatInt(end, 10)
		} else {
			place += "*"
		}
		r, err := g.send(ctx, u, http.MethodPut, session, http.Header{"Content-Range": {place}}, data[int64(len(data))-(end-off):], true)
		if err == nil {
			r.Body.Close()
			kept := kept(r.Header)
			switch more := r.StatusCode == http.StatusPermanentRedirect; {
			case !more && last, more && !last && kept == end:
				return nil
			case !more, kept < off, kept > end:
				return files.NewProblem(nil, "the store did not take the object as it was sent; write it again")
			case kept > off:
				off, tries = kept, -1
				continue
			}
			err = errors.New("the store does not take the object; try again later")
		}
		var final *files.Problem
		if errors.As(err, &final) || ctx.Err() != nil || tries+1 == most {
			return err
		}
		select {
		case <-time.After(retryAfter << tries):
		case <-ctx.Done():
		}
	}
}

// retryAfter is the time before a part is sent again, twice as long each time. Only tests
// change it.
var retryAfter = time.Second

// kept is how many bytes of an object that is being sent the store has.
func kept(h http.Header) int64 {
	last, ok := strings.CutPrefix(h.Get("Range"), "bytes=0-")
	n, err := strconv.ParseInt(last, 10, 64)
	if !ok || err != nil {
		return 0
	}
	return n + 1
}
