package repl

import (
	"context"
	"slices"
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
		"Benchmark":            {`testing.Benchmark(func(b *testing.B) { panic("P") }).N`, "a function that testing.Benchmark calls: P", ""},
		"Fatal of a benchmark": {`testing.Benchmark(func(b *testing.B) { b.Fatal("P") }).N`, "", ""},
		"RunParallel":          {`testing.Benchmark(func(b *testing.B) { b.RunParallel(func(*testing.PB) { panic("P") }) }).N`, "a function that testing.RunParallel calls: P", ""},
		"writer of a profile":  {`pprof.StartCPUProfile(W{}); time.Sleep(50*time.Millisecond); pprof.StopCPUProfile()`, "a method Write: P", ""},
		"writer of a trace for a page": {`r, _ := http.NewRequest("GET", "http://a.example/?seconds=.1", nil)
httppprof.Trace(P{httptest.NewRecorder()}, r)`, "a method Write: P", ""},
		"writer of a trace":       {`trace.Start(W{}); time.Sleep(50*time.Millisecond); trace.Stop()`, "a method Write: P", ""},
		"Go of an interface":      {"var wg sync.WaitGroup\nvar g interface{ Go(func()) } = &wg\ng.Go(func() { panic(\"P\") })\nwg.Wait()", "calls: P", ""},
		"Go of an embedded group": {"var g struct{ sync.WaitGroup }\ng.Go(func() { panic(\"P\") })\ng.Wait()", "calls: P", ""},
		// Functions that reach the package other than as an argument or in a field.
		"a method value": {`s := &http.Server{}
on := []func(func()){s.RegisterOnShutdown}
for _, f := range []func(){
	func() { panic("P") },
	func() { panic(http.ErrAbortHandler) },
	func() { defer func() { recover(); panic("Q") }(); panic("R") },
	func() { defer func() { recover() }(); panic("R") },
	func() { var p *int; *p = 1 },
	func() { x, i := []int{}, 3; x[i] = 1 },
	func() { i := 0; _ = 1 / i },
	func() { var m map[string]int; m["a"] = 1 },
	func() { var x any = 3; _ = x.(string) },
} {
	on[0](f)
}
s.Shutdown(context.Background())
time.Sleep(50*time.Millisecond)`, `panic in a function of a cell, in a goroutine of a package: P
panic in a function of a cell, in a goroutine of a package: Q
panic in a function of a cell, in a goroutine of a package: interface conversion: interface {} is int, not string
panic in a function of a cell, in a goroutine of a package: net/http: abort Handler
panic in a function that begins at cell 2, line 10, in a goroutine of a package: runtime error: integer divide by zero
panic in a function that begins at cell 2, line 11, in a goroutine of a package: assignment to entry in nil map
panic in a function that begins at cell 2, line 8, in a goroutine of a package: runtime error: invalid memory address or nil pointer dereference
panic in a function that begins at cell 2, line 9, in a goroutine of a package: runtime error: index out of range
`, ""},
		"exit of a method value": {`s := &http.Server{}
on := []func(func()){s.RegisterOnShutdown}
on[0](func() { os.Exit(3) })
s.Shutdown(context.Background())
time.Sleep(5*time.Second)`, "", "os.Exit(3)"},
		"a benchmark within one": {`testing.Benchmark(func(b *testing.B) { b.Run("x", func(b *testing.B) { panic("P") }) }).N > 0`, "a function that testing.Run calls: P", "true"},
		"exit": {`s := &http.Server{}
s.RegisterOnShutdown(func() { os.Exit(3) })
s.Shutdown(context.Background())
time.Sleep(5*time.Second)`, "", "os.Exit(3)"},
		"of this module": {`l := widgets.NewLatest(func() { panic("P") })
l.Ask()
l.Wait()`, "panic in a function of a cell, in a goroutine of package symmom/widgets: P", ""},
		// The outermost function that a package calls ends.
		"through a package": {`s := &http.Server{}
s.RegisterOnShutdown(func() { io.ReadAll(R{}); fmt.Fprintln(os.Stderr, "went on") })
s.Shutdown(context.Background())
time.Sleep(50*time.Millisecond)`, "panic in a function that http.RegisterOnShutdown calls: P\n", ""},
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
			s.must(t, `import ("context"; "io"; "log"; "net"; "net/http"; "net/http/httptest"; "net/http/httptrace"; httppprof "net/http/pprof"; "os"; "runtime/pprof"; "runtime/trace"; "sync"; "testing"; "time")
type R struct{}
func (R) Read([]byte) (int, error) { panic("P") }
type W struct{}
func (W) Write([]byte) (int, error) { panic("P") }
type P struct{ http.ResponseWriter }
func (P) Write([]byte) (int, error) { panic("P") }
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
			lines := strings.SplitAfter(s.err.String(), "\n")
			slices.Sort(lines) // goroutines report in any order
			if got := strings.Join(lines, ""); !strings.Contains(got, c.reports) || strings.Contains(got, "went on") || c.reports == "" && strings.Contains(got, "P") {
				t.Errorf("reports %q", got)
			}
			if got := s.must(t, "1 + 1"); got != "2" {
				t.Error(got)
			}
		})
	}
}
