package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// The commands for the scripts in testdata/script in addition to testscript's.

// cmdExit: exit CODE command args... runs a command and requires its exit code. Its
// output is available to stdout, stderr and json.
func cmdExit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit CODE command args...")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var failed *exec.ExitError
		if !errors.As(err, &failed) {
			ts.Fatalf("%v", err)
		}
		got = failed.ExitCode()
	}
	if want := args[0]; strconv.Itoa(got) != want {
		ts.Fatalf("exit code %d, want %s", got, want)
	}
}

// cmdOneLine: oneline requires stderr of the last command to be one line that
// begins with "symmom: ", followed after wrong usage by the hint.
func cmdOneLine(ts *testscript.TestScript, neg bool, args []string) {
	text := ts.ReadFile("stderr")
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool {
		// A test binary built for coverage cannot write its counters either if a
		// script limits the size of files.
		return line == "" || strings.HasPrefix(line, "error: coverage ")
	})
	if len(lines) == 2 && strings.HasPrefix(lines[1], "see 'symmom") {
		lines = lines[:1]
	}
	if neg || len(args) > 0 {
		ts.Fatalf("usage: oneline")
	}
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "symmom: ") {
		ts.Fatalf("stderr is not one line 'symmom: ...':\n%s", text)
	}
}

// parse reads a file ("stdout" is the output of the last command), which must hold
// exactly one JSON object that conforms to its schema, if it names one.
func parse(ts *testscript.TestScript, file string) map[string]any {
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile(file)))
	var v map[string]any
	if err := dec.Decode(&v); err != nil {
		ts.Fatalf("%s is not a JSON object: %v", file, err)
	}
	if dec.More() {
		ts.Fatalf("%s holds more than one JSON object", file)
	}
	if _, named := v["schema"]; named {
		if _, err := conforms([]byte(ts.ReadFile(file))); err != nil {
			ts.Fatalf("%s: %v", file, err)
		}
	}
	return v
}

// at follows a path such as starts.0.status; "len" is a length.
func at(v any, path string) (any, error) {
	for step := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[step]
			if !ok {
				return nil, fmt.Errorf("no key %q", step)
			}
			v = next
		case []any:
			i, err := strconv.Atoi(step)
			switch {
			case step == "len":
				v = float64(len(x))
			case err != nil || i < 0 || i >= len(x):
				return nil, fmt.Errorf("no element %s of %d", step, len(x))
			default:
				v = x[i]
			}
		default:
			return nil, fmt.Errorf("nothing below %v", v)
		}
	}
	return v, nil
}

// cmdJSON: json FILE PATH OP VALUE compares a value of a JSON object: numbers
// with < <= > >= and ~ (relative difference up to 1e-6), anything with == and
// !=, where strings are written bare.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: json FILE PATH OP VALUE")
	}
	got, err := at(parse(ts, args[0]), args[1])
	if err != nil {
		ts.Fatalf("%s: %v", args[1], err)
	}
	op, value := args[2], args[3]
	holds := false
	if op == "==" || op == "!=" {
		text, ok := got.(string)
		if !ok {
			b, err := json.Marshal(got)
			ts.Check(err)
			text = string(b)
		}
		holds = (text == value) == (op == "==")
	} else {
		x, ok := got.(float64)
		if !ok {
			ts.Fatalf("%s is %v, which is not a number", args[1], got)
		}
		y, err := strconv.ParseFloat(value, 64)
		ts.Check(err)
		switch op {
		case "<":
			holds = x < y
		case "<=":
			holds = x <= y
		case ">":
			holds = x > y
		case ">=":
			holds = x >= y
		case "~":
			holds = math.Abs(x-y) <= 1e-6*math.Abs(y)
		default:
			ts.Fatalf("unknown comparison %s", op)
		}
	}
	if !holds {
		ts.Fatalf("%s is %v, want %s %s", args[1], got, op, value)
	}
}

// cmdSameNumber: samenumber A PATH B PATH requires the same number in two objects, but for
// rounding: 1e-9 of it, for sums of thousands of terms about other centers.
func cmdSameNumber(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: samenumber A PATH B PATH")
	}
	var x [2]float64
	for i := range x {
		v, err := at(parse(ts, args[2*i]), args[2*i+1])
		ts.Check(err)
		x[i], _ = v.(float64)
	}
	if x[0] == 0 || !(math.Abs(x[0]-x[1]) <= 1e-9*math.Abs(x[0])) {
		ts.Fatalf("%s of %s is %g, %s of %s is %g", args[1], args[0], x[0], args[3], args[2], x[1])
	}
}

