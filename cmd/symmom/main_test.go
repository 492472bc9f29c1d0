package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the scripts run this test binary as the command symmom: the
// real main, in a process of its own, with its exit codes and signals.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"symmom": main, "stubborn": stubborn})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exit":      cmdExit,
			"interrupt": cmdInterrupt,
			"json":      cmdJSON,
			"keys":      cmdKeys,
			"samejson":  cmdSameJSON,
			"oneline":   cmdOneLine,
			"npy":       cmdNPY,
			"scaled":    cmdScaled,
			"rawnpy":    cmdRawNPY,
			"absent":    cmdAbsent,
		},
		Setup: func(env *testscript.Env) error {
			// The race detector sleeps a second at exit, which is not what the
			// scripts measure.
			env.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
			return nil
		},
	})
}
