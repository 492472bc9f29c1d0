package live

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"symmom/datasets"
	"symmom/symmom"
	"symmom/widgets"
)

// patience is how long a test waits on a busy machine for what must come.
const patience = 5 * time.Minute

// open serves a page on the digits.
func open(t *testing.T) (s *Server, rank *widgets.Control, end func() error) {
	t.Helper()
	rank = widgets.Slider("rank", 1, 100_000, 1)
	columns := widgets.Text("columns", func(text string) error {
		if text == "wrong" {
			return errors.New("want names")
		}
		return nil
	})
	starts := widgets.Slider("starts", 1, 50, 1).At(4)
	forever := widgets.Check("forever", false)
	s, end = serve(t, Options{Title: "</title><script>alert(1)</script>", Kind: Fits, Fields: []Field{{Control: rank, Label: "Rank"}, {Control: columns, Label: "Columns"}, {Control: starts, Label: "Starts"}, {Control: forever, Label: "Forever"}},
		Prepare: func(ctx context.Context, tell func(symmom.Progress)) (Job, error) {
			o := symmom.Options{Starts: starts.Value().(int), Progress: tell}
			digits := datasets.Digits()
			if columns.Value() == "none" {
				return nil, &ChoiceError{"columns", errors.New("there are none")}
			}
			m := digits.WithContext(ctx).Moment(3)
			if forever.Value().(bool) {
				o.Tolerance, o.RelativeDecrease, o.MaxIterations, o.MaxEvaluations, o.Solver = -1, -1, 1e9, 1e9, symmom.SolverLBFGS
				m = m.Implicit()
			}
			r := rank.Value().(int)
			return &FitJob{Name: fmt.Sprintf("order 3, rank %d", r), Moment: m.With(o), Rank: r, Shown: digits, Summary: digits.Summary(), InMemory: true,
				Choice: "order 3", Ranks: []int{1, 2}, Suggest: func() *symmom.Moment { return m.With(o) }, Commands: map[string]string{Sweep: "symmom sweep"}}, nil
		}})
	return s, rank, end
}

// serve serves a page until its end.
func serve(t *testing.T, o Options) (s *Server, end func() error) {
	t.Helper()
	ln, err := Listen("localhost", 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s = New(ctx, ln, o)
	served := make(chan error, 1)
	go func() { served <- s.Serve() }()
	var once sync.Once
	end = func() (err error) {
		once.Do(func() { cancel(); err = <-served })
		return err
	}
	t.Cleanup(func() { _ = end() })
	return s, end
}

// ask makes a request with the cookie of the page, and with header: name, value, ...
func ask(t *testing.T, s *Server, method, path, body string, header ...string) (status int, text string) {
	t.Helper()
	r, err := http.NewRequest(method, "http://"+s.ln.Addr().String()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: s.guard.cookie, Value: s.guard.token})
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, Timeout: patience}
	a, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	all, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, string(all)
}

// events returns the events that the page receives until it holds.
func events(t *testing.T, s *Server, holds func(view) bool) (last view, points [][3]float64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, _ := http.NewRequestWithContext(ctx, "GET", "http://"+s.ln.Addr().String()+"/events", nil)
	r.AddCookie(&http.Cookie{Name: s.guard.cookie, Value: s.guard.token})
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	lines := bufio.NewScanner(a.Body)
	lines.Buffer(nil, 1<<24)
	event := ""
	for lines.Scan() {
		data, is := strings.CutPrefix(lines.Text(), "data: ")
		switch name, named := strings.CutPrefix(lines.Text(), "event: "); {
		case named:
			event = name
		case is && event == "state":
			run, whole := last.Run, last.Lines
			last = view{}
			if err := json.Unmarshal([]byte(data), &last); err != nil {
				t.Fatal(err)
			}
			if last.Run != run {
				points, whole = nil, nil
			}
			for _, l := range last.Lines { // those that have changed
				if l.At >= len(whole) {
					whole = append(whole, l)
				}
				whole[l.At] = l
			}
			last.Lines = whole
			if holds(last) && len(points) == last.Points { // no more of them follow
				return last, points
			}
		case is && event == "curve":
			var c struct {
				Run    int
				Points [][3]float64
			}
			if err := json.Unmarshal([]byte(data), &c); err != nil {
				t.Fatal(err)
			}
			points = append(points, c.Points...)
			if holds(last) && len(points) == last.Points {
				return last, points
			}
		}
	}
	t.Fatalf("the events ended: %v; the last state was %+v", lines.Err(), last)
	return last, points
}

