package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Secrets in a URL are in no output of a command, whichever argument
// it is and whether the command succeeds or not.
func TestSecretsOfURLs(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 4))
	table := func(p, n int) string {
		var b strings.Builder
		for range p {
			for j := range n {
				fmt.Fprintf(&b, "%s%.3f", []string{",", ""}[min(1, 1/(j+1))], rng.ExpFloat64())
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	tables := map[string]string{"/x.csv": table(60, 3), "/m.csv": table(3, 2), "/list.txt": "x.csv\n"}
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "u" || password != "sEc r3t" || r.URL.Query().Get("sig") != "SECRETQ" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		asked++
		fmt.Fprint(w, tables[r.URL.Path])
	}))
	defer s.Close()
	far := func(name string) string {
		return strings.Replace(s.URL, "http://", "http://u:sEc%20r3t@", 1) + "/" + name + "?sig=SECRETQ"
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	near := at("near.csv")
	if err := os.WriteFile(near, []byte(tables["/x.csv"]), 0o600); err != nil {
		t.Fatal(err)
	}
	args := os.Args
	defer func() { os.Args = args }()
	for _, c := range []struct {
		code int
		line string
	}{
		{0, "info X"},
		{0, "info @L"},
		{0, "decompose X -d 3 -r 2 --truth M --html " + at("a.html") + " --save " + at("a.json")},
		{0, "decompose X -d 3 -r 2 --truth=M --html=" + at("b.html")},
		{0, "report X -d 3 --ranks 1-2 --truth M --html " + at("c.html")},
		{0, "sweep X -d 3 --ranks 1-2 --html " + at("d.html")},
		{0, "rank X -d 3 --html " + at("e.html")},
		{2, "info X near"},
		{2, "info near X M"},
		{-1, "convert near O.csv"},
		{-1, "convert near O.docx"},
		{-1, "decompose near -d 3 -r 2 --save O.json"},
		{-1, "decompose near -d 3 -r 2 --save O.csv"},
		{-1, "decompose near -d 3 -r 2 --html O.txt"},
		{-1, "decompose near -d 3 -r 2 --html=O.html"},
		{-1, "decompose near -d X -r 2"},
		{-1, "mixture near -k 1 --predict O.txt"},
		{-1, "mixture near -k 1 --predict O.npy"},
		{-1, "generate --out O.csv -n 3 -r 2 -p 50"},
		{-1, "generate X"},
		{-1, "decompose near -d 3 -r 2 --spark sc://host:1/;token=SECRETQ;x=y --labels a"},
	} {
		fields := strings.Fields(c.line)
		for i, field := range fields {
			flag, value, given := strings.Cut(field, "=")
			if !given || strings.HasPrefix(field, "sc:") {
				flag, value = "", field
			} else {
				flag += "="
			}
			switch value {
			case "X":
				value = far("x.csv")
			case "M":
				value = far("m.csv")
			case "@L":
				value = "@" + far("list.txt")
			case "near":
				value = near
			}
			if ext, ok := strings.CutPrefix(value, "O."); ok {
				value = far("o." + ext)
			}
			fields[i] = flag + value
		}
		os.Args = append([]string{"symmom"}, fields...)
		var out, stderr bytes.Buffer
		code := run(fields, &out, &stderr)
		if code != c.code && (c.code >= 0 || code == 0) {
			t.Errorf("%s: exit status %d: %s", c.line, code, &stderr)
		}
		for _, text := range []string{out.String(), stderr.String()} {
			if strings.Contains(text, "SECRETQ") || strings.Contains(text, "r3t") {
				t.Errorf("%s: says %s", c.line, text)
			}
		}
	}
	if asked < 12 {
		t.Errorf("%d requests with what is secret", asked)
	}
	written, err := filepath.Glob(at("*"))
	if err != nil || len(written) < 7 {
		t.Errorf("%v are written: %v", written, err)
	}
	for _, path := range written {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte("SECRETQ")) || bytes.Contains(data, []byte("r3t")) {
			t.Errorf("%s holds what is secret", path)
		}
	}
}
