package repl

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestPanicsInGoroutinesOfPackages: a function or a method of a cell that a package calls in a
// goroutine of its own may panic: that is reported, and the session goes on.
func TestPanicsInGoroutinesOfPackages(t *testing.T) {
	const server = "s := httptest.NewServer(http.NotFoundHandler())\n"
	for name, c := range map[string]struct{ source, reports, shows string }{
		"DialContext": {`tr := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { panic("P") }}
_, err := (&http.Client{Transport: tr}).Get("http://a.example/")
err`, "the function in the field DialContext: P", "the function in the field DialContext: P"},
		"Dial, set later": {`tr := &http.Transport{}
tr.Dial = func(string, string) (net.Conn, error) { panic("P") }
_, err := (&http.Client{Transport: tr}).Get("http://a.example/")
err`, "the function in the field Dial: P", "the function in the field Dial: P"},
		"body of a request": {server + `_, err := http.Post(s.URL, "text/plain", R{})
err`, "a method Read: P", "a method Read: P"},
		"trace of a request": {server + `r, _ := http.NewRequestWithContext(httptrace.WithClientTrace(context.Background(), &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { panic("P") }}), "GET", s.URL, nil)
http.DefaultClient.Do(r)
time.Sleep(50*time.Millisecond)`, "the function in the field WroteRequest: P", ""},
		"RegisterOnShutdown": {`s := &http.Server{}
s.RegisterOnShutdown(func() { panic("P") })
s.Shutdown(context.Background())
time.Sleep(50*time.Millisecond)`, "a function that http.RegisterOnShutdown calls: P", ""},
		"Err of a context": {`c := C{context.Background(), make(chan struct{})}
context.WithCancel(c)
close(c.d)
time.Sleep(50*time.Millisecond)`, "a method Err: P", ""},
		"Benchmark":               {`testing.Benchmark(func(b *testing.B) { panic("P") }).N`, "a function that testing.Benchmark calls: P", ""},
		"Fatal of a benchmark":    {`testing.Benchmark(func(b *testing.B) { b.Fatal("P") }).N`, "", ""},
		"RunParallel":             {`testing.Benchmark(func(b *testing.B) { b.RunParallel(func(*testing.PB) { panic("P") }) }).N`, "a function that testing.RunParallel calls: P", ""},
		"writer of a profile":     {`pprof.StartCPUProfile(W{}); time.Sleep(50*time.Millisecond); pprof.StopCPUProfile()`, "a method Write: P", ""},
		"writer of a trace":       {`trace.Start(W{}); time.Sleep(50*time.Millisecond); trace.Stop()`, "a method Write: P", ""},
		"Go of an interface":      {"var wg sync.WaitGroup\nvar g interface{ Go(func()) } = &wg\ng.Go(func() { panic(\"P\") })\nwg.Wait()", "calls: P", ""},
		"Go of an embedded group": {"var g struct{ sync.WaitGroup }\ng.Go(func() { panic(\"P\") })\ng.Wait()", "calls: P", ""},
		"exit": {`s := &http.Server{}
s.RegisterOnShutdown(func() { os.Exit(3) })
s.Shutdown(context.Background())
time.Sleep(5*time.Second)`, "", "os.Exit(3)"},
		// In the goroutine of the cell a panic goes on through the package.
		"in the cell":           {`io.ReadAll(R{})`, "", "panic: P"},
		"recovered in the cell": {`func() (x any) { defer func() { x = recover() }(); io.ReadAll(R{}); return }()`, "", "P"},
		// The server of net/http recovers, and writes to the client that it has failed.
		"handler": {`s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("P") }))
s.Config.ErrorLog = log.New(io.Discard, "", 0)
_, err := http.Get(s.URL)
err`, "", "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t)
			s.must(t, `import ("context"; "io"; "log"; "net"; "net/http"; "net/http/httptest"; "net/http/httptrace"; "os"; "runtime/pprof"; "runtime/trace"; "sync"; "testing"; "time")
type R struct{}
func (R) Read([]byte) (int, error) { panic("P") }
type W struct{}
func (W) Write([]byte) (int, error) { panic("P") }
type C struct{ context.Context; d chan struct{} }
func (C) Err() error { panic("P") }
func (c C) Done() <-chan struct{} { return c.d }`)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			r, err := s.Eval(ctx, c.source)
			shows := r.String()
			if err != nil {
				shows = err.Error()
			}
			if !strings.Contains(shows, c.shows) || err != nil && c.shows == "" {
				t.Errorf("shows %q", shows)
			}
			if got := s.err.String(); !strings.Contains(got, c.reports) || c.reports == "" && strings.Contains(got, "P") {
				t.Errorf("reports %q", got)
			}
			if got := s.must(t, "1 + 1"); got != "2" {
				t.Error(got)
			}
		})
	}
}
