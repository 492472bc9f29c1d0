package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/charts/live"
	"symmom/datasets"
	"symmom/symmom"
)

// The command that the page prints has no flag that the form chosen there does not heed,
// with which it would be refused.
func TestServeAgainInForms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data.npy")
	if err := symmom.SaveMatrix(path, datasets.Uniform(4, 60, 1).Matrix()); err != nil {
		t.Fatal(err)
	}
	v, cmd := &serveCommand{}, &cobra.Command{Use: "serve"}
	v.defineMoment(cmd, func(*pflag.FlagSet) {})
	v.defineSearch(cmd)
	if err := cmd.ParseFlags([]string{"--form", "compressed", "--basis", "3", "--tol", ".1", "--ftol", ".01"}); err != nil {
		t.Fatal(err)
	}
	for _, form := range forms {
		command := v.again(cmd, path, live.Choice{Order: 3, Rank: 1, Form: form, Seed: symmom.DefaultSeed})
		for flag, want := range map[string]bool{"--basis": form == "compressed", "--tol": form != "sampled", "--ftol": form != "sampled"} {
			if strings.Contains(command, flag+" ") != want {
				t.Errorf("%s: %s is there: %v, want %v", command, flag, !want, want)
			}
		}
		var out, stderr bytes.Buffer
		if code := run(strings.Fields(command)[1:], &out, &stderr); code != 0 {
			t.Errorf("%s: %s", command, &stderr)
		}
	}
}

// What is chosen as center, standardize and whiten is in the command, in place of the
// flags that the page began with, and the command makes the page's fit.
func TestServeShapes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data.npy")
	if err := symmom.SaveMatrix(path, datasets.Uniform(4, 60, 1).Matrix()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flags, choice []string // of the controls, name and value
		want          string
	}{
		{nil, []string{"center", "center"}, " --center"},
		{[]string{"--center"}, []string{"center", "standardize", "columns", "1-3"}, " --standardize --columns"},
		{[]string{"--standardize", "--whiten", "2"}, []string{"center", live.AsRead, "whiten", "0"}, " --rank 1"},
		{nil, []string{"whiten", "3"}, " --whiten 3"},
		{[]string{"--whiten", "3"}, nil, " --whiten 3"},
		{[]string{"--stream", "--center"}, nil, " --center --stream"},
	} {
		choice := map[string]string{}
		for i := 0; i < len(c.choice); i += 2 {
			choice[c.choice[i]] = c.choice[i+1]
		}
		job := prepared(t, path, c.flags, choice)
		page := job.Moment.Decompose(job.Rank)
		if again := again(t, job); page.Err() != nil || again.Relative != page.RelativeError || !strings.Contains(job.Command, c.want) || strings.Count(job.Command, "--") != 2+strings.Count(strings.Replace(c.want, " --rank 1", "", 1), "--") {
			t.Errorf("%v %v: a relative error of %g on the page, %g by %s, which wants%s (%v)", c.flags, choice, page.RelativeError, again.Relative, job.Command, c.want, page.Err())
		}
	}
}

// The commands of a sweep and of a suggestion make the page's, and there is none where the
// command has not what the page began with.
func TestServeAgainForRanks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data.npy")
	if err := symmom.SaveMatrix(path, datasets.Uniform(4, 60, 1).Matrix()); err != nil {
		t.Fatal(err)
	}
	job := prepared(t, path, []string{"--starts", "3", "--max-evals", "50"}, map[string]string{"ranks": "1,3", "center": "standardize"})
	if command := job.Commands[live.Rank]; command != "" {
		t.Errorf("with --max-evals: %s", command)
	}
	sweep := job.Moment.SweepRanks(job.Ranks...)
	var again struct{ Results []fitted }
	asked(t, job.Commands[live.Sweep], &again)
	if len(again.Results) != 2 || len(sweep.Fits) != 2 {
		t.Fatalf("%+v by %s, %v", again, job.Commands[live.Sweep], sweep)
	}
	for i, f := range sweep.Fits {
		if again.Results[i].Relative != f.RelativeError {
			t.Errorf("rank %d: %v on the page, %v by %s", f.Rank, f.RelativeError, again.Results[i].Relative, job.Commands[live.Sweep])
		}
	}
	job = prepared(t, path, []string{"--starts", "3"}, map[string]string{"center": "center"})
	suggested := job.Suggest().SuggestRank(0)
	var rank struct {
		Conclusion string
		Sweep      struct{ Results []fitted }
	}
	asked(t, job.Commands[live.Rank], &rank)
	if rank.Conclusion != suggested.Conclusion || rank.Conclusion == "" {
		t.Errorf("%q on the page, %q by %s", suggested.Conclusion, rank.Conclusion, job.Commands[live.Rank])
	}
}

