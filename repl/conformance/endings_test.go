package conformance

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"symmom/internal/test/slow"
	"symmom/lab"
	"symmom/repl"
	"symmom/repl/internal/gofront"
	"symmom/repl/symbols"
)

var (
	endingsOf    = flag.String("endings", "", "what TestEndings tries, a regular expression for names such as net/http.HandleFunc; all if empty")
	endingsShare = flag.Int("endings-share", 40, "TestEndings tries every n-th; 1 tries all, which takes a quarter of an hour")
)

// endingsEnv is set in a process that runs attempts.
const endingsEnv = "SYMMOM_CONFORMANCE_ENDINGS"

// attempt is a cell that hands a hostile value to compiled code.
type attempt struct {
	Name   string // package.function, place of the value, its method, and what that does
	Import string // of what the cell needs beside the prelude
	Decls  string
	Body   string
}

// ending is the outcome of an attempt.
type ending struct {
	Hits    int    // calls of the hostile function
	Refused string // why the cell does not compile
	Lost    string // why the session does not go on
	Death   string // the last message of the process
}

// TestEndings hands functions, and values of own types in interfaces, to every exported
// function, method and field of the packages that sessions can import, found by go/types.
// What is handed over panics, calls runtime.Goexit, os.Exit or log.Fatal, or blocks. No
// session may end by that, except for what testdata/endings-deaths.txt lists.
func TestEndings(t *testing.T) {
	slow.Test(t)
	only, err := regexp.Compile(*endingsOf)
	if err != nil {
		t.Fatal(err)
	}
	known := readList(t, "endings-deaths.txt", true)
	all := endingAttempts(t)
	var list []attempt
	for _, a := range all {
		if only.MatchString(a.Name) {
			list = append(list, a)
		}
	}
	if *endingsOf == "" {
		var some []attempt
		for i := 0; i < len(list); i += *endingsShare {
			some = append(some, list[i])
		}
		list = some
	}
	t.Logf("%d attempts", len(all))
	places := map[string]bool{}
	for _, a := range list {
		place, _, _ := strings.Cut(a.Name, " ")
		places[place] = true
	}
	var mu sync.Mutex
	tried, called, refused, deaths := 0, 0, 0, 0
	reasons := map[string]int{}
	seen := map[string]bool{}
	batches := make(chan []attempt)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for batch := range batches {
				for name, e := range endings(t, batch) {
					mu.Lock()
					tried++
					place, _, _ := strings.Cut(name, " ")
					switch {
					case e.Death != "" || e.Lost != "":
						deaths++
						seen[place] = true
						if known[place] == "" {
							t.Errorf("%s\n%s%s", name, e.Lost, e.Death)
						}
					case e.Refused != "":
						refused++
						reasons[e.Refused]++
					case e.Hits > 0:
						called++
					}
					mu.Unlock()
				}
			}
		})
	}
	for batch := range slices.Chunk(list, 60) {
		batches <- batch
	}
	close(batches)
	wg.Wait()
	for place, why := range known {
		if *endingsOf == "" && *endingsShare == 1 && !seen[place] {
			t.Errorf("%s does not end the process any more (%s): take it out of the list", place, why)
		}
	}
	t.Logf("%d attempts at %d functions, methods and fields: %d called what they were given, %d were refused, %d ended the process (%d places listed)",
		tried, len(places), called, refused, deaths, len(known))
	for _, why := range slices.SortedFunc(maps.Keys(reasons), func(a, b string) int { return cmp.Compare(reasons[b], reasons[a]) })[:min(12, len(reasons))] {
		t.Logf("refused %d: %s", reasons[why], shortened(why))
	}
}

// endings runs attempts in a process, and in a new one after one that has killed it.
func endings(t *testing.T, list []attempt) map[string]ending {
	out := map[string]ending{}
	for len(list) > 0 {
		done, death := runAttempts(t, list, false)
		maps.Copy(out, done)
		if death == "" {
			return out
		}
		// The last one that began has killed it, or one before in a goroutine.
		n := min(len(done), len(list)-1)
		culprit := -1
		for i := n; i >= max(0, n-8) && culprit < 0; i-- {
			if _, alone := runAttempts(t, list[i:i+1], true); alone != "" {
				culprit, death = i, alone
			}
		}
		if culprit < 0 {
			culprit, death = n, "not alone, but after others: "+death
		}
		out[list[culprit].Name] = ending{Death: death}
		list = list[n+1:]
	}
	return out
}