// choose sends values, and returns the errors at the controls.
func choose(t *testing.T, s *Server, values string) map[string]string {
	t.Helper()
	status, text := ask(t, s, "POST", "/choose", `{"values":`+values+`}`)
	var a struct{ Errors map[string]string }
	if err := json.Unmarshal([]byte(text), &a); err != nil || status != 200 {
		t.Fatalf("%s: %d %s", values, status, text)
	}
	return a.Errors
}

func TestGuard(t *testing.T) {
	s, _, _ := open(t)
	host := s.ln.Addr().String()
	_, number, _ := strings.Cut(host, ":")
	own := "http://" + host
	wrong := strings.Repeat("0", 64)
	for _, c := range []struct {
		what, method, path string
		header             []string
		want               int
	}{
		{"the page", "GET", "/", nil, 200},
		{"by the other name", "GET", "/", []string{"Host", "localhost:" + number}, 200},
		{"of a person", "GET", "/export/report.html", []string{"Sec-Fetch-Site", "none"}, 404},
		{"of the page", "GET", "/export/model.json", []string{"Sec-Fetch-Site", "same-origin"}, 404},
		{"of the page", "POST", "/stop", []string{"Sec-Fetch-Site", "same-origin", "Origin", own}, 204},
		{"of an old browser", "POST", "/stop", []string{"Origin", own}, 204},
		{"without the token", "GET", "/", []string{"Cookie", ""}, 403},
		{"without the token", "GET", "/events", []string{"Cookie", ""}, 403},
		{"a wrong token", "GET", "/", []string{"Cookie", s.guard.cookie + "=" + wrong}, 403},
		{"a wrong token in the address", "GET", "/?token=" + wrong, []string{"Cookie", ""}, 403},
		{"the token in another address", "GET", "/report?token=" + s.guard.token, []string{"Cookie", ""}, 403},
		{"a name that is resolved to this machine", "GET", "/", []string{"Host", "evil.example:" + number}, 403},
		{"the same with the token", "GET", "/?token=" + s.guard.token, []string{"Host", "evil.example:" + number}, 403},
		{"without a port", "GET", "/", []string{"Host", "127.0.0.1"}, 403},
		{"another site", "GET", "/events", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"another port", "GET", "/report", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"another port", "POST", "/stop", []string{"Sec-Fetch-Site", "same-site", "Origin", "http://127.0.0.1:1"}, 403},
		{"another port, old browser", "POST", "/stop", []string{"Origin", "http://127.0.0.1:1"}, 403},
		{"a sandbox", "POST", "/stop", []string{"Origin", "null"}, 403},
		{"an address that changes things", "POST", "/stop", []string{"Sec-Fetch-Site", "none"}, 403},
		{"by GET", "GET", "/stop", nil, 405},
		{"nothing of that name", "GET", "/etc/passwd", nil, 404},
	} {
		// the reasons of refusals say what to do
		if got, text := ask(t, s, c.method, c.path, "", c.header...); got != c.want && !(c.want == 404 && got == 200) || got == 403 && !strings.Contains(text, "symmom") && !strings.Contains(text, "answers to no other name") {
			t.Errorf("%s, %s %s %q: %d, want %d: %s", c.what, c.method, c.path, c.header, got, c.want, text)
		}
	}
}

