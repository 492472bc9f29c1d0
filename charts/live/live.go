// Package live serves an interactive report on a fit, or on topics, to the browser of one user.
//
//	ln, err := live.Listen("", 0)
//	s := live.New(ctx, ln, live.Options{Title: "data.npy", Kind: live.Fits, Fields: fields, Prepare: prepare})
//	fmt.Println(s.Address())
//	err = s.Serve()
//
// Controls are those of package widgets. Changing one stops what runs and starts another run;
// closing the page does not stop it. Type Desk makes the controls and jobs of fits, TopicsDesk
// those of topics; the rest of the package knows neither. Progress reaches the page as
// server-sent events: the state, and the new points of the curve.
//
// Type guard documents the protection of the page: the address holds a token, and the
// server listens on the loopback interface only.
package live

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"symmom/charts"
)

// Options configure a page.
type Options struct {
	Title    string // of the page
	Subtitle string // one line below
	Footer   string
	Kind     Kind
	Fields   []Field // the controls, in their order
	Prepare  Prepare
}

// Server serves the page and runs its jobs.
type Server struct {
	o       Options
	ctx     context.Context
	ln      net.Listener
	guard   *guard
	lab     *lab
	http    *http.Server
	ended   chan struct{} // closed to notify the pages of the end
	streams chan struct{} // holds an element for each connected page
}

// Limits of the server.
const (
	maxBody    = 1 << 20 // bytes of a choice: names of 5,000 columns
	maxHeader  = 64 << 10
	maxStreams = 64 // pages that listen at a time
	frames     = 100 * time.Millisecond
	heartbeat  = 15 * time.Second
)

// New makes a server on a listener of Listen. Jobs end with the context.
func New(ctx context.Context, ln net.Listener, o Options) *Server {
	s := &Server{o: o, ctx: ctx, ln: ln, lab: newLab(ctx, o),
		ended: make(chan struct{}), streams: make(chan struct{}, maxStreams)}
	s.guard = newGuard(ln.Addr(), newToken(), s.routes())
	s.http = &http.Server{Handler: s.guard, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second,
		WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: maxHeader}
	return s
}

// Address is the address of the page, which whoever knows may use it.
func (s *Server) Address() string { return s.guard.address() }

// Serve begins the first job, and serves the page until the context ends. It returns
// when the job that ran then has ended, too.
func (s *Server) Serve() error {
	failed := make(chan error, 1)
	go func() { failed <- s.http.Serve(s.ln) }()
	s.lab.begin("")
	var err error
	select {
	case err = <-failed:
	case <-s.ctx.Done():
	}
	before := s.lab.result()
	s.lab.close()
	if r := s.lab.result(); r != before && len(s.streams) > 0 {
		r.page() // of what was cut short: the pages ask for it now
		time.Sleep(3 * frames)
	}
	close(s.ended)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close() // connections of browsers that keep them
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Line describes what Result returns in a line.
func (s *Server) Line() string {
	if r := s.lab.result(); r != nil {
		return r.line()
	}
	return ""
}

// Report returns the report on what Result returns, or nil.
func (s *Server) Report() *charts.Report {
	if r := s.lab.result(); r != nil {
		return r.report()
	}
	return nil
}

// Cut reports whether the end of the server has cut a job short, and whether that one is
// what Result returns: it had found something.
func (s *Server) Cut() (cut, kept bool) {
	s.lab.mu.Lock()
	defer s.lab.mu.Unlock()
	return s.lab.cut, s.lab.cutKept
}

// Result returns what the page shows and its job, or nil before there is one.
func (s *Server) Result() (Found, Job) {
	if r := s.lab.result(); r != nil {
		return r.found, r.job
	}
	return nil, nil
}