// runAttempts runs attempts in one process. death is its last message if it has died.
func runAttempts(t *testing.T, list []attempt, patient bool) (done map[string]ending, death string) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(30+5*len(list))*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%t", endingsEnv, patient))
	cmd.WaitDelay = noticed
	var in, errs bytes.Buffer
	for _, a := range list {
		if err := json.NewEncoder(&in).Encode(a); err != nil {
			t.Error(err)
		}
	}
	out := &limited{limit: maxOutput, full: cancel}
	r, w, err := os.Pipe()
	if err != nil {
		t.Error(err)
		return nil, "no pipe"
	}
	defer r.Close()
	cmd.ExtraFiles = []*os.File{w}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, out, &errs
	done = map[string]ending{}
	err = cmd.Start()
	w.Close()
	if err != nil {
		t.Error(err)
		return nil, "no process"
	}
	for d := json.NewDecoder(r); ; {
		var e struct {
			Name string
			ending
		}
		if d.Decode(&e) != nil {
			break
		}
		done[e.Name] = e.ending
	}
	err = cmd.Wait()
	if err == nil && len(done) == len(list) {
		return done, ""
	}
	return done, fmt.Sprintf("%v: %s", err, lastOf(errs.String()))
}

// lastOf returns the end of a process in its own words.
func lastOf(errs string) string {
	for _, mark := range []string{"\nfatal error: ", "\npanic: ", "fatal error: ", "panic: "} {
		if i := strings.Index(errs, mark); i >= 0 {
			return strings.TrimSpace(errs[i:min(len(errs), i+1500)])
		}
	}
	return strings.TrimSpace(errs[max(0, len(errs)-1500):])
}

// runEndings is the process of the attempts.
func runEndings() int {
	if err := setLimits(3000); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	report, err := openReport()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	settle := 3 * time.Millisecond
	if os.Getenv(endingsEnv) == "true" {
		settle = time.Second
	}
	var s *repl.Session
	for in := json.NewDecoder(bufio.NewReader(os.Stdin)); in.More(); {
		var a attempt
		if err := in.Decode(&a); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 99
		}
		if s == nil {
			s, err = repl.New(repl.Config{Library: lab.Library(), Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard})
			if err == nil {
				_, err = s.Eval(context.Background(), endingsPrelude)
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 99
			}
		}
		e := tryEnding(s, a)
		time.Sleep(settle)
		if e.Lost != "" {
			s = nil
		}
		if err := json.NewEncoder(report).Encode(struct {
			Name string
			ending
		}{a.Name, e}); err != nil {
			return 99
		}
	}
	time.Sleep(300 * time.Millisecond)
	return 0
}

func tryEnding(s *repl.Session, a attempt) (e ending) {
	eval := func(source string) (string, error) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		r, err := s.Eval(ctx, source)
		return r.String(), err
	}
	_, err := eval(a.Import + a.Decls + "hits = 0\n" + a.Body)
	var failed *repl.Error
	if errors.As(err, &failed) && (failed.Kind == "syntax" || failed.Kind == "compile" || failed.Kind == "import") {
		e.Refused = failed.Message
		return e
	}
	got, err := eval("hits")
	for exit := new(repl.ExitError); errors.As(err, &exit); { // of a goroutine of the attempt
		got, err = eval("hits")
	}
	if err != nil {
		e.Lost = fmt.Sprintf("the session does not go on: %v", err)
		return e
	}
	_, _ = fmt.Sscan(got, &e.Hits)
	return e
}

// importable returns the paths of the packages of the standard library and of this module
// that sessions can import.
func importable(t *testing.T) []string {
	var out []string
	for _, types := range [][]byte{symbols.Types, lab.Library().Types} {
		archive, err := zip.NewReader(bytes.NewReader(types), int64(len(types)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.File {
			if gofront.Guarded[f.Name] == "" {
				out = append(out, f.Name)
			}
		}
	}
	return out
}
