package repl

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"symmom/repl/internal/assist"
	"symmom/repl/internal/gofront"
)

// command is a session command. Its name begins with a percent sign.
type command struct {
	name  string
	usage string // its arguments
	short string // what it does
	long  string // more about it
	cell  bool   // with two percent signs it applies to the lines that follow
	run   func(s *Session, c invocation) (Result, error)
}

// invocation is a command as typed.
type invocation struct {
	ctx     context.Context
	args    string // rest of the line
	body    string // the lines that follow, for two percent signs
	each    func([]any)
	problem func(format string, args ...any) error // returns an error that names the command
}

// commands returns all commands, in the order of %help.
func commands() []command {
	return []command{
		{"help", "[COMMAND]", "lists the commands, or explains one", "", false, runHelp},
		{"time", "STATEMENT", "runs Go and shows the elapsed time",
			"%%time in the first line of a cell times the whole cell. The processor time is that of all threads.",
			true, runTime},
		{"timeit", "STATEMENT", "runs Go repeatedly and shows the time of a run",
			"%%timeit in the first line of a cell times the whole cell. The time includes the loop itself, some ten nanoseconds.",
			true, runTimeit},
		{"run", "FILE.go [ARGUMENT ...]", "runs a file in a separate session, with os.Args",
			"Its declarations are not kept; %load evaluates a file as if it were typed.", false, runRun},
		{"bash", "", "in the first line of a cell: runs the lines below in bash",
			"A single command for the shell follows an exclamation mark: !ls. Both need --unrestricted.",
			true, runBash},
		{"capture", "[NAME]", "in the first line of a cell: keeps what it prints and shows in a variable",
			"NAME.Stdout and NAME.Stderr are what it prints, NAME.Shown has what it shows, its value last, and NAME.Show() " +
				"prints and shows it. Without a name it is dropped.", true, runCapture},
		{"compile", "", "in the first line of a cell: compiles the functions below, with Go where that is installed", compileHelp, true, runCompile},
		{"edit", "[N | NAME]", "opens an editor with cell N, a declaration or nothing, and runs what it leaves",
			"The editor is that of the environment variable VISUAL or EDITOR. Only sessions in a terminal have it.", false, runEdit},
		{"writefile", "[-f] FILE", "in the first line of a cell: writes the lines below to a file",
			"-f replaces a file that exists and differs.", true, runWriteFile},
		{"who", "[PREFIX]", "lists the declarations of the session", "", false, runWho},
		{"data", "", "lists the data that are loaded, what was made of them, and matrices", "", false, runData},
		{"history", "[N | TEXT]", "lists earlier cells: the last N, or those with TEXT", "",
			false, runHistory},
		{"load", "FILE.go", "evaluates a file as if it were typed", "", false, runLoad},
		{"save", "[-f] FILE.go", "writes the cells that ran without an error to a file",
			"The file can be run with %run, or loaded with %load. -f replaces a file that exists.",
			false, runSave},
		{"reset", "", "removes all declarations", "", false, runReset},
		{"cd", "[DIRECTORY]", "changes the working directory, or shows it", "", false, runCD},
		{"env", "[NAME | NAME=VALUE]", "shows the environment of the session, or sets a variable in it",
			"Cells read it with os.Getenv. The list hides values of names that look like secrets.",
			false, runEnv},
	}
}

