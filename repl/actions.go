package repl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"symmom/internal/store/atomicfile"
	"symmom/internal/system/clock"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
	"symmom/repl/internal/display"
)

// Functions that run the commands; see commands.

func answer(v ...any) (Result, error) { return Result{Values: v}, nil }

func runHelp(s *Session, c invocation) (Result, error) {
	if c.args != "" {
		i, ok := inspectCommand(c.args)
		if !ok {
			return Result{}, c.problem("there is no command %s; %%help lists them", c.args)
		}
		return answer(i)
	}
	l := display.Listing{Head: []string{"command", "what it does"}}
	for _, c := range commands() {
		l.Rows = append(l.Rows, []string{strings.TrimSpace("%" + c.name + " " + c.usage), c.short})
	}
	l.Rows = append(l.Rows,
		[]string{"?NAME or NAME?", "explains a name: ?" + s.loads() + ", x.Method?, x?"},
		[]string{"??NAME or NAME??", "shows its source too"},
		[]string{"!COMMAND", "runs a command in the system's shell"},
		[]string{"_ and Out[N]", "the last value, and that of cell N, where cells have numbers"})
	return answer(l)
}

func runTime(s *Session, c invocation) (Result, error) {
	source := c.args
	if c.body != "" {
		source += "\n" + c.body
	}
	if strings.TrimSpace(source) == "" {
		return Result{}, c.problem("expected Go to run: %%time fit := data.Moment(3).Decompose(5)")
	}
	wall, cpu := time.Now(), clock.Processor()
	r, err := s.evalGo(c.ctx, "", source, c.each)
	s.journal.add(r, source)
	line := "time: " + round(time.Since(wall)).String()
	if used := clock.Processor() - cpu; used > 0 {
		line += ", processor " + round(used).String()
	}
	fmt.Fprintln(s.config.Stdout, line)
	return r, err
}

// round rounds to three digits.
func round(d time.Duration) time.Duration {
	for unit := time.Nanosecond; unit < time.Second*100; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit)
		}
	}
	return d.Round(time.Second)
}

// signatureWidth limits the types in a list of names.
const signatureWidth = 60

func runWho(s *Session, c invocation) (Result, error) {
	defer s.enter(c.ctx)()
	held := s.globals()
	l := display.Listing{Head: []string{"name", "kind", "type", "shape", "value"}, Empty: "nothing has been declared"}
	if c.args != "" {
		l.Empty = "nothing that has been declared begins with " + c.args
	}
	for _, d := range s.declared() {
		if strings.HasPrefix(d.Text, c.args) && !s.isOutput(d.Text) {
			shape, line, err := s.summary(c.ctx, held[d.Text])
			if err != nil {
				return Result{}, err
			}
			l.Rows = append(l.Rows, []string{d.Text, d.Kind, display.Shorten(d.Signature, signatureWidth), shape, line})
		}
	}
	return answer(l)
}

func runData(s *Session, c invocation) (Result, error) {
	if c.args != "" {
		return Result{}, c.problem("takes no arguments; %%who PREFIX lists variables by name")
	}
	defer s.enter(c.ctx)()
	held := s.globals()
	l := display.Listing{Head: []string{"name", "what", "summary"}, Empty: "no data is loaded"}
	if load := s.config.Library.Load; load != "" {
		l.Empty += "; begin with data := " + load + `("FILE")`
	}
	for _, d := range s.declared() {
		v := held[d.Text]
		what, _ := s.describe(v)
		if what == "" {
			continue
		}
		_, line, err := s.summary(c.ctx, v)
		if err != nil {
			return Result{}, err
		}
		l.Rows = append(l.Rows, []string{d.Text, what, line})
	}
	return answer(l)
}