func TestFirstVisit(t *testing.T) {
	s, _, _ := open(t)
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, c := range []struct {
		site, header string
		status       int
	}{{"none", "Location: /", 303}, {"cross-site", "Refresh: 0; url=/", 200}} {
		r, _ := http.NewRequest("GET", s.Address(), nil)
		r.Header.Set("Sec-Fetch-Site", c.site)
		a, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		name, want, _ := strings.Cut(c.header, ": ")
		cookies := a.Cookies()
		if a.StatusCode != c.status || a.Header.Get(name) != want || len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode || len(cookies[0].Value) != 64 {
			t.Errorf("from %s: %d %v", c.site, a.StatusCode, a.Header)
		}
	}
	if a, b := newToken(), newToken(); a == b || len(a) != 64 {
		t.Errorf("tokens %s and %s", a, b)
	}
}

func TestHeaders(t *testing.T) {
	s, _, _ := open(t)
	r, _ := http.NewRequest("GET", "http://"+s.ln.Addr().String()+"/", nil)
	r.AddCookie(&http.Cookie{Name: s.guard.cookie, Value: s.guard.token})
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	page, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(page, []byte("<script>alert")) || !bytes.Contains(page, []byte("&lt;script&gt;alert(1)")) || bytes.Contains(page, []byte(s.guard.token)) {
		t.Error("the title is not text, or the token is in the page")
	}
	for _, want := range []string{"default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"} {
		if !strings.Contains(a.Header.Get("Content-Security-Policy"), want) {
			t.Errorf("the policy lacks %s", want)
		}
	}
	if a.Header.Get("Access-Control-Allow-Origin") != "" || a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Referrer-Policy") != "no-referrer" || a.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers %v", a.Header)
	}
}

func TestOnlyThisMachine(t *testing.T) {
	for _, host := range []string{"0.0.0.0", "::", "192.168.0.7", "example.com", "127.0.0.2"} {
		var elsewhere HostError
		if ln, err := Listen(host, 0); !errors.As(err, &elsewhere) || !strings.Contains(err.Error(), "ssh -L") {
			t.Errorf("%s: %v, %v", host, ln, err)
		}
	}
	for _, host := range []string{"", "localhost", "127.0.0.1"} {
		ln, err := Listen(host, 0)
		if err != nil {
			t.Fatal(err)
		}
		if at := ln.Addr().String(); !strings.HasPrefix(at, "127.0.0.1:") {
			t.Errorf("%q listens at %s", host, at)
		}
		ln.Close()
	}
}

func TestBadChoices(t *testing.T) {
	s, rank, _ := open(t)
	for body, want := range map[string]int{"": 400, "[]": 400, `{"values":[1]}`: 400, `{"again":true} more`: 400, `{"again":true}{}`: 400, `{}` + strings.Repeat(" ", maxBody): 413, `{"values":{"columns":"` + strings.Repeat("x", maxBody) + `"}}`: 413} {
		if status, text := ask(t, s, "POST", "/choose", body); status != want {
			t.Errorf("%.20s: %d %s", body, status, text)
		}
	}
	if status, _ := ask(t, s, "POST", "/choose", "{}", "Content-Type", "text/plain"); status != 415 {
		t.Errorf("plain text: %d", status)
	}
	before := rank.Value()
	for values, at := range map[string]string{`{"rank":0}`: "rank", `{"rank":"5"}`: "rank", `{"rank":null}`: "rank", `{"rank":7,"columns":"wrong"}`: "columns", `{"rank":7,"nothing":1}`: "", `{"rank":7,"starts":1e300}`: "starts"} {
		if wrong := choose(t, s, values); len(wrong) != 1 || wrong[at] == "" {
			t.Errorf("%s: %q, want an error at %q", values, wrong, at)
		}
		if rank.Value() != before {
			t.Fatalf("%s changes the rank to %v", values, rank.Value())
		}
	}
}
