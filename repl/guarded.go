package repl

import (
	"errors"
	"fmt"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// A session is no sandbox: cells can do to files, the network and the process
// what the user can. What is left out by default is what does harm by accident:
// running programs, ending other processes, writing over the memory of this
// one. Config.Unrestricted opens it.

// guarded are the packages that a session has only when it is unrestricted.
var guarded = map[string]string{
	"os/exec": "runs programs", "net/http/cgi": "runs programs",
	"syscall": "calls the system past Go", "unsafe": "reaches past Go's types",
}

// guardedMethods are methods that do what a guarded package does.
var guardedMethods = map[string]string{
	"(*os.Process).Kill": "ends other processes", "(*os.Process).Signal": "ends other processes",
	"runtime/debug.SetMaxThreads": "ends the kernel where it is too small, which nothing can catch",
	"runtime/debug.SetMaxStack":   "ends the kernel where it is too small, which nothing can catch",
}

// harmful are functions that no session has.
var harmful = map[string]string{
	"testing.Main": "ends the process when its tests have run; call the tests, or testing.Benchmark, instead",
}

const guardNote = "it is left out by default, as a guard against accidents and no more: cells can do what you can; start with --unrestricted to have it"

// guard says why a cell may not use what it names, or nothing.
func (l *library) guard(o types.Object) string {
	f, is := o.(*types.Func)
	if !is || f.Pkg() == nil {
		return ""
	}
	name := f.FullName()
	if why := harmful[name]; why != "" {
		return name + " " + why
	}
	if why := guardedMethods[name]; why != "" && !l.unrestricted {
		return fmt.Sprintf("%s %s: %s", name, why, guardNote)
	}
	return ""
}

var errGuarded = errors.New(guardNote)

// guardSystem replaces functions of package os in a session that is guarded.
func guardSystem(system map[string]reflect.Value) {
	system["StartProcess"] = reflect.ValueOf(func(name string, _ []string, _ *os.ProcAttr) (*os.Process, error) {
		return nil, &fs.PathError{Op: "os.StartProcess", Path: name, Err: errGuarded}
	})
	system["FindProcess"] = reflect.ValueOf(func(int) (*os.Process, error) {
		return nil, fmt.Errorf("os.FindProcess: %w", errGuarded)
	})
	system["OpenFile"] = reflect.ValueOf(func(name string, flag int, perm fs.FileMode) (*os.File, error) {
		if err := guardMemory(name); err != nil && flag&(os.O_WRONLY|os.O_RDWR) != 0 {
			return nil, err
		}
		return os.OpenFile(name, flag, perm)
	})
	system["Create"] = reflect.ValueOf(func(name string) (*os.File, error) {
		if err := guardMemory(name); err != nil {
			return nil, err
		}
		return os.Create(name)
	})
	system["WriteFile"] = reflect.ValueOf(func(name string, data []byte, perm fs.FileMode) error {
		if err := guardMemory(name); err != nil {
			return err
		}
		return os.WriteFile(name, data, perm)
	})
}

// guardMemory errs for the memory of a process, which Linux has as a file.
func guardMemory(name string) error {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return nil // opening it says why
	}
	if path, err = filepath.Abs(path); err == nil && filepath.Base(path) == "mem" && strings.HasPrefix(path, "/proc/") {
		return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("this is the memory of a process: %w", errGuarded)}
	}
	return nil
}
