package gofront

import "go/types"

// A session is no sandbox: cells can do anything to files, the network and the process that
// the user can do. By default it lacks four packages, so that code from elsewhere does not
// run programs or reach past Go's types unnoticed. There are other ways to do that, such as
// os.StartProcess, and nothing is done about them. Config.Unrestricted permits the four.

// Guarded are the packages that only an unrestricted session has.
var Guarded = map[string]string{
	"os/exec": "runs programs", "net/http/cgi": "runs programs",
	"syscall": "calls the system past Go", "unsafe": "reaches past Go's types",
}

// harmful are functions that are not available in any session.
var harmful = map[string]string{
	"testing.Main":                "ends the process when its tests have run; call the tests, or testing.Benchmark, instead",
	"runtime/debug.SetMaxThreads": "ends the process where it is too small, which cannot be recovered",
	"runtime/debug.SetMaxStack":   "ends the process where it is too small, which cannot be recovered",
}

// GuardNote explains why something is missing, and how to permit it.
const GuardNote = "it is left out by default, as a guard against accidents and no more: cells can do what you can; start with --unrestricted to have it"

// guard returns the reason why a cell may not use an object, or "" if it may.
func (l *Library) guard(o types.Object) string {
	if v, is := o.(*types.Var); is && v.Pkg() != nil && v.Pkg().Path() == "runtime" && v.Name() == "MemProfileRate" {
		return "runtime.MemProfileRate is of the whole process, and counts from its start; it cannot be set in a cell"
	}
	f, is := o.(*types.Func)
	if !is || f.Pkg() == nil {
		return ""
	}
	name := f.FullName()
	if why := harmful[name]; why != "" {
		return name + " " + why
	}
	return ""
}
