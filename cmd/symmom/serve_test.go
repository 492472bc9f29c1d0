package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"symmom/charts/live"
	"symmom/symmom"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"
)

// Where values are missing, what is read depends on the columns and weights that are
// chosen: the command that the page prints makes the page's fit all the same.
func TestServeAgain(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 1))
	var b strings.Builder
	b.WriteString("species,height,age,weight,w\n")
	for l := range 60 {
		weight := fmt.Sprintf("%.3f", 5+rng.NormFloat64())
		if l%10 == 0 {
			weight = ""
		}
		fmt.Fprintf(&b, "%c,%.3f,%.3f,%s,%.3f\n", "ab"[l%2], 1+rng.ExpFloat64(), 3+rng.NormFloat64()*float64(l%2), weight, .5+rng.Float64())
	}
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	coded, codes := filepath.Join(filepath.Dir(path), "coded.csv"), "--na=weight=-99,\"weight=not, asked\""
	text := strings.ReplaceAll(strings.Replace(b.String(), ",,", ",\"not, asked\",", 2), ",,", ",-99,")
	if err := os.WriteFile(coded, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	of := path
	for _, flags := range [][]string{{"--missing", "drop"}, {"--missing", "mean"}, {"--missing", "drop", "--weights-column", "w"}, {"--missing", "drop", "--stream"}, {codes, "--missing", "drop"}, {codes, "--missing", "mean", "--weights-column", "w"}} {
		path := of
		if flags[0] == codes {
			path = coded
		}
		for _, choice := range []map[string]string{{}, {"columns": "height,age"}, {"columns": "height,weight"}, {"weights": "all equal"}, {"columns": "height,weight", "weights": "age"}} {
			job := prepared(t, path, append(flags, "--labels", "species"), choice)
			page := job.Moment.Decompose(job.Rank)
			again := again(t, job)
			if again.Observations != page.Observations || again.Relative != page.RelativeError {
				t.Errorf("%v %v: %d observations and a relative error of %g on the page; %d and %g by %s", flags, choice, page.Observations, page.RelativeError, again.Observations, again.Relative, job.Command)
			}
		}
	}
}

