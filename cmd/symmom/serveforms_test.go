package main

import (
	"bytes"
	"path/filepath"
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
