package live

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"mime"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"symmom/charts/internal/assets"
	"symmom/internal/estimate/modelfile"
	"symmom/internal/store/files"
	"symmom/widgets"
)

//go:embed page/live.tmpl
var pageText string

//go:embed page/live.css
var pageStyle string

//go:embed page/live.js
var pageScript string

//go:embed page/curve.js
var curveScript string

var page = template.Must(template.New("live").Funcs(template.FuncMap{"upper": func(ext string) string { return strings.ToUpper(ext[1:]) }}).Parse(pageText))

// routes are the requests of the page.
func (s *Server) routes() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /{$}", s.page)
	text(m, "/live.css", "text/css", assets.Style+pageStyle)
	text(m, "/live.js", "text/javascript", assets.Options+curveScript+pageScript)
	text(m, "/echarts.js", "text/javascript", assets.ECharts)
	m.HandleFunc("GET /events", s.events)
	m.HandleFunc("POST /choose", s.choose)
	m.HandleFunc("POST /stop", s.stop)
	m.HandleFunc("GET /report", s.report)
	m.HandleFunc("GET /export/{what}", s.export)
	return m
}

// text serves a file of the page.
func text(m *http.ServeMux, path, kind, content string) {
	m.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind+"; charset=utf-8")
		_, _ = io.WriteString(w, content) // an error is the browser's leaving
	})
}

// pageField is a field as the template has it.
type pageField struct {
	Field
	State widgets.State
	ID    string
	Step  string // of the number
	Top   string
}

func (s *Server) page(w http.ResponseWriter, _ *http.Request) {
	var fields []pageField
	for _, f := range s.o.Fields {
		p := pageField{Field: f, State: f.State(), ID: "control-" + f.Name()}
		if p.Step = fmt.Sprint(p.State.Step); p.State.Step == 0 {
			p.Step = "any"
		}
		if f.Top > 0 {
			p.Top = fmt.Sprint(f.Top)
		}
		fields = append(fields, p)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = page.Execute(w, map[string]any{"Title": s.o.Title, "Subtitle": s.o.Subtitle, "Footer": s.o.Footer, "Fields": fields, "Kind": s.o.Kind}) // as in text
}

// choose takes values of controls, all or none of them, and begins a run if they
// change or if it is asked for.
func (s *Server) choose(w http.ResponseWriter, r *http.Request) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		http.Error(w, "want application/json", http.StatusUnsupportedMediaType)
		return
	}
	var asked struct {
		Values map[string]json.RawMessage `json:"values"`
		Again  bool                       `json:"again"`
		Task   string                     `json:"task"`
	}
	body := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	err := body.Decode(&asked)
	if err == nil {
		if _, end := body.Token(); end != io.EOF {
			err = cmp.Or(end, errors.New("more follows it"))
		}
	}
	if err != nil {
		status, text := http.StatusBadRequest, "want a choice as JSON: "+err.Error()
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			status, text = http.StatusRequestEntityTooLarge, "a choice takes at most 1 MB"
		}
		http.Error(w, text, status)
		return
	}
	changed, wrong := s.lab.accept(asked.Values)
	if !s.o.Kind.Search || asked.Task != Sweep && asked.Task != Rank {
		asked.Task = ""
	}
	if len(wrong) == 0 && (changed || asked.Again || asked.Task != "") {
		s.lab.begin(asked.Task)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"errors": wrong}) // as in text
}

func (s *Server) stop(w http.ResponseWriter, _ *http.Request) {
	s.lab.stop()
	w.WriteHeader(http.StatusNoContent)
}

// events sends the progress to a page while it listens.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		refuse(w, http.StatusServiceUnavailable, "Too many pages listen to this server: close some of its tabs.")
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	to := http.NewResponseController(w)
	send := func(event string, v any) bool {
		data, err := json.Marshal(v)
		if err != nil {
			return false
		}
		_ = to.SetWriteDeadline(time.Now().Add(2 * heartbeat)) // in place of the server's for other answers
		if _, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, data); err != nil {
			return false
		}
		return to.Flush() == nil
	}
	run, stamp, have := -1, 0, 0
	for {
		v, points, changed := s.lab.since(run, stamp, have)
		stamp = v.stamp
		if run != v.Run {
			run, have = v.Run, 0
		}
		if have += len(points); !send("state", v) || len(points) > 0 && !send("curve", map[string]any{"run": run, "points": points}) {
			return
		}
		select {
		case <-changed:
			select { // what else happens soon goes together
			case <-time.After(frames):
			case <-s.ended:
			}
		case <-time.After(heartbeat):
		case <-r.Context().Done():
			return
		case <-s.ended:
			v, _, _ := s.lab.since(run, stamp, have)
			send("state", v)
			send("ended", struct{}{})
			return
		}
	}
}

// none answers that there is nothing to show yet.
func (s *Server) none(w http.ResponseWriter) *result {
	r := s.lab.result()
	if r == nil {
		refuse(w, http.StatusNotFound, "Nothing was found yet.")
	}
	return r
}

// report shows the page of the result within this one, under a policy of its own.
func (s *Server) report(w http.ResponseWriter, _ *http.Request) {
	if r := s.none(w); r != nil {
		w.Header().Set("Content-Security-Policy", "frame-ancestors 'self'") // and the policy in the page
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, r.page()) // as in text
	}
}

// export sends the report or the model as a file.
func (s *Server) export(w http.ResponseWriter, req *http.Request) {
	what := req.PathValue("what")
	ext := filepath.Ext(what)
	if what != "report.html" && (what != "model"+ext || !slices.Contains(s.o.Kind.Models, ext)) {
		refuse(w, http.StatusNotFound, "There is no such file: want report.html, or model with "+strings.Join(s.o.Kind.Models, ", ")+".")
		return
	}
	r := s.none(w)
	if r == nil {
		return
	}
	if what == "report.html" {
		attach(w, r.file(ext), "text/html; charset=utf-8", []byte(r.page()))
		return
	}
	data, err := files.InMemory(ext, r.found.Save)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "The model could not be written: "+err.Error())
		return
	}
	attach(w, r.file(ext), modelfile.MediaType(ext), data)
}

// attach sends a file to be saved.
func attach(w http.ResponseWriter, name, kind string, data []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name)) // of letters, digits, - and .
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // as in text
}