// Columns whose names are like the words for columns without one, and columns without one,
// are those that were chosen, on the page and in its command. Each has other values, and
// so a moment of its own.
func TestServeNumberedNames(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 2))
	dir := t.TempDir()
	bodies := make([]strings.Builder, 2)
	bodies[1].WriteString("column 3,column 4,column 5,column 6,column 7\n")
	for range 50 {
		line := ""
		for j := range 7 {
			if value := fmt.Sprintf("%.4f", float64(j+1)+rng.ExpFloat64()); j >= 2 {
				line += "," + value
			} else {
				fmt.Fprintf(&bodies[0], "%s,", value)
			}
		}
		fmt.Fprintln(&bodies[0], line[1:])
		fmt.Fprintln(&bodies[1], line[1:])
	}
	plain, named := filepath.Join(dir, "plain.csv"), filepath.Join(dir, "named.csv")
	for k, path := range []string{plain, named} {
		if err := os.WriteFile(path, []byte(bodies[k].String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		path  string
		flags []string
	}{{plain, nil}, {plain, []string{"--columns", "3-7"}}, {named, nil}} {
		for _, mode := range [][]string{nil, {"--stream"}, {"--missing", "drop"}} {
			for _, choice := range []map[string]string{{"columns": "column 3,column 4"}, {"columns": "column 5,column 3"}, {"columns": "column 3,column 4", "weights": "column 6"}} {
				flags := slices.Concat(c.flags, mode)
				job := prepared(t, c.path, flags, choice)
				page, columns := job.Moment.Decompose(1), choice["columns"]
				numbers := strings.ReplaceAll(columns, "column ", "")
				want := symmom.Load(plain, symmom.LoadOptions{Columns: strings.Split(numbers, ","), Weights: strings.TrimPrefix(choice["weights"], "column ")}).Moment(3).Decompose(1)
				// The same numbers: they are the same to the last bits.
				if page.Err() != nil || want.Err() != nil || !(math.Abs(page.RelativeError-want.RelativeError) <= 1e-12) || !mat.EqualApprox(page.Model.Factors, want.Model.Factors, 1e-9) {
					t.Errorf("%s %v %v: a relative error of %v, want %v (%v, %v)", c.path, flags, choice, page.RelativeError, want.RelativeError, page.Err(), want.Err())
				}
				if again := again(t, job); again.Relative != page.RelativeError {
					t.Errorf("%s %v %v: a relative error of %v on the page, %v by %s", c.path, flags, choice, page.RelativeError, again.Relative, job.Command)
				}
			}
		}
	}
}

// A page whose file is replaced says so with the next fit, of what was read.
func TestServeOfAReplacedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data.csv")
	write := func(text string) {
		if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	write("1,2\n3,5\n4,4\n")
	v := desk(t, path, nil)
	for _, replaced := range []bool{false, true} {
		if replaced {
			write("1,2\n3,5\n4,4\n6,1\n")
		}
		prepared, err := v.desk.Prepare(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		job := prepared.(*live.FitJob)
		if notes := strings.Join(job.Notes, " "); strings.Contains(notes, "data.csv has changed since this page began") != replaced || job.Shown.Observations() != 3 {
			t.Errorf("replaced: %v; %d observations, %q", replaced, job.Shown.Observations(), notes)
		}
	}
}

// prepared is the fit that the page would make after choices.
func prepared(t *testing.T, path string, flags []string, choice map[string]string) *live.FitJob {
	t.Helper()
	v := desk(t, path, flags)
	fields, err := v.desk.Fields()
	if err != nil {
		t.Fatal(err)
	}
	accept(t, fields, choice)
	job, err := v.desk.Prepare(t.Context(), nil)
	if err != nil {
		t.Fatal(flags, choice, err)
	}
	return job.(*live.FitJob)
}

// accept gives controls their values.
func accept(t *testing.T, fields []live.Field, choice map[string]string) {
	t.Helper()
	for _, f := range fields {
		if value, chosen := choice[f.Control.Name()]; chosen {
			if _, err := f.Control.Accept(json.RawMessage(asJSON(value))); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// asJSON is a number as it is, and text in quotes.
func asJSON(value string) string {
	if _, err := strconv.Atoi(value); err == nil {
		return value
	}
	return strconv.Quote(value)
}

// desk is the command once it has read the table.
func desk(t *testing.T, path string, flags []string) *serveCommand {
	t.Helper()
	v, cmd := &serveCommand{}, &cobra.Command{Use: "serve"}
	v.order = 3
	v.defineMoment(cmd, func(*pflag.FlagSet) {})
	v.define(cmd)
	v.defineSearch(cmd)
	if err := cmd.ParseFlags(flags); err != nil {
		t.Fatal(err)
	}
	v.rank = 1
	if err := v.read(t.Context(), cmd, path); err != nil {
		t.Fatal(err)
	}
	if _, err := v.desk.Fields(); err != nil {
		t.Fatal(err)
	}
	return v
}

type fitted struct {
	Observations int
	Relative     float64 `json:"relative_error"`
}

// again runs the command that the page prints.
func again(t *testing.T, job *live.FitJob) (f fitted) {
	t.Helper()
	asked(t, job.Command, &f)
	return f
}

// asked runs a command for its --json.
func asked(t *testing.T, command string, into any) {
	t.Helper()
	words := csv.NewReader(strings.NewReader(strings.NewReplacer(`"`, `""`, "'", `"`).Replace(command)))
	words.Comma = ' '
	args, err := words.Read()
	if err != nil {
		t.Fatal(err)
	}
	var out, stderr bytes.Buffer
	if code := run(append(args[1:], "--json"), &out, &stderr); code != 0 {
		t.Fatalf("%s: %s", command, &stderr)
	}
	if err = json.Unmarshal(out.Bytes(), into); err != nil {
		t.Fatal(err)
	}
}
