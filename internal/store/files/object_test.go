package files

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// memory is a store of objects whose connections break off.
type memory struct {
	objects map[string]string
	cut     int          // bytes after which an answer breaks off; 0: never
	mute    bool         // nothing is listed
	stall   bool         // instead of breaking off, nothing more comes
	asked   atomic.Int64 // bytes
	cuts    atomic.Int64
	changed atomic.Bool
}

func (m *memory) Stat(_ context.Context, u URL) (Info, error) {
	text, ok := m.objects[u.Key]
	if !ok {
		return Info{}, problem(fs.ErrNotExist, "there is nothing")
	}
	return Info{Size: int64(len(text)), Ranges: true}, nil
}

func (m *memory) Read(ctx context.Context, u URL, _ Info, off, n int64) (io.ReadCloser, error) {
	if m.changed.Load() {
		return nil, ErrChanged
	}
	text := m.objects[u.Key][off:]
	if n >= 0 {
		text = text[:n]
	}
	m.asked.Add(int64(len(text)))
	return io.NopCloser(&broken{ctx: ctx, m: m, r: strings.NewReader(text), left: m.cut}), nil
}

type broken struct {
	ctx  context.Context
	m    *memory
	r    io.Reader
	left int
}

func (b *broken) Read(p []byte) (int, error) {
	if b.m.cut == 0 {
		return b.r.Read(p)
	}
	if b.left == 0 {
		b.m.cuts.Add(1)
		if b.m.stall {
			<-b.ctx.Done()
			return 0, b.ctx.Err()
		}
		return 0, errors.New("cut")
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

type saved struct {
	bytes.Buffer
	m   *memory
	key string
}

func (k *saved) Close() error { k.m.objects[k.key] = k.String(); return nil }
func (k *saved) Abort()       {}

func (m *memory) Create(_ context.Context, u URL) (Writer, error) {
	return &saved{m: m, key: u.Key}, nil
}

func (m *memory) List(ctx context.Context, u URL, flat bool, add func(string)) error {
	switch u.Bucket {
	case "none":
		return problem(fs.ErrNotExist, "there is no bucket")
	case "theirs": // may be written, and not listed
		return problem(ErrDenied, "denied")
	}
	if m.mute {
		<-ctx.Done()
		return ctx.Err()
	}
	for key := range m.objects {
		if rest, ok := strings.CutPrefix(key, u.Key); ok && !(flat && strings.Contains(rest, "/")) {
			add(key)
		}
	}
	return nil
}

// with registers a store for a test.
func with(t *testing.T, m *memory) {
	pause := firstPause
	stores["mem"], firstPause = m, time.Millisecond
	t.Cleanup(func() { delete(stores, "mem"); firstPause = pause })
}

func random(n int) string {
	b := make([]byte, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return string(b)
}

// TestBrokenReads reads objects in order and anywhere through connections that break
// off.
func TestBrokenReads(t *testing.T) {
	for _, size := range []int{0, 1, firstBytes - 1, firstBytes, firstBytes + 1, 3<<20 + 17} {
		for _, cut := range []int{0, 100_000, 999_983} {
			text := random(size)
			m := &memory{objects: map[string]string{"a/b": text}, cut: cut}
			with(t, m)
			f, err := Open(t.Context(), "mem://bucket/a/b")
			if err != nil {
				t.Fatal(err)
			}
			if left := Remaining(f); left != int64(size) {
				t.Errorf("%d bytes are left of %d", left, size)
			}
			got, err := io.ReadAll(f)
			if err != nil || string(got) != text {
				t.Errorf("size %d, cut %d: %d bytes, %v", size, cut, len(got), err)
			}
			if cut > 0 && size > 2<<20 && m.cuts.Load() == 0 {
				t.Errorf("size %d, cut %d: nothing was cut", size, cut)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestReadAt(t *testing.T) {
	text := random(9<<20 + 5)
	m := &memory{objects: map[string]string{"a": text}, cut: 300_000}
	with(t, m)
	f, err := Open(t.Context(), "mem://bucket/a")
	if err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	for k := range 4 {
		readers.Go(func() {
			r := rand.New(rand.NewPCG(uint64(k), 0))
			for range 300 {
				off, size := r.Int64N(int64(len(text))), 1+r.IntN(1<<(1+r.IntN(20)))
				p := make([]byte, size)
				n, err := f.ReadAt(p, off)
				want := text[off:min(len(text), int(off)+size)]
				if n != len(want) || string(p[:n]) != want || (err == io.EOF) != (len(want) < size) || err != nil && err != io.EOF {
					t.Errorf("%d bytes at %d: %d, %v", size, off, n, err)
				}
			}
		})
	}
	readers.Wait()
	if n, err := f.ReadAt(make([]byte, 1), int64(len(text))); n != 0 || err != io.EOF {
		t.Error(n, err)
	}
	// Many small reads one after the other ask for each byte once.
	with(t, m)
	m.cut = 0
	if f, err = Open(t.Context(), "mem://bucket/a"); err != nil {
		t.Fatal(err)
	}
	m.asked.Store(0)
	if got, err := io.ReadAll(io.NewSectionReader(f, 0, int64(len(text)))); err != nil || string(got) != text || m.asked.Load() > int64(len(text))+mostWindow {
		t.Errorf("%d bytes asked for, of %d: %v", m.asked.Load(), len(text), err)
	}
}

// TestReadsEnd tries reads that cannot be completed.
func TestReadsEnd(t *testing.T) {
	m := &memory{objects: map[string]string{"a": random(1 << 20)}, cut: 1000, stall: true}
	with(t, m)
	stalled = 5 * time.Millisecond
	t.Cleanup(func() { stalled = time.Minute })
	read := func(ctx context.Context) (File, error) {
		f, err := Open(ctx, "mem://user:password@bucket/a")
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadFull(f, make([]byte, 10_000))
		return f, err
	}
	if _, err := read(t.Context()); err != nil || m.cuts.Load() < 9 {
		t.Errorf("a connection that stalls: %v", err)
	}
	m.cut, m.stall = -1, false
	m.cuts.Store(0)
	m.changed.Store(true)
	if _, err := read(t.Context()); err == nil || !strings.Contains(err.Error(), "mem://bucket/a: the object changed") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if f, err := read(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	} else if _, err := f.ReadAt(make([]byte, 10), 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := Open(t.Context(), "mem://user:password@bucket/b"); !errors.Is(err, fs.ErrNotExist) || err.Error() != "mem://bucket/b: there is nothing" {
		t.Error(err)
	}
}

// TestNeverABit ends when nothing comes, however often it is tried.
func TestNeverABit(t *testing.T) {
	m := &memory{objects: map[string]string{"a": "text"}, cut: 1}
	with(t, m)
	f, err := Open(t.Context(), "mem://bucket/a")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(f); err != nil || string(got) != "text" {
		t.Error(string(got), err)
	}
	o := f.(*Object)
	o.at, m.objects["a"] = 0, "" // shorter than it says
	if _, err := o.Read(make([]byte, 10)); err == nil || !strings.Contains(err.Error(), "broke off 6 times in a row") {
		t.Error(err)
	}
}

// TestWrite writes, refuses and lists.
func TestWrite(t *testing.T) {
	m := &memory{objects: map[string]string{}}
	with(t, m)
	for _, key := range []string{"d/b.csv", "d/a.csv", "d/a-1.csv", "d/below/c.csv"} {
		if err := Write(t.Context(), "mem://bucket/"+key+"?x=y", []byte(key)); err != nil || m.objects[key] != key {
			t.Error(err)
		}
	}
	failed := errors.New("failed")
	err := WriteFunc(t.Context(), "mem://bucket/d/a.csv", func(w io.Writer) error { w.Write([]byte("new")); return failed })
	if !errors.Is(err, failed) || m.objects["d/a.csv"] != "d/a.csv" || !strings.HasSuffix(err.Error(), "nothing was written") {
		t.Error(err, m.objects)
	}
	for path, want := range map[string]error{"mem://bucket/d/a": nil, "mem://none/a": fs.ErrNotExist, "mem://theirs/a": nil} {
		if err := Check(t.Context(), path); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
	for pattern, want := range map[string]string{
		"mem://bucket/d/":        "mem://bucket/d/a-1.csv mem://bucket/d/a.csv mem://bucket/d/b.csv",
		"mem://bucket/d/a*?x=y":  "mem://bucket/d/a-1.csv?x=y mem://bucket/d/a.csv?x=y",
		"mem://bucket/d/?.csv":   "mem://bucket/d/a.csv mem://bucket/d/b.csv",
		"mem://bucket/d/*/*.csv": "mem://bucket/d/below/c.csv",
	} {
		got, several, err := List(t.Context(), pattern)
		if strings.Join(got, " ") != want || !several || err != nil {
			t.Errorf("%s: %v, %v, %v", pattern, got, several, err)
		}
	}
	// Question marks in names are not taken for settings.
	m.objects = map[string]string{}
	var all []string
	for _, key := range []string{"a[1].csv", "b*.csv", "c?d.csv", "e?f=1.csv", "e?f=1.csv?", "g.csv", "x?", "y=?.csv", "z?a=b?c=d.csv", "q?="} {
		m.objects["odd/"+key], m.objects["odx/year=1/"+key] = key, key
		all = append(all, key)
	}
	slices.Sort(all)
	for _, query := range []string{"", "?x=y"} {
		for _, pattern := range []string{"odd/", "od?/year=1/*", "odx/year=?/*"} {
			paths, _, err := List(t.Context(), "mem://bucket/"+pattern+query)
			var got []string
			for _, path := range paths {
				text, err := read(t.Context(), path)
				if err != nil {
					t.Errorf("%s: %v", path, err)
				}
				got = append(got, text)
			}
			if err != nil || !slices.Equal(got, all) {
				t.Errorf("%s: %q, want %q: %v", pattern+query, got, all, err)
			}
		}
	}
	for _, one := range []string{"mem://bucket/d/a.csv", "https://example.org/*.csv", "d/*.csv"} {
		if got, several, err := List(t.Context(), one); got != nil || several || err != nil {
			t.Errorf("%s: %v, %v, %v", one, got, several, err)
		}
	}
}

// TestSame tells files and objects from others.
func TestSame(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	if err := Write(t.Context(), name, []byte("a")); err != nil {
		t.Fatal(err)
	}
	file, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	a := objectInfo{"a", Info{Size: 1, Version: "1", Ranges: true}}
	a.Modified = time.Unix(1e9, 0)
	b, elsewhere := a, a
	b.Version = "2"
	elsewhere.Modified = a.Modified.In(time.FixedZone("GMT", 0))
	for _, c := range []struct {
		x, y fs.FileInfo
		same bool
	}{{file, file, true}, {a, a, true}, {a, elsewhere, true}, {a, b, false}, {file, a, false}, {a, file, false}} {
		if same(c.x, c.y) != c.same {
			t.Errorf("%v, %v: want %v", c.x, c.y, c.same)
		}
	}
	if !a.Mode().IsRegular() || (objectInfo{"a", Info{}}).Mode().IsRegular() {
		t.Error(a.Mode())
	}
}

func TestURLs(t *testing.T) {
	for path, want := range map[string]string{
		"a/b.csv":                               "a/b.csv",
		`C:\data\b.csv`:                         `C:\data\b.csv`,
		"S3://b/k/x.csv":                        "s3://b/k/x.csv",
		"s3://b/k?a=b":                          "s3://b/k",
		"s3://b/p-?.csv":                        "s3://b/p-?.csv",
		"s3://b/?-?x.c?v":                       "s3://b/?-?x.c?v",
		"s3://b/?/y=1/*":                        "s3://b/?/y=1/*",
		"s3://b/e?f=1?":                         "s3://b/e?f=1",
		"s3://b/x?endpoint=http://h:1&region=a": "s3://b/x",
		"https://u:p@h/t.csv?X-Amz-Signature=1#f": "https://h/t.csv",
		"https://h/t.csv#f":                       "https://h/t.csv",
		"@https://u:p@h/t.txt?x":                  "@https://h/t.txt",
	} {
		if got := Name(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	args := []string{"info", "https://u:p@h/t.csv?s=1", "--truth=s3://b/x?region=a", "@https://u:p@h/l.txt", "--spark", "sc://h:1/;token=t", "-d", "a=b", "--out=x.csv"}
	want := []string{"info", "https://h/t.csv", "--truth=s3://b/x", "@https://h/l.txt", "--spark", "sc://h:1/", "-d", "a=b", "--out=x.csv"}
	if got := Args(args); !slices.Equal(got, want) || Shown(strings.Join(args, " "), args) != strings.Join(want, " ") {
		t.Errorf("%q, want %q", got, want)
	}
	for path, want := range map[string]string{
		"ftp://h/x":     `URLs with "ftp://" are not known; want s3://, gs://, azblob:// or https://`,
		"gs://b/x":      "was built without stores",
		"https://h/x":   "read only",
		"/no-such-dir/": "no directory",
	} {
		_, opened := Open(t.Context(), path)
		err := Check(t.Context(), path)
		if err == nil || !strings.Contains(err.Error(), want) || opened == nil {
			t.Errorf("%s: %v, %v", path, err, opened)
		}
	}
	for _, c := range [][3]string{
		{"s3://b/d/list.txt?r=1", "x.csv", "s3://b/d/x.csv?r=1"},
		{"s3://b/d/list.txt", "s3://c/x.csv", "s3://c/x.csv"},
		{"s3://b/d/list.txt?r=1", "x.csv?r=2", "s3://b/d/x.csv?r=2"},
		{"s3://b/d/list.txt?r=1", "x?a=1.csv?", "s3://b/d/x?a=1.csv?r=1"},
		{"s3://b/d/list.txt", "x?a=1.csv?", "s3://b/d/x?a=1.csv?"},
		{"https://h/d/list.txt?sig=1", "x.csv?sig=2", "https://h/d/x.csv?sig=2"},
		{"https://u:p%20@h/d/list.txt", "x.csv", "https://u:p%20@h/d/x.csv"},
		{"https://u:p@h/d/list.txt", "https://g/x.csv", "https://g/x.csv"},
		{"list.txt", "x.csv", ""},
	} {
		if got := Beside(c[0], c[1]); got != c[2] {
			t.Errorf("%v: got %s", c, got)
		}
	}
	if text := "s3://: want s3://BUCKET/NAME"; Shown(text, []string{"s3://"}) != text {
		t.Errorf("%q becomes %q", text, Shown(text, []string{"s3://"}))
	}
}
