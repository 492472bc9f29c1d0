package conformance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"symmom/repl"
)

var (
	programs   = flag.Int("programs", 0, "how many programs TestRandom makes")
	firstOf    = flag.Uint64("from", 1, "the seed of the first")
	shrinkSeed = flag.Uint64("shrink", 0, "make the program of a seed smaller as long as it is wrong, print it and end")
	showSeed   = flag.Uint64("show", 0, "print the program of a seed and end")
)

// preludeImports and preludeDecls precede the programs.
const (
	preludeImports = "import (\n\t\"cmp\"\n\t\"errors\"\n\t\"fmt\"\n\t\"io\"\n\t\"slices\"\n\t\"sort\"\n\t\"strings\"\n\t\"time\"\n)\n\n"
	preludeDecls   = `var fuel int

func tick() {
	if fuel--; fuel < 0 {
		panic("out of fuel")
	}
}

func ident[T any](x T) T { return x }

func ref[T any](x T) *T { return &x }

func lastOf[T any](s []T) T { return s[len(s)-1] }

func pickOf[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

func trace[T any](name string, x T) T {
	fmt.Print(name, " ")
	return x
}

func panicText(r any) string {
	text, _, _ := strings.Cut(fmt.Sprint(r), " [") // sessions omit index and length
	return text
}

func at[T any](s []T, i int) T {
	if len(s) == 0 {
		var zero T
		return zero
	}
	return s[uint(i)%uint(len(s))]
}

func as[T any](x any) T {
	t, ok := x.(T)
	if !ok {
		fmt.Print("not ")
	}
	return t
}

func sorted[K cmp.Ordered, V any](m map[K]V) []K {
	var keys []K
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func chanOf[T any](x T) chan T {
	c := make(chan T, 1)
	c <- x
	return c
}

// many makes values that lie beside each other, changes all and adds up what they tell.
func many[T any](x T, set func(*T, int), tell func(T) int) (sum int) {
	list := make([]T, 30)
	var one [30]*T
	for i := range list {
		list[i] = x
		one[i] = new(T)
		*one[i] = x
	}
	for i := range list {
		set(&list[i], i)
		set(one[i], i)
	}
	for i := range list {
		sum += 31*sum + tell(list[i]) + 7*tell(*one[i])
	}
	return sum
}

func upTo(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	}
}

var _, _, _, _, _ = errors.New, io.EOF, sort.Sort, strings.ToUpper, time.Second

`
)

const fuel = 2000

const (
	batch    = 250              // programs that the toolchain compiles together
	patience = 10 * time.Minute // for a program to end, on the busiest machine; it takes milliseconds
)

// TestRandom compares random programs with the Go toolchain: what they print, and
// what they panic with. It counts those that the session refuses.
func TestRandom(t *testing.T) {
	if *showSeed > 0 {
		decls, body := program(*showSeed, "")
		t.Logf("\n%s\nfunc main() {\n%s}\n", decls, body)
		return
	}
	check := newTypeCheck(t)
	if *shrinkSeed > 0 {
		shrink(t, check, *shrinkSeed)
		return
	}
	refused, wrong, large, panics, ran := map[string]int{}, 0, 0, 0, 0
	// The next programs are compiled while these run in sessions.
	ahead := make(chan compiled)
	go func() {
		defer close(ahead)
		seed := *firstOf
		for left := *programs; left > 0; {
			var c compiled
			for ; len(c.list) < min(batch, left); seed++ {
				if src := sourceOf(seed); check.ok(src) {
					c.list = append(c.list, src)
				}
			}
			left -= len(c.list)
			c.last = seed - 1
			c.want = toolchain(t, c.list)
			ahead <- c
		}
	}()
	last := *firstOf
	for c := range ahead {
		if c.want == nil {
			continue // reported before
		}
		last = c.last
		list := slices.DeleteFunc(c.list, func(src source) bool { _, ended := c.want[src.Seed]; return !ended })
		large += len(c.list) - len(list)
		got, want := sessions(t, list), c.want
		for _, src := range list {
			s := src.Seed
			ran++
			g, w := got[s], want[s]
			switch {
			case g.Refused != "":
				refused[kind(refusal{"", g.Refused})]++
				t.Logf("seed %d is refused: %s", s, g.Refused)
			case !bytes.Equal(g.Output, w.Output) || g.Panic != w.Panic:
				wrong++
				t.Errorf("seed %d: %s", s, difference(g, w))
			case w.Panic != "":
				panics++
			}
		}
		if ran%(8*batch) == 0 {
			t.Logf("%d programs, %d wrong, %v refused", ran, wrong, refused)
		}
	}
	t.Logf("%d programs of the seeds from %d to %d: %d wrong, %d panic as they should, refused %v; %d more take over 1 GB or a minute", ran, *firstOf, last, wrong, panics, refused, large)
	if ran > 0 && panics > ran/2 {
		t.Errorf("%d of %d programs end with a panic: they test too little", panics, ran)
	}
}