func runHistory(s *Session, c invocation) (Result, error) {
	entries := s.journal.all()
	if n, err := strconv.Atoi(c.args); err == nil {
		if n <= 0 {
			return Result{}, c.problem("expected a number of cells above 0, got %d", n)
		}
		entries = entries[max(0, len(entries)-n):]
	} else if c.args != "" {
		entries = slices.DeleteFunc(entries, func(e journalEntry) bool { return !strings.Contains(e.source, c.args) })
	}
	var b strings.Builder
	for _, e := range entries {
		mark := " "
		if e.portable == nil {
			mark = "!"
		}
		number := ""
		if e.cell > 0 {
			number = strconv.Itoa(e.cell)
		}
		fmt.Fprintf(&b, "%4s %s %s\n", number, mark, strings.ReplaceAll(e.source, "\n", "\n       "))
	}
	if b.Len() == 0 {
		if c.args == "" {
			return answer(plainText("nothing was evaluated yet"))
		}
		return answer(plainText("no cell has " + c.args))
	}
	return answer(plainText(strings.TrimRight(b.String(), "\n")))
}

// plainText is text that is displayed unchanged.
type plainText string

func (t plainText) String() string { return string(t) }

func runLoad(s *Session, c invocation) (Result, error) {
	if c.args == "" {
		return Result{}, c.problem("expected a file of Go: %%load FILE.go (data is read by %s)", s.loads())
	}
	name := unquote(c.args)
	data, err := os.ReadFile(name)
	if err != nil {
		return Result{}, c.problem("%v", diag.Open(name, err))
	}
	each := c.each
	if each == nil {
		each = func(values []any) { s.display(Display{Result: Result{Values: values}}) }
	}
	r, err := s.eval(c.ctx, name, string(data), each)
	return Result{Cell: r.Cell}, err
}

// runRun runs a file, as symmom repl FILE.go does.
func runRun(s *Session, c invocation) (Result, error) {
	args := strings.Fields(c.args)
	if len(args) == 0 {
		return Result{}, c.problem("expected a file of Go: %%run FILE.go")
	}
	args[0] = unquote(args[0])
	data, err := os.ReadFile(args[0])
	if err != nil {
		return Result{}, c.problem("%v", diag.Open(args[0], err))
	}
	config := s.config
	config.Args = args
	own, err := New(config)
	if err != nil {
		return Result{}, c.problem("%v", err)
	}
	defer own.Close()
	_, err = own.eval(c.ctx, args[0], string(data), func([]any) {})
	if exit, ok := errors.AsType[*ExitError](err); ok {
		if exit.Code == 0 {
			return Result{}, nil
		}
		return Result{}, c.problem("%s ended with os.Exit(%d)", args[0], exit.Code)
	}
	return Result{}, err
}

// unquote removes the quotes that people put around file names.
func unquote(s string) string {
	if u, err := strconv.Unquote(s); err == nil {
		return u
	}
	return s
}

func runSave(s *Session, c invocation) (Result, error) {
	args, force := strings.CutPrefix(c.args, "-f ")
	name := unquote(strings.TrimSpace(args))
	if name == "" || name == "-f" {
		return Result{}, c.problem("expected a file to write: %%save FILE.go")
	}
	if _, err := os.Stat(name); err == nil && !force {
		return Result{}, c.problem("%s exists; %%save -f %s replaces it", name, name)
	}
	var b strings.Builder
	cells := slices.DeleteFunc(s.journal.all(), func(e journalEntry) bool { return e.portable == nil })
	needed := map[int]bool{}
	for _, e := range cells {
		for _, number := range e.portable.uses {
			needed[number] = true
		}
	}
	n := len(cells)
	for _, e := range cells {
		b.WriteString(strings.TrimSpace(e.portable.program(needed)) + "\n\n")
	}
	if n == 0 {
		return Result{}, c.problem("no cell has run without an error yet, so there is nothing to save")
	}
	if err := atomicfile.Write(name, []byte(strings.TrimRight(b.String(), "\n")+"\n")); err != nil {
		return Result{}, c.problem("%s: %v", name, err)
	}
	return answer(plainText(fmt.Sprintf("%s written to %s", words.Plural(n, "cell"), name)))
}

