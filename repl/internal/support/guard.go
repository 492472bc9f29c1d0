package support

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"symmom/repl/internal/gofront"
)

var errGuarded = errors.New(gofront.GuardNote)

// guardSystem replaces functions of package os in a guarded session.
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

// guardMemory returns an error if name is a Linux file that holds a process's memory.
func guardMemory(name string) error {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return nil // opening it reports why
	}
	if path, err = filepath.Abs(path); err == nil && filepath.Base(path) == "mem" && strings.HasPrefix(path, "/proc/") {
		return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("this is the memory of a process: %w", errGuarded)}
	}
	return nil
}