// source is a program. Its names at the top level end with the seed.
type source struct {
	Seed        uint64
	Decls, Body string
	Cells       []string // in which a session runs it, or nil for one
}

func sourceOf(seed uint64) source {
	decls, body := program(seed, fmt.Sprintf("_%d", seed))
	return source{Seed: seed, Decls: decls, Body: body}
}

// compiled are programs, the last seed tried for them, and their results.
type compiled struct {
	list []source
	last uint64
	want map[uint64]result // without those that take too much memory
}

// result is what a program does.
type result struct {
	Seed    uint64
	Output  []byte // which may be invalid UTF-8
	Panic   string
	Refused string
}

// difference returns the first line in which two results differ.
func difference(got, want result) string {
	g, w := strings.Split(string(got.Output), "\n"), strings.Split(string(want.Output), "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d is %q, want %q (panic %q, %q)", i+1, shortened(g[i]), shortened(w[i]), got.Panic, want.Panic)
		}
	}
	return fmt.Sprintf("%d lines and panic %q, want %d and %q", len(g), got.Panic, len(w), want.Panic)
}

// typeCheck reports which seeds give a program that Go accepts: most.
type typeCheck struct {
	fset     *token.FileSet
	importer types.Importer
}

func newTypeCheck(t *testing.T) *typeCheck {
	t.Helper()
	return &typeCheck{token.NewFileSet(), importer.Default()}
}

func (c *typeCheck) ok(p source) bool {
	f, err := parser.ParseFile(c.fset, "p.go", "package main\n"+preludeImports+preludeDecls+p.Decls+"func main() {\n"+p.Body+"}\n", 0)
	if err != nil {
		return false
	}
	conf := types.Config{Importer: c.importer}
	_, err = conf.Check("main", c.fset, []*ast.File{f}, nil)
	return err == nil
}

// tooLarge is the exit code of a program that takes more than 1 GB, or a minute.
const tooLarge = 77

// toolchain compiles all programs into one and runs it, leaving out those that take
// too much memory. It returns nil if that fails.
func toolchain(t *testing.T, list []source) map[uint64]result {
	var b strings.Builder
	b.WriteString("package main\n\n" + strings.Replace(preludeImports, "(\n", "(\n\t\"os\"\n\t\"runtime\"\n", 1) + preludeDecls)
	for _, p := range list {
		fmt.Fprintf(&b, "%sfunc main_%d() {\n%s}\n\n", p.Decls, p.Seed, p.Body)
	}
	fmt.Fprintf(&b, `var running uint64

func run(seed uint64, f func()) {
	if slices.Contains(os.Args, fmt.Sprint(seed)) {
		return
	}
	fuel, running = %d, seed
	fmt.Println("\x01", seed)
	defer func() {
		if r := recover(); r != nil {
			fmt.Printf("\x02%%v", r)
		}
	}()
	f()
}

func main() {
	go func() {
		began, last := time.Now(), running
		for m := new(runtime.MemStats); ; time.Sleep(5 * time.Millisecond) {
			if last != running {
				began, last = time.Now(), running
			}
			if runtime.ReadMemStats(m); m.HeapInuse > 1<<30 || time.Since(began) > time.Minute {
				fmt.Fprint(os.Stderr, running)
				os.Exit(%d)
			}
		}
	}()
`, fuel, tooLarge)
	for _, p := range list {
		fmt.Fprintf(&b, "\trun(%d, main_%d)\n", p.Seed, p.Seed)
	}
	b.WriteString("}\n")
	dir := t.TempDir()
	file, exe := filepath.Join(dir, "main.go"), filepath.Join(dir, "main")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Error(err)
		return nil
	}
	cmd := exec.Command("go", "build", "-gcflags=-N -l -dwarf=false", "-ldflags=-s -w", "-o", exe, file)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go build: %v\n%s", err, shortened(string(out)))
		return nil
	}
	var out []byte
	for large := []string(nil); ; {
		var err error
		var exit *exec.ExitError
		if out, err = exec.Command(exe, large...).Output(); errors.As(err, &exit) && exit.ExitCode() == tooLarge {
			large = append(large, string(exit.Stderr))
			continue
		}
		if err != nil {
			t.Errorf("the compiled programs: %v", err)
			if exit != nil {
				t.Log(shortened(string(exit.Stderr)))
			}
			return nil
		}
		break
	}
	results := map[uint64]result{}
	for _, part := range strings.Split(string(out), "\x01 ")[1:] {
		head, text, _ := strings.Cut(part, "\n")
		r := result{}
		fmt.Sscan(head, &r.Seed)
		printed, value, _ := strings.Cut(text, "\x02")
		r.Output, r.Panic = []byte(printed), value
		results[r.Seed] = r
	}
	return results
}