func runWriteFile(_ *Session, c invocation) (Result, error) {
	args, force := strings.CutPrefix(c.args, "-f ")
	name := unquote(strings.TrimSpace(args))
	if name == "" || name == "-f" {
		return Result{}, c.problem("expected a file to write: %%%%writefile FILE")
	}
	text := strings.TrimRight(c.body, "\n") + "\n"
	if before, err := os.ReadFile(name); err == nil && string(before) != text && !force {
		return Result{}, c.problem("%s exists; %%%%writefile -f %s replaces it", name, name)
	}
	if err := atomicfile.Write(name, []byte(text)); err != nil {
		return Result{}, c.problem("%s: %v", name, err)
	}
	return answer(plainText(fmt.Sprintf("%s written to %s", words.Plural(strings.Count(text, "\n"), "line"), name)))
}

func runReset(s *Session, c invocation) (Result, error) {
	if c.args != "" {
		return Result{}, c.problem("takes no arguments; it forgets everything")
	}
	defer s.enter(c.ctx)()
	if err := s.awaitPending(c.ctx); err != nil {
		return Result{}, err
	}
	if s.busy() {
		return Result{}, c.problem("a cell runs beside this one; interrupt it, or wait for its end")
	}
	s.Close()
	if err := s.start(); err != nil {
		return Result{}, err
	}
	return answer(plainText("everything that was declared is forgotten"))
}

func runCD(_ *Session, c invocation) (Result, error) {
	if dir := unquote(c.args); dir != "" {
		if rest, home := strings.CutPrefix(dir, "~"); home && (rest == "" || os.IsPathSeparator(rest[0])) {
			h, err := os.UserHomeDir()
			if err != nil {
				return Result{}, c.problem("%v", err)
			}
			dir = filepath.Join(h, rest)
		}
		if err := os.Chdir(dir); err != nil {
			return Result{}, c.problem("%v", diag.Open(dir, err))
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return Result{}, c.problem("%v", err)
	}
	return answer(plainText(dir))
}

// secret finds the names of variables that hold secrets, and secretValue values with one
// in them: connection strings, and users with passwords in addresses.
var (
	secret      = regexp.MustCompile(`(?i)key|token|secret|passw|credential|cookie|auth`)
	secretValue = regexp.MustCompile(`(?i)(key|token|secret|pass(w(or)?d)?|pwd|sig)\s*=|//[^/\s]*@|:[^/\s:@]+@`)
)

// runEnv operates on the environment that cells see: a copy of the process's own,
// unless the session is unrestricted.
func runEnv(s *Session, c invocation) (Result, error) {
	system := s.interp.Symbols("os")["os/os"]
	if system == nil {
		system = s.interp.Symbols("os")["os"]
	}
	name, value, set := strings.Cut(c.args, "=")
	name = strings.TrimSpace(name)
	switch {
	case set:
		f, ok := lookup[func(string, string) error](system, "Setenv")
		if !ok {
			return Result{}, c.problem("the session has no environment")
		}
		if err := f(name, unquote(strings.TrimSpace(value))); err != nil {
			return Result{}, c.problem("%v; expected NAME=VALUE", err)
		}
		return Result{}, nil
	case name != "":
		f, ok := lookup[func(string) (string, bool)](system, "LookupEnv")
		if !ok {
			return Result{}, c.problem("the session has no environment")
		}
		value, there := f(name)
		if !there {
			return Result{}, c.problem("%s is not set; %%env %s=VALUE sets it", name, name)
		}
		return answer(plainText(value))
	}
	f, ok := lookup[func() []string](system, "Environ")
	if !ok {
		return Result{}, c.problem("the session has no environment")
	}
	l := display.Listing{Head: []string{"name", "value"}, Empty: "the environment is empty"}
	all := f()
	slices.Sort(all)
	for _, kv := range all {
		name, value, _ := strings.Cut(kv, "=")
		if secret.MatchString(name) || secretValue.MatchString(value) {
			value = "(not shown)"
		}
		l.Rows = append(l.Rows, []string{name, display.Shorten(value, 100)})
	}
	return answer(l)
}

// lookup returns a function from one of the interpreter's symbol tables.
func lookup[F any](table map[string]reflect.Value, name string) (F, bool) {
	var none F
	v, ok := table[name]
	if !ok || !v.IsValid() || !v.CanInterface() {
		return none, false
	}
	f, ok := v.Interface().(F)
	return f, ok
}
