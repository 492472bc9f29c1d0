package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"symmom/cmd/symmom/internal/bar"
	"symmom/internal/test/slow"
)

// TestMain lets the scripts run this test binary as the command symmom: the real
// main, in its own process, with its exit codes and signals.
func TestMain(m *testing.M) {
	bar.FirstLine = time.Hour // many scripts expect nothing on stderr, on a busy machine too
	testscript.Main(m, map[string]func(){"symmom": main, "stubborn": stubborn, "bombs": bombs})
}

func TestScripts(t *testing.T) { runScripts(t, "testdata/script") }

// The scripts that measure how fast a run ends are run one after the other, while
// no other test of the package runs.
func TestInterruptScripts(t *testing.T) {
	slow.Test(t)
	files, err := filepath.Glob("testdata/interrupt/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, f := range files {
		// testscript runs scripts in parallel; a group ends when its only script has.
		t.Run("group", func(t *testing.T) { runScripts(t, "", f) })
	}
}

func runScripts(t *testing.T, dir string, files ...string) {
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exit":       cmdExit,
			"interrupt":  cmdInterrupt,
			"json":       cmdJSON,
			"keys":       cmdKeys,
			"schema":     cmdSchema,
			"samejson":   cmdSameJSON,
			"samenumber": cmdSameNumber,
			"oneline":    cmdOneLine,
			"npy":        cmdNPY,
			"scaled":     cmdScaled,
			"rawnpy":     cmdRawNPY,
			"absent":     cmdAbsent,
		},
		Setup: func(env *testscript.Env) error {
			// The race detector sleeps for a second at exit, which the scripts must
			// not measure.
			env.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
			return nil
		},
	})
}