// The command of topics finds those of the page, with what it chose and the other flags that it
// began with.
func TestServeTopicsAgain(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "counts.npy")
	if err := symmom.SaveMatrix(path, datasets.TopicDocuments(datasets.DocumentsOptions{Topics: 3, Documents: 300, Words: 40}).Session.Matrix()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flags  []string
		choice map[string]string
		want   string // after the name
	}{
		{[]string{"--topics", "0", "--top", "3", "--title", "Three"}, nil, " --topics 0 --top 3"},
		{[]string{"--topics", "2", "--concentration", "2", "--stream"}, map[string]string{"topics": "3", "concentration": "0.5", "words": "4", "starts": "2", "seed": "7"}, " --topics 3 --concentration 0.5 --starts 2 --seed 7 --top 4 --stream"},
		{[]string{"--topics", "2", "--moments-only", "--threads", "1"}, nil, " --topics 2 --moments-only --threads 1"},
	} {
		v, cmd := &serveCommand{}, &cobra.Command{Use: "serve"}
		v.defineMoment(cmd, func(*pflag.FlagSet) {})
		v.defineTopics(cmd)
		v.define(cmd)
		v.defineSearch(cmd)
		cmd.Flags().String("title", "", "")
		if err := cmd.ParseFlags(c.flags); err != nil {
			t.Fatal(err)
		}
		o, _, err := v.page(t.Context(), cmd, path)
		if err != nil {
			t.Fatal(err)
		}
		accept(t, o.Fields, c.choice)
		job, err := o.Prepare(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var again struct {
			Weights []float64
			Words   [][]struct{ Word string }
		}
		if _, rest, _ := strings.Cut(job.Again(), ".npy"); rest != c.want {
			t.Errorf("%v: %s, want%s", c.flags, job.Again(), c.want)
		}
		asked(t, job.Again(), &again)
		path := filepath.Join(dir, "topics.json")
		if err := job.Find(nil).Save(path); err != nil {
			t.Fatal(err)
		}
		if page, err := symmom.LoadTopics(path); err != nil || !slices.Equal(page.Weights, again.Weights) || len(again.Words[0]) < 3 {
			t.Errorf("%v: shares %v on the page, %v by %s (%v)", c.flags, page.Weights, again.Weights, job.Again(), err)
		}
	}
}

// A server that ends without a result of which a file was asked for fails.
func TestServeNothing(t *testing.T) {
	for save, want := range map[string]string{"": "<nil>", "model.json": "no file was written, as nothing was found; the page said why"} {
		ln, err := live.Listen("127.0.0.1", 0)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		s := live.New(ctx, ln, live.Options{Kind: live.Fits, Prepare: func(context.Context, func(symmom.Progress)) (live.Job, error) {
			return nil, errors.New("no counts")
		}})
		served := make(chan error, 1)
		go func() { served <- s.Serve() }()
		listen(t, s, "no counts")
		cancel()
		if err := <-served; err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err = (&serveCommand{save: save}).finish(&app{out: &out}, s, live.Fits.Name)
		if fmt.Sprint(err) != want || out.String() != "  Nothing was found.\n" {
			t.Errorf("--save %q: %v, printed %q", save, err, &out)
		}
	}
}

// listen opens the page of a server, and waits for an event with a text.
func listen(t *testing.T, s *live.Server, text string) {
	t.Helper()
	jar, _ := cookiejar.New(nil)
	client := http.Client{Jar: jar}
	home, err := client.Get(s.Address()) // which gives the cookie
	if err != nil {
		t.Fatal(err)
	}
	defer home.Body.Close()
	events, err := client.Get("http://" + home.Request.URL.Host + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer events.Body.Close()
	for lines := bufio.NewScanner(events.Body); lines.Scan(); {
		if strings.Contains(lines.Text(), text) {
			return
		}
	}
	t.Fatalf("the events ended without %q", text)
}
