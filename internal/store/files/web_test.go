package files

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// page is what a server of tests serves under /table.csv.
type page struct {
	text    string
	tag     atomic.Value // string
	whole   bool         // without ranges
	chunked bool         // and without a length
	cut     int          // bytes after which an answer breaks off; 0: never
	cuts    atomic.Int64
	busy    atomic.Int64 // requests to refuse first
}

func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.busy.Add(-1) >= 0 {
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	}
	if r.URL.Query().Get("sig") != "hidden" {
		http.Error(w, "no", http.StatusForbidden)
		return
	}
	if r.URL.Path != "/table.csv" {
		http.NotFound(w, r)
		return
	}
	if tag, _ := p.tag.Load().(string); tag != "" {
		w.Header().Set("ETag", tag)
	}
	if p.cut > 0 {
		w = &cutting{w, p, p.cut}
	}
	switch {
	case !p.whole:
		http.ServeContent(w, r, "", time.Unix(1e9, 0), strings.NewReader(p.text))
	case p.chunked:
		for text := p.text; text != ""; {
			n := min(len(text), 10_000)
			io.WriteString(w, text[:n])
			w.(http.Flusher).Flush()
			text = text[n:]
		}
	default:
		w.Header().Set("Content-Length", fmt.Sprint(len(p.text)))
		io.WriteString(w, p.text)
	}
}

type cutting struct {
	http.ResponseWriter
	p    *page
	left int
}

func (c *cutting) Write(b []byte) (int, error) {
	if len(b) > c.left {
		c.ResponseWriter.Write(b[:c.left])
		c.p.cuts.Add(1)
		panic(http.ErrAbortHandler)
	}
	c.left -= len(b)
	return c.ResponseWriter.Write(b)
}

// serve starts a server with TLS, and returns the address of its table.
func serve(t *testing.T, p *page) string {
	s := httptest.NewTLSServer(p)
	old, pause := client, firstPause
	client, firstPause = s.Client(), time.Millisecond
	t.Cleanup(func() { s.Close(); client, firstPause = old, pause })
	return strings.Replace(s.URL, "https://", "https://user:secret@", 1) + "/table.csv?sig=hidden"
}

func read(ctx context.Context, path string) (string, error) {
	f, err := Open(ctx, path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	return string(b), err
}

func TestWeb(t *testing.T) {
	text := random(2<<20 + 3)
	for name, p := range map[string]*page{
		"ranges":  {text: text},
		"cut":     {text: text, cut: 300_000},
		"empty":   {text: ""},
		"whole":   {text: text, whole: true},
		"chunked": {text: text, whole: true, chunked: true},
	} {
		p.tag.Store(`"1"`)
		p.busy.Store(2)
		path := serve(t, p)
		got, err := read(t.Context(), path)
		if err != nil || got != p.text || name == "cut" && p.cuts.Load() < 3 {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		f, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := f.Stat()
		left := Remaining(f)
		if err != nil || info.Mode().IsRegular() == p.whole || (left == int64(len(p.text))) == p.whole || info.Name() != "table.csv" {
			t.Errorf("%s: %v, %d, %v", name, info.Mode(), left, err)
		}
		if at, ok := At(f, left); p.text != "" && !p.whole {
			b := make([]byte, 1000)
			if _, err := at.ReadAt(b, 1234567); err != nil || !ok || string(b) != text[1234567:1235567] {
				t.Errorf("%s: read at: %v", name, err)
			}
		}
		f.Close()
	}
}

// TestClosedBeside closes what another goroutine reads: the read ends soon, whatever it
// waits for, and so does every later one.
func TestClosedBeside(t *testing.T) {
	var slow atomic.Bool
	more := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusOK)
		for range 100 {
			if _, err := io.WriteString(w, "1,2,3\n"); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			if slow.Load() {
				<-more
			}
		}
	}))
	defer s.Close()
	defer close(more)
	for k := range 40 {
		slow.Store(k%2 == 1)
		f, err := Open(t.Context(), s.URL+"/table.csv")
		if err != nil {
			t.Fatal(err)
		}
		begun, done := make(chan struct{}), make(chan error)
		go func() {
			p := make([]byte, 7)
			for n := 0; ; n++ {
				if _, err := f.Read(p); err != nil {
					done <- err
					return
				}
				if n == 0 {
					close(begun)
				}
			}
		}()
		<-begun
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != io.EOF && !errors.Is(err, fs.ErrClosed) && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if n, err := f.Read(make([]byte, 7)); n > 0 || !errors.Is(err, fs.ErrClosed) {
			t.Error(n, err)
		}
	}
}

// TestAsTheyAre reads from servers that compress what they send if that is asked for,
// under another tag, as nginx and Apache do: that is neither another length nor a change.
func TestAsTheyAre(t *testing.T) {
	text := strings.Repeat("1.5,2.5\n", 50_000)
	for _, chunked := range []bool{false, true} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			data, tag := []byte(text), `"1"`
			if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				var b bytes.Buffer
				z := gzip.NewWriter(&b)
				z.Write(data)
				z.Close()
				data, tag = b.Bytes(), `"1-gzip"`
				w.Header().Set("Content-Encoding", "gzip")
			}
			w.Header().Set("ETag", tag)
			if !chunked {
				w.Header().Set("Content-Length", fmt.Sprint(len(data)))
			}
			w.Write(data)
		}))
		if got, err := read(t.Context(), s.URL+"/table.csv"); err != nil || got != text {
			t.Errorf("chunked %v: %d bytes, want %d: %v", chunked, len(got), len(text), err)
		}
		s.Close()
	}
}