func commandNamed(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

// eval implements Eval and EvalScript for a script called name. If each is not nil,
// it is called with the values of every top-level expression as they are computed.
func (s *Session) eval(ctx context.Context, name, source string, each func([]any)) (r Result, err error) {
	err = s.within(ctx, func(ctx context.Context) error {
		r, err = s.evalParts(ctx, name, source, each)
		return err
	})
	return r, err
}

func (s *Session) evalParts(ctx context.Context, name, source string, each func([]any)) (Result, error) {
	if ctx.Value(numberKey{}) == nil {
		ctx = context.WithValue(ctx, numberKey{}, int(s.inputs.Add(1)))
	}
	parts := s.assistant.Segments(source)
	if len(parts) == 1 && parts[0].Command == "" {
		r, err := s.evalGo(ctx, name, source, each)
		s.journal.add(r, source)
		return r, err
	}
	var r Result
	for i, p := range parts {
		var err error
		if p.Command == "" {
			// Blank lines preserve the segment's line numbers for errors.
			r, err = s.evalGo(ctx, name, strings.Repeat("\n", strings.Count(source[:p.Start], "\n"))+p.Body, each)
			s.journal.add(r, p.Body)
		} else {
			r, err = s.command(ctx, p, each)
			if each != nil && err == nil && len(r.Values) > 0 {
				each(r.Values)
				r.Values = nil
			}
			if e, ok := err.(*gofront.Error); ok && e.Kind == "command" && len(parts) > 1 {
				e.Line, e.Source, e.Name = 1+strings.Count(source[:p.Start], "\n"), p.Command, name
			}
		}
		if i < len(parts)-1 && err == nil && len(r.Values) > 0 { // the result of the cell is that of its last part
			err = s.Call(ctx, func() { s.display(Display{Result: Result{Values: r.Values}}) })
		}
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

// command runs a line that is a session command.
func (s *Session) command(ctx context.Context, p assist.Segment, each func([]any)) (Result, error) {
	if line, is := strings.CutPrefix(p.Command, "!"); is {
		return Result{}, s.shell(ctx, "sh", line, func(format string, args ...any) error {
			return &gofront.Error{Kind: "command", Message: p.Command + ": " + fmt.Sprintf(format, args...)}
		})
	}
	if strings.HasPrefix(p.Command, "?") || strings.HasSuffix(p.Command, "?") {
		return s.ask(p.Command)
	}
	word, args, _ := strings.Cut(strings.TrimLeft(p.Command, "%"), " ")
	percent := p.Command[:len(p.Command)-len(strings.TrimLeft(p.Command, "%"))]
	problem := func(format string, args ...any) error {
		return &gofront.Error{Kind: "command", Message: percent + word + ": " + fmt.Sprintf(format, args...)}
	}
	c, ok := commandNamed(word)
	switch {
	case word == "":
		return Result{}, &gofront.Error{Kind: "command", Message: "a command follows the percent sign; %help lists them"}
	case !ok:
		if near := nearest(word); near != "" {
			return Result{}, problem("no such command; did you mean %%%s? (%%help lists all)", near)
		}
		return Result{}, problem("no such command; %%help lists them")
	case len(percent) > 2 || len(percent) == 2 && !c.cell:
		return Result{}, problem("it takes no whole cell; write %%%s", word)
	case len(percent) == 1 && word == "capture":
		return Result{}, problem("write %%%%capture, with the Go in the lines below")
	case len(percent) == 1 && word == "compile":
		return Result{}, problem("write %%%%compile, with functions in the lines below")
	case len(percent) == 1 && word == "writefile":
		return Result{}, problem("write %%%%writefile, with the text in the lines below")
	case len(percent) == 1 && word == "bash":
		return Result{}, problem("write %%%%bash, with the commands in the lines below, or !COMMAND")
	}
	return c.run(s, invocation{ctx, strings.TrimSpace(args), p.Body, each, problem})
}

// nearest returns the command closest to a misspelt one, or "" if none is close.
func nearest(word string) string {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return gofront.Nearest(word, names)
}

// ask answers ?name and name?.
func (s *Session) ask(line string) (Result, error) {
	name := strings.TrimSpace(strings.Trim(line, "?"))
	detail := strings.Count(line, "?") - 1
	if name == "" {
		return runHelp(s, invocation{})
	}
	if strings.HasPrefix(name, "%") {
		if i, ok := inspectCommand(name); ok {
			return Result{Values: []any{i}}, nil
		}
		return Result{}, &gofront.Error{Kind: "command", Message: name + ": no such command; %help lists them"}
	}
	i, ok := s.Inspect(name, len(name), detail)
	if !ok && strings.Contains(name, "/") {
		i, ok = assist.InspectPackage(name), s.front.Library.Name(name) != ""
	}
	if !ok {
		return Result{}, &gofront.Error{Kind: "command", Message: fmt.Sprintf("%s is unknown; want a name, a package or a method, such as ?%s", name, s.loads())}
	}
	return Result{Values: []any{i}}, nil
}

func inspectCommand(name string) (assist.Inspection, bool) {
	c, ok := commandNamed(strings.Trim(name, "%"))
	if !ok {
		return assist.Inspection{}, false
	}
	doc := strings.ToUpper(c.short[:1]) + c.short[1:] + "."
	if c.long != "" {
		doc += "\n\n" + c.long
	}
	return assist.Inspection{Signature: strings.TrimSpace("%" + c.name + " " + c.usage), Kind: "command", Doc: doc}, true
}

// completeCommand completes the name or the argument of a command.
func (s *Session) completeCommand(source string, cursor int) (assist.Completions, bool) {
	line := source[strings.LastIndexByte(source[:cursor], '\n')+1 : cursor]
	text := strings.TrimLeft(line, " \t")
	if !strings.HasPrefix(text, "%") && !strings.HasPrefix(text, "?") {
		return assist.Completions{}, false
	}
	found := false
	for _, p := range s.assistant.Segments(source[:cursor]) {
		found = found || p.Command != "" && strings.HasSuffix(source[:cursor], text) && p.Start >= cursor-len(line)
	}
	if strings.HasPrefix(text, "?") {
		name := strings.TrimLeft(text, "? ")
		out := s.assistant.CompleteGo(name, len(name))
		out.Start, out.End = out.Start+cursor-len(name), out.End+cursor-len(name)
		return out, true
	}
	if !found {
		return assist.Completions{}, false
	}
	word, args, argument := strings.Cut(text, " ")
	if !argument {
		out := assist.Completions{Start: cursor - len(text), End: cursor}
		percent := text[:len(text)-len(strings.TrimLeft(text, "%"))]
		for _, c := range commands() {
			if percent == "%" || percent == "%%" && c.cell {
				out.Items = append(out.Items, assist.Completion{Text: percent + c.name, Kind: "command", Signature: c.usage, Doc: c.short})
			}
		}
		out.Items = assist.Matching(out.Items, text)
		return out, true
	}
	args = strings.TrimLeft(args, " ")
	switch strings.TrimLeft(word, "%") {
	case "load", "run", "save", "writefile", "cd":
		return assist.CompleteFile(assist.Completions{Start: cursor, End: cursor}, strings.TrimPrefix(args, "-f ")), true
	case "time", "timeit":
		out := s.assistant.CompleteGo(args, len(args))
		out.Start, out.End = out.Start+cursor-len(args), out.End+cursor-len(args)
		return out, true
	case "who":
		out := assist.Completions{Start: cursor - len(args), End: cursor}
		out.Items = assist.Matching(s.declared(), args)
		return out, true
	case "help":
		out := assist.Completions{Start: cursor - len(args), End: cursor}
		for _, c := range commands() {
			out.Items = append(out.Items, assist.Completion{Text: c.name, Kind: "command", Signature: c.usage, Doc: c.short})
		}
		out.Items = assist.Matching(out.Items, args)
		return out, true
	}
	return assist.Completions{Start: cursor, End: cursor}, true
}

// declared returns the names declared by cells.
func (s *Session) declared() []assist.Completion {
	sc := s.assistant.Declarations.Snapshot()
	var list []gofront.Member
	for _, o := range sc.Objects {
		list = append(list, gofront.Member{Object: o})
	}
	out := sc.Completions(list, "")
	slices.SortFunc(out, func(a, b assist.Completion) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), gofront.CompareNames(a.Text, b.Text))
	})
	return out
}

// journal records what was evaluated, for %history and %save.
type journal struct {
	mu      sync.Mutex
	entries []journalEntry
}

type journalEntry struct {
	cell     int
	source   string
	portable *portable // nil if it ended with an error
}

// journalLimit is the maximum number of entries.
const journalLimit = 10000

func (j *journal) add(r Result, source string) {
	if source = strings.TrimSpace(source); source == "" {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.entries) >= journalLimit {
		j.entries = append(j.entries[:0], j.entries[journalLimit/10:]...)
	}
	j.entries = append(j.entries, journalEntry{r.Cell, source, r.portable})
}

func (j *journal) all() []journalEntry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.entries)
}
