package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
	for _, flags := range [][]string{{"--missing", "drop"}, {"--missing", "mean"}, {"--missing", "drop", "--weights-column", "w"}, {"--missing", "drop", "--stream"}} {
		for _, choice := range []map[string]string{{}, {"columns": "height,age"}, {"columns": "height,weight"}, {"weights": "all equal"}, {"columns": "height,weight", "weights": "age"}} {
			v, cmd := &serveCommand{}, &cobra.Command{Use: "serve"}
			v.order = 3
			v.defineMoment(cmd, func(*pflag.FlagSet) {})
			v.define(cmd)
			v.defineSearch(cmd)
			if err := cmd.ParseFlags(append(flags, "--labels", "species")); err != nil {
				t.Fatal(err)
			}
			v.rank = 1
			if err := v.read(t.Context(), cmd, path); err != nil {
				t.Fatal(err)
			}
			fields, err := v.desk.Fields()
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range fields {
				if value, chosen := choice[f.Control.Name()]; chosen {
					if err := f.Control.Set(value); err != nil {
						t.Fatal(err)
					}
				}
			}
			job, err := v.desk.Prepare(t.Context(), nil)
			if err != nil {
				t.Fatal(flags, choice, err)
			}
			page := job.Moment.Decompose(job.Rank)
			var out, said bytes.Buffer
			if code := run(append(strings.Fields(job.Command)[1:], "--json"), &out, &said); code != 0 {
				t.Fatalf("%s: %s", job.Command, &said)
			}
			var again struct {
				Observations int
				Relative     float64 `json:"relative_error"`
			}
			if err := json.Unmarshal(out.Bytes(), &again); err != nil {
				t.Fatal(err)
			}
			if again.Observations != page.Observations || again.Relative != page.RelativeError {
				t.Errorf("%v %v: %d observations and a relative error of %g on the page; %d and %g by %s", flags, choice, page.Observations, page.RelativeError, again.Observations, again.Relative, job.Command)
			}
		}
	}
}