const randomEnv = "SYMMOM_CONFORMANCE_RANDOM"

// sessions runs programs in a process that makes sessions for them, and in a new
// one after a program that has killed it or does not end.
func sessions(t *testing.T, list []source) map[uint64]result {
	t.Helper()
	results := map[uint64]result{}
	for len(list) > 0 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), randomEnv+"=1")
		var in, out, errs bytes.Buffer
		for _, p := range list {
			if err := json.NewEncoder(&in).Encode(p); err != nil {
				t.Fatal(err)
			}
		}
		cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &errs
		err := cmd.Run()
		n := 0
		for d := json.NewDecoder(&out); ; n++ {
			var r result
			if d.Decode(&r) != nil {
				break
			}
			results[r.Seed] = r
		}
		if n < len(list) {
			s := list[n].Seed
			results[s] = result{Seed: s, Panic: fmt.Sprintf("the process is killed: %v: %s", err, shortened(errs.String()))}
			n++
		}
		list = list[n:]
	}
	return results
}

// runRandom is the process of the sessions.
func runRandom() int {
	out := bufio.NewWriter(os.Stdout)
	var s *repl.Session
	var printed bytes.Buffer
	in := json.NewDecoder(os.Stdin)
	for i := 0; in.More(); i++ {
		var p source
		err := in.Decode(&p)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		if i%20 == 0 {
			if s, err = repl.New(repl.Config{Stdin: strings.NewReader(""), Stdout: &printed, Stderr: io.Discard}); err == nil {
				_, err = s.Eval(context.Background(), preludeImports+preludeDecls)
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
		}
		printed.Reset()
		if err := json.NewEncoder(out).Encode(oneRandom(s, p, &printed)); err != nil {
			return 1
		}
		if out.Flush() != nil {
			return 1
		}
	}
	return 0
}

// oneRandom runs a program in a session, every other one with its body as
// statements of the cell.
func oneRandom(s *repl.Session, p source, printed *bytes.Buffer) result {
	body := p.Body
	if p.Seed%2 == 0 {
		body = fmt.Sprintf("func main_%d() {\n%s}\n\nmain_%[1]d()", p.Seed, body)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cells := p.Cells
	if cells == nil {
		cells = []string{fmt.Sprintf("fuel = %d\n%s%s", fuel, p.Decls, body)}
	}
	var err error
	for i := 0; i < len(cells) && err == nil; i++ {
		_, err = s.Eval(ctx, cells[i])
	}
	r := result{Seed: p.Seed, Output: bytes.Clone(printed.Bytes())}
	var e *repl.Error
	switch {
	case err == nil:
	case errors.As(err, &e) && e.Kind == "panic":
		r.Panic = strings.TrimPrefix(e.Message, "panic: ")
	case errors.As(err, &e) && (e.Kind == "compile" || e.Kind == "syntax" || e.Kind == "import"):
		r.Refused = e.Message
	default:
		r.Panic = "ends with " + err.Error()
	}
	return r
}
