//go:build e2e

package cloud_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"symmom/charts"
	_ "symmom/cloud"
	"symmom/datasets"
	"symmom/internal/store/files"
	"symmom/internal/test/s3server"
	"symmom/symmom"
)

var url = s3server.URL

// text is what an object holds.
func text(t *testing.T, path string) string {
	t.Helper()
	f, err := files.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestFormats saves, loads and streams a table in each format: the same bits as on disk.
func TestFormats(t *testing.T) {
	s3server.Start(t)
	s := datasets.Uniform(20, 9000, 1)
	dir := t.TempDir()
	for _, ext := range []string{"csv", "tsv", "csv.gz", "npy", "parquet", "arrow", "feather"} {
		local, remote := filepath.Join(dir, "table."+ext), url("formats/table.%s", ext)
		if err := errors.Join(s.Save(local), s.Save(remote)); err != nil {
			t.Errorf("%s: %v", ext, err)
			continue
		}
		if data, err := os.ReadFile(local); err != nil || text(t, remote) != string(data) {
			t.Errorf("%s: other bytes were written (%v)", ext, err)
		}
		if got := symmom.Load(remote); got.Err() != nil || got.Fingerprint() != s.Fingerprint() || got.Source() != remote {
			t.Errorf("%s loaded: %v", ext, got)
		}
		if got := symmom.Stream(remote, symmom.LoadOptions{NoSpill: true}); got.Err() != nil || got.Fingerprint() != s.Fingerprint() || got.Moment(3).Decompose(2).Err() != nil {
			t.Errorf("%s streamed: %v", ext, got)
		}
		if got := symmom.Describe(remote); got.Err() != nil {
			t.Errorf("%s described: %v", ext, got.Err())
		}
	}
	// A stream is converted from the server to the server.
	if err := symmom.Stream(url("formats/table.csv")).Save(url("formats/again.parquet")); err != nil {
		t.Error(err)
	} else if got := symmom.Load(url("formats/again.parquet")); got.Fingerprint() != s.Fingerprint() {
		t.Error(got)
	}
}

// TestSeveralFiles loads tables of several objects.
func TestSeveralFiles(t *testing.T) {
	s3server.Start(t)
	whole := datasets.Uniform(5, 40, 0)
	for k := range 5 {
		part := datasets.Uniform(5, 1000+k, uint64(k))
		if err := part.Save(url("shards/part-%d.csv", k)); err != nil {
			t.Fatal(err)
		}
		if whole = whole.Append(part.Matrix()); k == 0 {
			whole = part
		}
	}
	for name, content := range map[string]string{"_SUCCESS": "", "readme.txt": "no table", "below/part-9.csv": "1,2\n3,4\n", "log/_delta_log/0.json": "{}", "log/part-0.csv": "1,2\n3,4\n", "log/year=1/part-0.csv": "1,2\n3,4\n", "list.txt": "part-0.csv\n# more\n" + url("shards/part-1.csv") + "\npart-2.csv\npart-3.csv\npart-4.csv\n"} {
		if err := files.Write(t.Context(), url("shards/%s", name), []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	list := filepath.Join(t.TempDir(), "list.txt")
	var lines bytes.Buffer
	for k := range 5 {
		fmt.Fprintln(&lines, url("shards/part-%d.csv", k))
	}
	if err := os.WriteFile(list, lines.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	want := whole.Matrix().RawMatrix().Data
	for _, path := range []string{url("shards/"), url("shards/part-*.csv"), url("sh*/part-[0-4].csv"), url("shards/part-?.csv"), "@" + url("shards/list.txt"), "@" + list} {
		got := symmom.Load(path)
		if got.Err() != nil || fmt.Sprint(got.Matrix().RawMatrix().Data) != fmt.Sprint(want) {
			t.Errorf("%s: %v", path, got)
		}
		if stream := symmom.Stream(path); stream.Err() != nil || stream.Fingerprint() != got.Fingerprint() {
			t.Errorf("%s streamed: %v", path, stream)
		}
	}
	for path, want := range map[string]string{
		url("nothing/"):           "no data files",
		url("shards/log/"):        "these are files of Delta Lake",
		url("shards/log/*/*.csv"): "these are files of Delta Lake",
		url("shards/x*.csv"):      "no file matches",
		url("shards/[.csv"):       "not a pattern",
		"@" + url("nolist.txt"):   "no such object",
	} {
		if err := symmom.Load(path).Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestResults saves models, mixtures and pages, and loads them again.
func TestResults(t *testing.T) {
	s3server.Start(t)
	s := datasets.Uniform(6, 2000, 1)
	fit := s.Moment(3).Decompose(2)
	for _, ext := range []string{"json", "mat", "npz", "ktns"} {
		path := url("model.%s", ext)
		if err := fit.Save(path); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if m, err := symmom.LoadModel(path); err != nil || m.Rank() != 2 {
			t.Errorf("%s: %v, %v", path, m, err)
		}
	}
	if err := s.Mixture(2).Save(url("mixture.json")); err != nil {
		t.Error(err)
	} else if m, err := symmom.LoadMixture(url("mixture.json")); err != nil || m.Components != 2 {
		t.Errorf("%v, %v", m, err)
	}
	if err := charts.Factors(fit).Save(url("page.html")); err != nil || !strings.Contains(text(t, url("page.html")), "<html") {
		t.Error(err)
	}
	if err := charts.WriteReport(s, url("report.html"), charts.ReportOptions{From: 2, To: 2}); err != nil || !strings.Contains(text(t, url("report.html")), "<html") {
		t.Error(err)
	}
	if err := fit.Save("s3://no-such-bucket/model.json"); err == nil || !strings.Contains(err.Error(), "no bucket no-such-bucket; check the URL; nothing was written") {
		t.Error(err)
	}
}

// TestCuts loads through connections that break off: the data are the same.
func TestCuts(t *testing.T) {
	proxy := s3server.NewProxy(t, s3server.Start(t))
	s := datasets.Uniform(20, 30000, 1)
	for _, ext := range []string{"csv", "csv.gz", "npy", "parquet", "feather"} {
		if err := s.Save(url("cut.%s", ext)); err != nil {
			t.Fatal(err)
		}
	}
	s3server.Use(t, proxy.Address)
	for _, ext := range []string{"csv", "csv.gz", "npy", "parquet", "feather"} {
		proxy.After.Store(700_000)
		if ext == "parquet" { // a request for a column of 240 kB
			proxy.After.Store(150_000)
		}
		before := proxy.Cuts.Load()
		if got := symmom.Load(url("cut.%s", ext)); got.Err() != nil || got.Fingerprint() != s.Fingerprint() {
			t.Errorf("%s loaded: %v", ext, got)
		}
		loading := proxy.Cuts.Load() - before
		if got := symmom.Stream(url("cut.%s", ext), symmom.LoadOptions{NoSpill: true}); got.Err() != nil || got.Fingerprint() != s.Fingerprint() {
			t.Errorf("%s streamed: %v", ext, got)
		}
		cuts := proxy.Cuts.Load() - before
		if loading < 2 || cuts-loading < 2 {
			t.Errorf("%s: cut off %d and %d times, want more", ext, loading, cuts-loading)
		}
		t.Logf("%s: cut off %d times", ext, cuts)
	}
	// Without an end of it, reading ends.
	proxy.After.Store(10)
	if err := symmom.Load(url("cut.csv")).Err(); err == nil || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}

// TestChanged streams an object that is replaced by another one of the same size.
func TestChanged(t *testing.T) {
	s3server.Start(t)
	path := url("changing.npy")
	if err := datasets.Uniform(5, 3000, 1).Save(path); err != nil {
		t.Fatal(err)
	}
	s := symmom.Stream(path, symmom.LoadOptions{NoSpill: true})
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	if err := datasets.Uniform(5, 3000, 2).Save(path); err != nil {
		t.Fatal(err)
	}
	if err := s.Moment(3).Decompose(2).Err(); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("streamed: %v", err)
	}
	// While it is read.
	o, err := files.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := datasets.Uniform(5, 3000, 3).Save(path); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(o); err == nil || !strings.Contains(err.Error(), "changed while it was read") {
		t.Errorf("read: %v", err)
	}
	if _, err := o.ReadAt(make([]byte, 100), 50); err == nil || !strings.Contains(err.Error(), "changed while it was read") {
		t.Errorf("read at: %v", err)
	}
}

// TestErrors checks that what cannot be read is one line that says what to do, with
// nothing secret in it.
func TestErrors(t *testing.T) {
	s3server.Start(t)
	if err := datasets.Uniform(5, 30, 1).Save(url("table.csv")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		env, value, path, want string
		cause                  error
	}{
		{"AWS_SECRET_ACCESS_KEY", "another-secret-9876543210", url("table.csv"), "check AWS_SECRET_ACCESS_KEY", fs.ErrPermission},
		{"AWS_ACCESS_KEY_ID", "another-secret-9876543210", url("table.csv"), "check AWS_ACCESS_KEY_ID", fs.ErrPermission},
		{"AWS_ACCESS_KEY_ID", "", url("table.csv"), "no credentials were found; set AWS_PROFILE", fs.ErrPermission},
		{"AWS_ENDPOINT_URL", "", url("table.csv"), "no region is set; set AWS_REGION", nil},
		{"AWS_ENDPOINT_URL", "http://127.0.0.1:1", url("table.csv"), "connection refused", nil},
		{"AWS_PROFILE", "nobody", url("table.csv"), "check AWS_PROFILE", nil},
		{"", "", url("table.csv") + "?regoin=x", "want a setting after the question mark: region", nil},
		{"", "", url("tabel.csv"), "no such object in the bucket bucket; check the URL", fs.ErrNotExist},
		{"", "", "s3://no-such-bucket/table.csv", "no bucket no-such-bucket; check the URL", fs.ErrNotExist},
		{"", "", "s3:///table.csv", "has no bucket", nil},
	} {
		t.Run(c.want, func(t *testing.T) {
			if c.env != "" {
				t.Setenv(c.env, c.value)
			}
			if err := symmom.Load(c.path).Err(); c.cause != nil && !errors.Is(err, c.cause) {
				t.Errorf("%v is not %v", err, c.cause)
			}
			for _, err := range []error{symmom.Load(c.path).Err(), symmom.Stream(c.path).Err(), datasets.Uniform(5, 30, 1).Save(c.path)} {
				if err == nil {
					if strings.Contains(c.want, "object") { // it can be written
						continue
					}
					t.Fatal("no error")
				}
				text := err.Error()
				if !strings.Contains(text, c.want) || strings.Contains(text, "\n") || len(text) > 250 {
					t.Errorf("%s: got %q, want %q in it", c.path, text, c.want)
				}
				for _, secret := range []string{s3server.Secret, s3server.Key, "another-secret", "Signature=", "Credential", "X-Amz"} {
					if strings.Contains(text, secret) {
						t.Errorf("%s: %q has %q in it", c.path, text, secret)
					}
				}
			}
		})
	}
}

// TestColumnsAreRanges counts the bytes of two columns of forty.
func TestColumnsAreRanges(t *testing.T) {
	proxy := s3server.NewProxy(t, s3server.Start(t))
	s := datasets.Uniform(40, 30000, 1)
	if err := s.Save(url("wide.parquet")); err != nil {
		t.Fatal(err)
	}
	s3server.Use(t, proxy.Address)
	all := symmom.Load(url("wide.parquet"))
	whole := proxy.Moved.Swap(0)
	two := symmom.Load(url("wide.parquet"), symmom.LoadOptions{Columns: []string{"3", "30"}})
	part := proxy.Moved.Load()
	if all.Err() != nil || two.Err() != nil || two.Fingerprint() != s.Select("3", "30").Fingerprint() {
		t.Fatalf("%v, %v", all, two)
	}
	// A twentieth, what shows the format, and the footer.
	if t.Logf("%d bytes for all columns, %d for two of 40", whole, part); part > whole/5 {
		t.Errorf("%d bytes for two columns, %d for all", part, whole)
	}
}

// TestCheck sees before a write what it would say at its end.
func TestCheck(t *testing.T) {
	s3server.Start(t)
	for path, want := range map[string]string{
		url("new.json"):                      "",
		"s3://no-such-bucket/m.json":         "there is no bucket no-such-bucket",
		url("m.json") + "?regoin=x":          "want a setting after the question mark",
		url("m.json") + "?profile=not-there": "the settings for S3 cannot be used",
	} {
		err := files.Check(t.Context(), path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// TestInterrupted ends reading and writing when the context does: at once, and with
// nothing left on the server.
func TestInterrupted(t *testing.T) {
	proxy := s3server.NewProxy(t, s3server.Start(t))
	s := datasets.Uniform(20, 200000, 1) // 32 MB, more than a part
	if err := s.Save(url("old.npy")); err != nil {
		t.Fatal(err)
	}
	stopped := errors.New("stopped")
	write := func(w io.Writer) error {
		if _, err := w.Write(make([]byte, 40<<20)); err != nil {
			return err
		}
		return stopped
	}
	for _, path := range []string{url("old.npy"), url("new.npy")} {
		if err := files.WriteFunc(t.Context(), path, write); !errors.Is(err, stopped) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if got := symmom.Load(url("old.npy")); got.Err() != nil || got.Fingerprint() != s.Fingerprint() {
		t.Errorf("the old object: %v", got)
	}
	if err := symmom.Load(url("new.npy")).Err(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the new object: %v", err)
	}
	for k := range 12 { // at other moments: before, between and within parts, and at the end
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Duration(k*k)*5*time.Millisecond, cancel)
		err := files.WriteFunc(ctx, url("interrupted.npy"), func(w io.Writer) error {
			for range 70 {
				if _, err := w.Write(make([]byte, 1<<20)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if k == 0 && err == nil {
			t.Error("nothing was interrupted")
		}
		cancel()
	}
	waitForUploads(t, 0)

	s3server.Use(t, proxy.Address)
	for _, load := range []func(symmom.LoadOptions) error{
		func(o symmom.LoadOptions) error { return symmom.Load(url("old.npy"), o).Err() },
		func(o symmom.LoadOptions) error { return symmom.Load(url("*.npy"), o).Err() },
		func(o symmom.LoadOptions) error { return symmom.Stream(url("old.npy"), o).Err() },
	} {
		proxy.Stalls.Store(true) // nothing comes any more
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- load(symmom.LoadOptions{Context: ctx}) }()
		time.Sleep(100 * time.Millisecond) // it waits by now, or sees at once that it is to end
		cancel()
		select {
		case err := <-done:
			if !errors.Is(err, symmom.ErrInterrupted) {
				t.Error(err)
			}
		case <-time.After(time.Minute): // on a busy machine; else milliseconds
			t.Error("it does not end")
		}
	}
}
