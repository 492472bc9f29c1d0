package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// web reads pages. Its client follows links, takes proxies from the environment
// and keeps connections.
type web struct{}

// client is of net/http, except for its connections, and for what it tells the server to which
// another one redirects: nothing of the first address, which may be signed. Only tests
// change it.
var client = &http.Client{Transport: keeping{}, CheckRedirect: func(q *http.Request, before []*http.Request) error {
	q.Header.Del("Referer")
	if len(before) >= mostRedirects {
		return fmt.Errorf("more than %d redirects", mostRedirects)
	}
	return nil
}}

const mostRedirects = 10

// keeping is Transport, made when it is first used.
type keeping struct{}

func (keeping) RoundTrip(q *http.Request) (*http.Response, error) {
	return transport().RoundTrip(q)
}

var transport = sync.OnceValue(func() http.RoundTripper { return Transport(func(*http.Transport) {}) })

// Transport returns a copy of the transport of net/http, changed, that keeps as many
// connections to a server as are asked for parts of a table at once, not two: a new one
// takes as long as several answers. What a program has put in its place is returned as it is.
func Transport(change func(*http.Transport)) http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	t = t.Clone()
	t.MaxIdleConnsPerHost = 16
	change(t)
	return t
}

// Stat asks for the first byte rather than for the head alone, which many servers do
// not give for what is made on demand or signed for reading.
func (web) Stat(ctx context.Context, u URL) (Info, error) {
	var last error
	for tries := range mostTries {
		info, err := stat(ctx, u)
		var final *Problem
		if err == nil || errors.As(err, &final) || ctx.Err() != nil {
			return info, err
		}
		last = err
		select {
		case <-time.After(firstPause << tries):
		case <-ctx.Done():
			return Info{}, ctx.Err()
		}
	}
	return Info{}, noAnswer(runtime.GOOS, last)
}

// noAnswer is the error of a server that does not answer. In a browser it may answer without
// allowing cross-origin reads: a page cannot distinguish the two.
func noAnswer(system string, err error) error {
	if system == "js" {
		return problem(err, "the server does not answer, or does not let pages of others read it (%v); check the address and that it allows that (CORS), or take a copy of the file", cause(err))
	}
	return problem(err, "the server does not answer (%v); check the address, or try again later", cause(err))
}

func stat(ctx context.Context, u URL) (info Info, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, err := get(ctx, u, "bytes=0-0", "")
	if err != nil {
		return info, err
	}
	r.Body.Close()
	info = Info{Size: r.ContentLength, Version: version(r.Header)}
	info.Modified, _ = http.ParseTime(r.Header.Get("Last-Modified"))
	switch r.StatusCode {
	case http.StatusPartialContent:
		_, size, _ := strings.Cut(r.Header.Get("Content-Range"), "/")
		if info.Size, err = strconv.ParseInt(size, 10, 64); err == nil {
			info.Ranges = true
			return info, nil
		}
		return Info{Size: -1, Version: info.Version, Modified: info.Modified}, nil
	case http.StatusRequestedRangeNotSatisfiable: // there is no first byte
		return Info{Version: info.Version, Modified: info.Modified, Ranges: true}, nil
	}
	info.Ranges = info.Size == 0
	return info, nil
}

// version is the server's identifier of the contents.
func version(h http.Header) string {
	if tag := h.Get("ETag"); tag != "" {
		return tag
	}
	return h.Get("Last-Modified")
}

func (web) Read(ctx context.Context, u URL, info Info, off, n int64) (io.ReadCloser, error) {
	part := ""
	if info.Ranges {
		part = fmt.Sprintf("bytes=%d-", off)
		if n >= 0 {
			part += strconv.FormatInt(off+n-1, 10)
		}
	} else if off > 0 {
		return nil, io.ErrUnexpectedEOF
	}
	r, err := get(ctx, u, part, info.Version)
	if err != nil {
		return nil, err
	}
	ok := r.StatusCode == http.StatusOK && !info.Ranges
	if info.Ranges && r.StatusCode == http.StatusPartialContent {
		place := r.Header.Get("Content-Range")
		ok = strings.HasPrefix(place, fmt.Sprintf("bytes %d-", off)) && strings.HasSuffix(place, fmt.Sprintf("/%d", info.Size))
	}
	if !ok || version(r.Header) != info.Version {
		r.Body.Close()
		return nil, ErrChanged
	}
	return r.Body, nil
}

func (web) Create(context.Context, URL) (Writer, error) {
	return nil, problem(nil, "pages of the web are read only; write to a file, or to a store (s3://BUCKET/NAME)")
}

func (web) List(_ context.Context, u URL, _ bool, _ func(string)) error {
	return problem(nil, "the web has no lists of files; name one file, or several in a list: @files.txt")
}

// get sends a request. Answers other than those of success are errors, Problems if they
// would be the same the next time.
func get(ctx context.Context, u URL, part, version string) (*http.Response, error) {
	where, err := url.Parse(u.Scheme + "://" + u.Bucket + "/" + u.Key)
	if err != nil {
		return nil, problem(nil, "is not a URL; want one such as https://example.org/table.csv, with %%20 for a space")
	}
	where.RawQuery, where.User = u.Query, u.user
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, where.String(), nil)
	if err != nil {
		return nil, problem(nil, "is not a URL; want one such as https://example.org/table.csv")
	}
	q.Header.Set("User-Agent", "symmom")
	// Compressed on the way they are other bytes, of another length and with another tag.
	q.Header.Set("Accept-Encoding", "identity")
	if part != "" {
		q.Header.Set("Range", part)
	}
	if strings.HasPrefix(version, `"`) { // a strong tag
		q.Header.Set("If-Match", version)
	}
	r, err := client.Do(q)
	if err != nil {
		return nil, cause(err)
	}
	switch code := r.StatusCode; {
	case code == http.StatusOK, code == http.StatusPartialContent, code == http.StatusRequestedRangeNotSatisfiable && part == "bytes=0-0":
		return r, nil
	case code == http.StatusPreconditionFailed, code == http.StatusRequestedRangeNotSatisfiable:
		err = ErrChanged
	case code == http.StatusNotFound, code == http.StatusGone:
		err = problem(fs.ErrNotExist, "the server has no such file; check the address")
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		err = problem(fs.ErrPermission, "the server refuses to give it (%s); check the address and its credentials, which may have expired", status(r))
	case code == http.StatusTooManyRequests, code >= 500:
		err = fmt.Errorf("it answered %s", status(r))
	default:
		err = problem(nil, "the server answered %s; check the address", status(r))
	}
	r.Body.Close()
	return nil, err
}

func status(r *http.Response) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", r.StatusCode, http.StatusText(r.StatusCode)))
}

// cause is what is wrong without the address, which may hold credentials. What trying
// again does not cure is a Problem.
func cause(err error) error {
	for {
		var at *url.Error
		if !errors.As(err, &at) {
			break
		}
		err = at.Err
	}
	var name *net.DNSError
	if errors.As(err, &name) && name.IsNotFound {
		return problem(nil, "there is no server of this name; check the address")
	}
	for _, redirect := range []string{"Location header", "redirects", "protocol scheme"} { // net/http has no types for these
		if strings.Contains(err.Error(), redirect) {
			return problem(nil, "the server redirects to an address that cannot be read, or in circles; check the address")
		}
	}
	if text := err.Error(); strings.Contains(text, "certificate") || strings.Contains(text, "server gave HTTP response to HTTPS client") {
		return problem(err, "the server cannot be trusted (%s); check the address", text)
	}
	return err
}
