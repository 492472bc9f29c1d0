package repl

import (
	"context"
	"reflect"
	"sync"
	"time"
)

// Library describes packages of the program that cells can import, besides those of
// the standard library, gonum and package widgets; and how such a session presents
// itself. All of it is optional, but packages in Symbols have to be in Types too.
//
// Run in the folder of a package, symmom/repl/symbols/gen writes the tables of Symbols
// and the file of Types for the packages that are its arguments, as in symmom/lab/symbols.
type Library struct {
	// Symbols are what the packages export, by import path with the package's name
	// at the end, as the interpreter takes them.
	Symbols map[string]map[string]reflect.Value

	// Types is a zip archive of the packages' export data, by import path.
	Types []byte

	// Sources returns the files of a package, for its documentation, or nil.
	Sources func(importPath string) ([][]byte, error)

	// Preloaded are import paths of packages that are available without an import.
	// Their functions do not wait for other programs; see Bind for those that compute.
	Preloaded []string

	// Bind returns functions, by the keys of Symbols, in place of those that have to know
	// the session that calls them. Compiled code of the packages that they are in is given
	// time to return after an interrupt.
	Bind func(Host) map[string]map[string]reflect.Value

	// Describe tells in a word what data a value is, for the command %data, and its
	// shape, such as "3 x 2", for %who. Either may be empty.
	Describe func(v any) (what, shape string)

	// Names returns what a string in a call names, for completion: the columns of a table. Where is
	// the method that has it as an argument, "symmom/symmom.Session.Select", and of what it is
	// called on; or the field of options that it is the value of, or an element of it,
	// "symmom/symmom.LoadOptions.Labels", and of the first argument of the call. Either may also be
	// the string that a chain of calls begins with, a path.
	Names func(ctx context.Context, where string, of any) []string

	// Once are parts of pages that a notebook holds once, by name: a kernel puts one in the
	// place of the first comment <!--once NAME--> in the HTML of a result.
	Once map[string]func() string

	// Advice has names of other languages, with what takes their place: "plot" ->
	// "package charts draws".
	Advice map[string]string

	// Wants says what an argument is where one of another type was given: by the function,
	// "symmom/symmom.Fit.Score", or by the type, "gonum.org/v1/gonum/mat.Matrix", where nothing
	// else of the session has it.
	Wants map[string]string

	Name    string      // of the program, in the prompt; default go
	About   string      // what the session is for: "moments of data, in Go"
	Example string      // a first cell
	Load    string      // the function with which cells read data, if any: "symmom.Load"
	Build   string      // the command that compiles further packages in, if any: "symmom kernel build"
	Links   [][2]string // titles and addresses of more documentation

	known sync.Once
}

// Host is the session, for functions that Bind returns.
type Host struct {
	// Context returns the context of the running cell. A long call asks for it when it
	// begins, and ends when that is cancelled.
	Context func() context.Context

	// Progress reports the progress of a long call; it is nil if nobody wants to know.
	Progress func(Progress)
}

// Progress is the progress of a long call.
type Progress struct {
	Doing     string        // what is being done: "start 2 of 5  iteration 12"
	Did       string        // what has been done so far, in a few words: "2 of 5 starts, 314 evaluations"
	Label     string        // the name of Value; "" if there is none
	Value     float64       // what the call improves; NaN while it is unknown
	Curve     int           // identifies the curve of Value
	Share     float64       // of the work that is done, from 0 to 1
	Elapsed   time.Duration // since the call began
	Remaining time.Duration // estimate; negative while unknown
	Done      bool          // the last report of this call
	Stopped   bool          // with Done: by an interrupt, before the work was finished
}