// TestWebErrors checks that each is one line without what the address hides.
func TestWebErrors(t *testing.T) {
	p := &page{text: random(1 << 20), whole: true, cut: 300_000}
	path := serve(t, p)
	check := func(err, cause error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || cause != nil && !errors.Is(err, cause) {
			t.Errorf("got %v, want %s", err, want)
		} else if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "hidden") || strings.Contains(err.Error(), "sig=") {
			t.Errorf("%v says too much", err)
		}
	}
	_, err := read(t.Context(), path)
	check(err, nil, "the connection broke off after 3")
	_, err = read(t.Context(), strings.Replace(path, "table", "other", 1))
	check(err, fs.ErrNotExist, "the server has no such file")
	_, err = read(t.Context(), strings.Replace(path, "sig=", "sig=x", 1))
	check(err, fs.ErrPermission, "refuses to give it (403 Forbidden)")
	_, err = read(t.Context(), strings.Replace(path, "table.csv", "a%zz", 1))
	check(err, nil, "is not a URL")
	p.busy.Store(100)
	_, err = read(t.Context(), path)
	check(err, nil, "503 Service Unavailable")
	p.busy.Store(0)
	trusting := client
	client = http.DefaultClient
	_, err = read(t.Context(), path)
	check(err, nil, "cannot be trusted")
	client = trusting

	for _, to := range []string{"http://[bad/?sig=hidden", "file:///etc/passwd?sig=hidden", "/table.csv?sig=hidden"} {
		away := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
		}))
		_, err = read(t.Context(), strings.Replace(away.URL, "http://", "http://user:secret@", 1)+"/table.csv?sig=hidden")
		check(err, nil, "the server redirects")
		away.Close()
	}

	// Another file by now, with and without tags.
	for _, tag := range []string{`"1"`, `W/"1"`} {
		p := &page{text: random(1 << 20)}
		p.tag.Store(tag)
		path := serve(t, p)
		f, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		p.tag.Store(strings.Replace(tag, "1", "2", 1))
		_, err = io.Copy(&bytes.Buffer{}, f)
		check(err, ErrChanged, "changed while it was read")
		f.Close()
		g, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := f.Stat()
		b, _ := g.Stat()
		if same(a, b) {
			t.Error("files with other tags are the same")
		}
		g.Close()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = read(ctx, path)
	check(err, context.Canceled, "reading stopped")
}

// TestSilent asks a server that takes connections and says nothing.
func TestSilent(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	stalled = 50 * time.Millisecond
	t.Cleanup(func() { stalled = time.Minute })
	m := &memory{objects: map[string]string{}, mute: true}
	with(t, m)
	_, err = Open(t.Context(), "http://"+l.Addr().String()+"/table.csv")
	_, _, listed := List(t.Context(), "mem://bucket/d/")
	for _, err := range []error{err, listed} {
		if err == nil || !strings.Contains(err.Error(), "the server says nothing") {
			t.Error(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	stalled = time.Minute
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err = Open(ctx, "http://"+l.Addr().String()+"/table.csv"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// In a browser the error names both possible causes, a silent server and a forbidden read.
func TestNoAnswer(t *testing.T) {
	failed := errors.New("fetch() failed")
	for system, want := range map[string]string{
		"linux": "the server does not answer (fetch() failed); check the address, or try again later",
		"js":    "the server does not answer, or does not let pages of others read it (fetch() failed); check the address and that it allows that (CORS), or take a copy of the file",
	} {
		if without := withoutStores(system).Error(); strings.Contains(without, "browser") != (system == "js") {
			t.Errorf("%s: without stores: %s", system, without)
		}
		if err := noAnswer(system, failed); err.Error() != want || !errors.Is(err, failed) {
			t.Errorf("%s: got %q, want %q", system, err, want)
		}
	}
}

// A server that is redirected to does not see the first address, which may be signed.
func TestRedirectTellsNothing(t *testing.T) {
	var referer string
	second := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		referer += r.Header.Get("Referer") + r.Header.Get("Authorization")
		http.ServeContent(w, r, "x.csv", time.Time{}, strings.NewReader("1,2\n"))
	}))
	defer second.Close()
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.Replace(second.URL, "127.0.0.1", "localhost", 1)+"/x.csv", http.StatusFound)
	}))
	defer first.Close()
	f, err := Open(t.Context(), strings.Replace(first.URL, "http://", "http://u:p@", 1)+"/x.csv?sig=SECRET")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if text, err := io.ReadAll(f); err != nil || string(text) != "1,2\n" {
		t.Errorf("got %q, %v", text, err)
	}
	if referer != "" {
		t.Errorf("the second server got the referer %q", referer)
	}
}

// A password with a character that ends the host is an error, and is not printed.
func TestTornPassword(t *testing.T) {
	for _, password := range []string{"pa/sEc", "pa?sEc", "pa#sEc", "/sEc", "1/a?sEc", "sEc/9@"} {
		for _, scheme := range []string{"https", "s3", "sc"} {
			if scheme == "https" && password[0] == '1' {
				continue // a host with its port
			}
			path := scheme + "://user:" + password + "@host.invalid/x.csv"
			if name := Name(path); strings.Contains(name, "sEc") || strings.Contains(name, "pa") {
				t.Errorf("%s is shown as %s", path, name)
			}
			_, err := Open(t.Context(), path)
			if err == nil || strings.Contains(err.Error(), "sEc") {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	for path, want := range map[string]string{
		"http://localhost:8080/a.csv": "http://localhost:8080/a.csv",
		"https://host/@user/a.csv":    "https://host/@user/a.csv",
		"http://[::1]:80/@user/a.csv": "http://[::1]:80/@user/a.csv",
		"s3://bucket/a@b:c.csv":       "s3://bucket/a@b:c.csv",
	} {
		if got := Name(path); got != want {
			t.Errorf("%s is shown as %s", path, got)
		}
	}
}