// cmdKeys: keys FILE PATH key... requires exactly these keys, in this order; "." is
// the object itself.
func cmdKeys(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: keys FILE PATH key...")
	}
	raw := json.RawMessage(ts.ReadFile(args[0]))
	if args[1] != "." {
		for step := range strings.SplitSeq(args[1], ".") {
			var object map[string]json.RawMessage
			var array []json.RawMessage
			if json.Unmarshal(raw, &object) == nil {
				raw = object[step]
			} else {
				ts.Check(json.Unmarshal(raw, &array))
				i, err := strconv.Atoi(step)
				ts.Check(err)
				raw = array[i]
			}
		}
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	_, err := dec.Token()
	ts.Check(err)
	var got []string
	for dec.More() {
		key, err := dec.Token()
		ts.Check(err)
		got = append(got, key.(string))
		var skip json.RawMessage
		ts.Check(dec.Decode(&skip))
	}
	if !slices.Equal(got, args[2:]) {
		ts.Fatalf("keys are\n%s, want\n%s", strings.Join(got, " "), strings.Join(args[2:], " "))
	}
}

// cmdSameJSON: samejson A B [-tol X] key... requires two files to hold the same
// JSON except for the keys named, wherever they are; with a tolerance, numbers may
// differ by that fraction of the larger one.
func cmdSameJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: samejson A B [-tol X] key...")
	}
	a, b, skip, tol := parse(ts, args[0]), parse(ts, args[1]), args[2:], 0.
	if len(skip) > 1 && skip[0] == "-tol" {
		var err error
		tol, err = strconv.ParseFloat(skip[1], 64)
		ts.Check(err)
		skip = skip[2:]
	}
	if d := difference(a, b, "", skip, tol); d != "" {
		ts.Fatalf("%s and %s differ: %s", args[0], args[1], d)
	}
}

// difference describes where two values differ, or returns "".
func difference(a, b any, path string, skip []string, tol float64) string {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return path + ": other keys"
		}
		for k := range x {
			if slices.Contains(skip, k) {
				continue
			}
			if d := difference(x[k], y[k], path+"."+k, skip, tol); d != "" {
				return d
			}
		}
		return ""
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return path + ": other length"
		}
		for i := range x {
			if d := difference(x[i], y[i], fmt.Sprintf("%s.%d", path, i), skip, tol); d != "" {
				return d
			}
		}
		return ""
	case float64:
		if y, ok := b.(float64); ok && math.Abs(x-y) <= tol*max(math.Abs(x), math.Abs(y)) {
			return ""
		}
	default:
		if a == b {
			return ""
		}
	}
	return fmt.Sprintf("%s: %v and %v", path, a, b)
}

// cmdNPY: npy FILE ROWS COLS VALUE writes a matrix of one value.
func cmdNPY(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: npy FILE ROWS COLS VALUE")
	}
	rows, err := strconv.Atoi(args[1])
	ts.Check(err)
	cols, err := strconv.Atoi(args[2])
	ts.Check(err)
	value, err := strconv.ParseFloat(args[3], 64)
	ts.Check(err)
	m := mat.NewDense(rows, cols, nil)
	m.Apply(func(int, int, float64) float64 { return value }, m)
	ts.Check(symmom.SaveMatrix(ts.MkAbs(args[0]), m))
}

// cmdScaled: scaled FROM TO FACTOR writes a matrix times a number.
func cmdScaled(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: scaled FROM TO FACTOR")
	}
	m, err := symmom.LoadMatrix(ts.MkAbs(args[0]))
	ts.Check(err)
	factor, err := strconv.ParseFloat(args[2], 64)
	ts.Check(err)
	m.Scale(factor, m)
	ts.Check(symmom.SaveMatrix(ts.MkAbs(args[1]), m))
}

// cmdRawNPY: rawnpy FILE HEADER [BYTES] writes an NPY file of version 1 with
// that header, and a number of zero bytes as data.
func cmdRawNPY(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: rawnpy FILE HEADER [BYTES]")
	}
	size := 0
	if len(args) == 3 {
		var err error
		size, err = strconv.Atoi(args[2])
		ts.Check(err)
	}
	header := args[1] + strings.Repeat(" ", 63-(10+len(args[1]))%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8))
	b = append(append(b, header...), make([]byte, size)...)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o644))
}

// cmdAbsent: absent PATTERN... requires that no file matches.
func cmdAbsent(ts *testscript.TestScript, neg bool, args []string) {
	for _, pattern := range args {
		found, err := filepath.Glob(ts.MkAbs(pattern))
		ts.Check(err)
		if neg || len(found) > 0 {
			ts.Fatalf("found %s", strings.Join(found, ", "))
		}
	}
}
