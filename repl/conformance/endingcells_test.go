package conformance

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"symmom/lab"
	"symmom/repl/internal/gofront"
)

// endingsPrelude is what every attempt can use.
const endingsPrelude = `import (
	"bufio"; "bytes"; "context"; "crypto/aes"; "crypto/sha256"; "crypto/tls"; "errors"; "hash"; "image"; "image/color"; "io"; "io/fs"
	"log"; "math/rand"; "net"; "net/http"; "net/http/httptest"; "os"; "reflect"; "regexp"; "runtime"; "strings"; "sync"; "text/template"; "time"
)
var _, _, _, _, _, _, _, _, _, _, _ = bufio.NewReader, bytes.NewReader, aes.NewCipher, sha256.New, errors.New, image.Rect, color.RGBAModel, rand.NewSource, reflect.TypeOf, regexp.MustCompile, template.New
var _, _, _, _, _, _ = tls.Dial, fs.Stat, runtime.GC, os.Exit, log.Fatal, strings.ToLower
var _ hash.Hash
var _ sync.Mutex
log.SetOutput(io.Discard)
var hits int
var srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body); io.WriteString(w, "ok") }))
srv.Config.ErrorLog = log.New(io.Discard, "", 0)
func address() string { return srv.Listener.Addr().String() }
func conn() net.Conn { c, _ := net.Dial("tcp", address()); return c }
func listen() net.Listener { l, _ := net.Listen("tcp", "127.0.0.1:0"); go func() { time.Sleep(2*time.Millisecond); c, err := net.Dial("tcp", l.Addr().String()); if err == nil { io.WriteString(c, "GET / HTTP/1.0\r\n\r\n"); time.Sleep(20*time.Millisecond); c.Close() }; l.Close() }(); return l }
func request() *http.Request { r, _ := http.NewRequest("POST", srv.URL, strings.NewReader("body")); return r }
func use(f func()) {
	done := make(chan bool)
	go func() { defer close(done); defer func() { recover() }(); f() }()
	select {
	case <-done:
	case <-time.After(60*time.Millisecond):
	}
}
`

// hostile are what the functions do that are handed over.
var hostile = []struct{ name, does string }{
	{"panics", `panic("P")`},
	{"goexits", `runtime.Goexit()`},
	{"exits", `os.Exit(3)`},
	{"is fatal", `log.Fatal("P")`},
	{"blocks", `time.Sleep(time.Hour)`},
}

// plausible are values of types for the other arguments.
var plausible = map[string]string{
	"context.Context": "context.Background()", "io.Reader": `strings.NewReader("GET / HTTP/1.0\r\n\r\n")`, "io.Writer": "new(bytes.Buffer)",
	"io.ReadCloser": `io.NopCloser(strings.NewReader("x"))`, "io.ReadWriteCloser": "conn()", "io.ReaderAt": `strings.NewReader("xyz")`, "io.ReadSeeker": `strings.NewReader("xyz")`,
	"io.RuneReader": `strings.NewReader("xyz")`, "io.ReadWriter": "new(bytes.Buffer)", "io.WriteCloser": "conn()", "io.ByteReader": `strings.NewReader("xyz")`,
	"net.Conn": "conn()", "net.Listener": "listen()", "*net/http.Request": "request()", "net/http.ResponseWriter": "httptest.NewRecorder()",
	"net/http.Handler": "http.NotFoundHandler()", "net/http.RoundTripper": "http.DefaultTransport", "net/http.FileSystem": `http.Dir(".")`,
	"io/fs.FS": `os.DirFS(".")`, "error": `errors.New("x")`, "[]byte": `[]byte("xyz")`, "time.Duration": "5*time.Millisecond", "time.Time": "time.Now()",
	"*regexp.Regexp": `regexp.MustCompile("x")`, "*text/template.Template": `template.Must(template.New("x").Parse("{{.}}"))`,
	"*crypto/tls.Config": "&tls.Config{InsecureSkipVerify: true}", "*log.Logger": `log.New(io.Discard, "", 0)`,
	"image.Image": "image.NewRGBA(image.Rect(0, 0, 4, 4))", "image/draw.Image": "image.NewRGBA(image.Rect(0, 0, 4, 4))", "image.Rectangle": "image.Rect(0, 0, 4, 4)",
	"*image.RGBA": "image.NewRGBA(image.Rect(0, 0, 4, 4))", "image/color.Color": "color.RGBA{1, 2, 3, 4}", "image/color.Model": "color.RGBAModel", "hash.Hash": "sha256.New()",
	"func() hash.Hash": "sha256.New", "*bytes.Buffer": `bytes.NewBufferString("xyz")`, "*bufio.Reader": `bufio.NewReader(strings.NewReader("xyz"))`,
	"*bufio.Writer": "bufio.NewWriter(new(bytes.Buffer))", "math/rand.Source": "rand.NewSource(1)", "reflect.Type": "reflect.TypeOf(1)", "reflect.Value": "reflect.ValueOf(1)",
	"any": "1", "[]float64": "[]float64{1, 2}", "net.Addr": "srv.Listener.Addr()", "sync.Locker": "new(sync.Mutex)", "*os.File": "os.Stdin",
	"crypto/cipher.Block":           "func() cipher.Block { b, _ := aes.NewCipher(make([]byte, 16)); return b }()",
	"gonum.org/v1/gonum/mat.Matrix": "mat.NewDense(2, 2, []float64{2, 1, 1, 3})", "*gonum.org/v1/gonum/mat.Dense": "mat.NewDense(2, 2, []float64{2, 1, 1, 3})",
	"gonum.org/v1/gonum/mat.Vector": "mat.NewVecDense(2, []float64{1, 2})", "gonum.org/v1/gonum/mat.Symmetric": "mat.NewSymDense(2, []float64{2, 1, 1, 3})",
	"*net/http.Server": "&http.Server{}", "*net/http.Client": "srv.Client()", "os.Signal": "os.Interrupt", "*symmom/symmom.Session": "datasets.Digits()",
	"sort.Interface": "sort.IntSlice([]int{3, 1, 2})",
}

// named are values of parameters by their names.
var named = map[string]string{
	"network": `"tcp"`, "address": "address()", "addr": "address()", "url": "srv.URL", "target": `"/"`, "method": `"GET"`, "root": `"."`, "dir": `"."`,
	"pattern": `"/p" + fmt.Sprint(time.Now().UnixNano())`, "path": `"."`, "host": `"127.0.0.1"`, "name": `"n" + fmt.Sprint(time.Now().UnixNano())`,
}

// endingWriter writes the cells.
type endingWriter struct {
	imports map[string]string // path -> alias
	decls   strings.Builder
	count   int
	depth   int
	failed  bool // a type that a cell cannot write
}

var endingPackages map[string]*types.Package

// title names a package in a cell.
func (w *endingWriter) title(p *types.Package) string {
	if p.Path() == "main" {
		return ""
	}
	if _, known := endingPackages[p.Path()]; !known {
		w.failed = true
	}
	if slices.Contains(gofront.Preloaded, p.Path()) || slices.Contains(lab.Library().Preloaded, p.Path()) {
		return p.Name()
	}
	alias := "z_" + strings.NewReplacer("/", "_", ".", "_").Replace(p.Path())
	w.imports[p.Path()] = alias
	return alias
}

func (w *endingWriter) typ(t types.Type) string {
	if !writable(t, 0) {
		w.failed = true
	}
	return types.TypeString(t, w.title)
}

// writable reports whether a cell can write a type.
func writable(t types.Type, depth int) bool {
	if depth > 8 {
		return true
	}
	switch t := t.(type) {
	case *types.Named:
		return t.Obj().Exported() || t.Obj().Pkg() == nil
	case *types.Alias:
		return t.Obj().Exported() || t.Obj().Pkg() == nil
	case *types.TypeParam:
		return false
	case *types.Pointer:
		return writable(t.Elem(), depth+1)
	case *types.Slice:
		return writable(t.Elem(), depth+1)
	case *types.Array:
		return writable(t.Elem(), depth+1)
	case *types.Chan:
		return writable(t.Elem(), depth+1)
	case *types.Map:
		return writable(t.Key(), depth+1) && writable(t.Elem(), depth+1)
	case *types.Signature:
		for v := range t.Params().Variables() {
			if !writable(v.Type(), depth+1) {
				return false
			}
		}
		for v := range t.Results().Variables() {
			if !writable(v.Type(), depth+1) {
				return false
			}
		}
	}
	return true
}

// value writes a plausible value of a type.
func (w *endingWriter) value(name string, t types.Type) string {
	key := types.TypeString(t, nil)
	if key == "string" && named[name] != "" {
		return named[name]
	}
	if x := plausible[key]; x != "" {
		for path, short := range map[string]string{"crypto/cipher": "cipher.", "symmom/datasets": "", "sort": "sort."} {
			if short != "" && strings.Contains(x, short) {
				x = strings.ReplaceAll(x, short, w.title(endingPackages[path])+".")
			}
		}
		return x
	}
	w.depth++
	defer func() { w.depth-- }()
	typ := w.typ(t)
	if made := w.made(t); made != "" {
		return made
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return typ + `("x")`
		case u.Info()&types.IsNumeric != 0:
			return typ + "(1)"
		case u.Info()&types.IsBoolean != 0:
			return typ + "(true)"
		}
	case *types.Pointer:
		if _, is := u.Elem().Underlying().(*types.Struct); is {
			return "new(" + w.typ(u.Elem()) + ")"
		}
		return "new(" + w.typ(u.Elem()) + ")"
	case *types.Slice:
		if w.depth < 3 {
			return typ + "{" + w.value("", u.Elem()) + "}"
		}
		return typ + "{}"
	case *types.Map:
		return typ + "{}"
	case *types.Chan:
		if u.Dir() == types.SendRecv {
			return "make(" + typ + ", 1)"
		}
		return "make(chan " + w.typ(u.Elem()) + ", 1)"
	case *types.Struct, *types.Array:
		return typ + "{}"
	case *types.Signature:
		return w.function(u, "")
	}
	return "*new(" + typ + ")"
}

// made writes a call of a function that makes a value of a type.
func (w *endingWriter) made(t types.Type) string {
	named, is := types.Unalias(t).(*types.Named)
	if p, pointer := types.Unalias(t).(*types.Pointer); pointer {
		named, is = types.Unalias(p.Elem()).(*types.Named)
	}
	if !is || named.Obj().Pkg() == nil || w.depth > 3 {
		return ""
	}
	pkg := endingPackages[named.Obj().Pkg().Path()]
	if pkg == nil {
		return ""
	}
	var best *types.Func
	for _, name := range pkg.Scope().Names() {
		f, is := pkg.Scope().Lookup(name).(*types.Func)
		if !is || !f.Exported() || f.Signature().TypeParams().Len() > 0 || !strings.HasPrefix(name, "New") && !strings.HasPrefix(name, "Create") && !strings.HasPrefix(name, "Parse") {
			continue
		}
		res := f.Signature().Results()
		if res.Len() == 0 || res.Len() > 2 || !types.Identical(res.At(0).Type(), t) || res.Len() == 2 && res.At(1).Type().String() != "error" {
			continue
		}
		if best == nil || f.Signature().Params().Len() < best.Signature().Params().Len() {
			best = f
		}
	}
	if best == nil {
		return ""
	}
	call := w.title(pkg) + "." + best.Name() + "(" + strings.Join(w.arguments(best.Signature(), -1, ""), ", ") + ")"
	if best.Signature().Results().Len() == 2 {
		return "func() " + w.typ(t) + " { v, _ := " + call + "; return v }()"
	}
	return call
}

// arguments writes the arguments of a call; the one numbered at is given.
func (w *endingWriter) arguments(sig *types.Signature, at int, given string) []string {
	var out []string
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		switch t := v.Type(); {
		case i == at:
			out = append(out, given)
		case sig.Variadic() && i == sig.Params().Len()-1:
			if s, is := t.(*types.Slice); is && at < 0 {
				out = append(out, w.value(v.Name(), s.Elem()))
			}
		default:
			out = append(out, w.value(v.Name(), t))
		}
	}
	return out
}

// function writes a function that does something and returns zero values.
func (w *endingWriter) function(sig *types.Signature, does string) string {
	return "func" + w.signature(sig) + " { " + does + "; return }"
}

func (w *endingWriter) signature(sig *types.Signature) string {
	var in, out []string
	for i := range sig.Params().Len() {
		t := w.typ(sig.Params().At(i).Type())
		if sig.Variadic() && i == sig.Params().Len()-1 {
			t = "..." + strings.TrimPrefix(t, "[]")
		}
		in = append(in, fmt.Sprintf("a%d %s", i, t))
	}
	for i := range sig.Results().Len() {
		out = append(out, fmt.Sprintf("r%d %s", i, w.typ(sig.Results().At(i).Type())))
	}
	return "(" + strings.Join(in, ", ") + ") (" + strings.Join(out, ", ") + ")"
}

// hostileValues writes values of a type that do something when they are called, by the
// method that does; nil if the type cannot have any.
func (w *endingWriter) hostileValues(t types.Type, does string) map[string]string {
	does = "hits++; " + does
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return map[string]string{"": w.function(u, does)}
	case *types.Interface:
		if u.NumMethods() == 0 || types.TypeString(t, nil) == "reflect.Type" {
			return nil
		}
		for m := range u.Methods() {
			if !m.Exported() || !writable(m.Signature(), 0) {
				return nil
			}
		}
		inner := w.value("", t)
		out := map[string]string{}
		for bad := range u.Methods() {
			w.count++
			name := "H" + strconv.Itoa(w.count)
			fmt.Fprintf(&w.decls, "type %s struct{ v %s }\n", name, w.typ(t))
			for m := range u.Methods() {
				body := does + "; return"
				if m != bad && !strings.HasPrefix(inner, "*new(") {
					var args []string
					for i := range m.Signature().Params().Len() {
						args = append(args, fmt.Sprintf("a%d", i))
					}
					dots := ""
					if m.Signature().Variadic() {
						dots = "..."
					}
					body = "h.v." + m.Name() + "(" + strings.Join(args, ", ") + dots + ")"
					if m.Signature().Results().Len() > 0 {
						body = "return " + body
					}
				} else if m != bad {
					body = "return"
				}
				fmt.Fprintf(&w.decls, "func (h %s) %s%s { %s }\n", name, m.Name(), w.signature(m.Signature()), body)
			}
			out[bad.Name()] = name + "{" + inner + "}"
		}
		return out
	}
	return nil
}

// holdsFunctions reports whether hostileValues has any for a type.
func holdsFunctions(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Interface:
		return u.NumMethods() > 0
	}
	return false
}

// uses writes calls of the methods of x, of a type, each in a goroutine of its own.
func (w *endingWriter) uses(x string, t types.Type) string {
	if basic, is := t.Underlying().(*types.Basic); is && basic != nil || types.TypeString(t, nil) == "error" || !writable(t, 0) {
		return ""
	}
	var b strings.Builder
	set := types.NewMethodSet(t)
	for i := range min(set.Len(), 24) {
		m, is := set.At(i).Obj().(*types.Func)
		if !is || !m.Exported() {
			continue
		}
		inner := &endingWriter{imports: w.imports, depth: 2}
		args := strings.Join(inner.arguments(m.Signature(), -1, ""), ", ")
		if inner.failed {
			continue
		}
		fmt.Fprintf(&b, "use(func() { %s.%s(%s) })\n", x, m.Name(), args)
	}
	return b.String()
}

// after writes the use of what a call gives.
func (w *endingWriter) after(x, call string, sig *types.Signature) string {
	n := sig.Results().Len()
	if n == 0 {
		return "use(func() { " + call + " })\n"
	}
	first := sig.Results().At(0).Type()
	use := w.uses(x, first)
	if use == "" {
		return "use(func() { " + call + " })\n"
	}
	return "use(func() {\n" + x + strings.Repeat(", _", n-1) + " := " + call + "\n" + use + "})\n"
}

// endingAttempts returns all attempts.
func endingAttempts(t *testing.T) []attempt {
	endingPackages = map[string]*types.Package{}
	if err := gofront.AddTypes(lab.Library().Types); err != nil {
		t.Fatal(err)
	}
	paths := importable(t)
	for _, path := range paths {
		pkg, err := gofront.ImportTypes(path)
		if err != nil {
			t.Fatal(err)
		}
		endingPackages[path] = pkg
	}
	var out []attempt
	add := func(w *endingWriter, name, body string) {
		if w.failed {
			return
		}
		var imports strings.Builder
		for path, alias := range w.imports {
			if regexp.MustCompile(`\b` + alias + `\b`).MatchString(body + w.decls.String()) {
				fmt.Fprintf(&imports, "import %s %q\n", alias, path)
			}
		}
		out = append(out, attempt{Name: name, Import: imports.String(), Decls: w.decls.String(), Body: body})
	}
	each := func(place string, t types.Type, write func(w *endingWriter, value string) string) {
		for _, h := range hostile {
			probe := &endingWriter{imports: map[string]string{}}
			for method := range probe.hostileValues(t, h.does) {
				w := &endingWriter{imports: map[string]string{}}
				value := w.hostileValues(t, h.does)[method]
				how := h.name
				if method != "" {
					how = method + " " + how
				}
				add(w, place+" "+how, write(w, value))
			}
		}
	}
	function := func(place string, fun func(w *endingWriter) string, sig *types.Signature) {
		for i := range sig.Params().Len() {
			typ := sig.Params().At(i).Type()
			if s, is := typ.(*types.Slice); is && sig.Variadic() && i == sig.Params().Len()-1 {
				typ = s.Elem()
			}
			each(fmt.Sprintf("%s(%d)", place, i), typ, func(w *endingWriter, value string) string {
				return w.after("x", fun(w)+"("+strings.Join(w.arguments(sig, i, value), ", ")+")", sig)
			})
		}
	}
	for _, path := range paths {
		pkg := endingPackages[path]
		for _, name := range pkg.Scope().Names() {
			switch o := pkg.Scope().Lookup(name).(type) {
			case *types.Func:
				if sig := instanceSignature(o.Signature()); o.Exported() && sig != nil {
					function(path+"."+name, func(w *endingWriter) string { return w.title(pkg) + "." + name }, sig)
				}
			case *types.TypeName:
				n, is := o.Type().(*types.Named)
				if !o.Exported() || !is || o.IsAlias() || n.TypeParams().Len() > 0 {
					continue
				}
				p := types.NewPointer(n)
				receiver := types.Type(p)
				if types.IsInterface(n) {
					receiver = n
				}
				set := types.NewMethodSet(receiver)
				for i := range set.Len() {
					m, is := set.At(i).Obj().(*types.Func)
					if is && m.Exported() && m.Pkg() == pkg && (!types.IsInterface(n) || plausible[types.TypeString(n, nil)] != "") {
						function(fmt.Sprintf("%s.%s.%s", path, name, m.Name()), func(w *endingWriter) string { return "(" + w.value("", receiver) + ")." + m.Name() }, m.Signature())
					}
				}
				s, is := n.Underlying().(*types.Struct)
				if !is {
					continue
				}
				for i := range s.NumFields() {
					f := s.Field(i)
					if !f.Exported() || !holdsFunctions(f.Type()) {
						continue
					}
					each(fmt.Sprintf("%s.%s.%s", path, name, f.Name()), f.Type(), func(w *endingWriter, value string) string {
						return "{\nx := " + w.value("", p) + "\nx." + f.Name() + " = " + value + "\n" + w.uses("x", p) + w.takers(pkg, n) + "}\n"
					})
				}
				// A value of the type itself: http.HandlerFunc(f).
				if _, is := n.Underlying().(*types.Signature); is {
					each(path+"."+name, n, func(w *endingWriter, value string) string {
						return "{\nx := " + w.typ(n) + "(" + value + ")\n" + w.uses("x", n) + "}\n"
					})
				}
			}
		}
	}
	return out
}

// takers writes calls of the functions of a package that take x, a pointer to a struct.
func (w *endingWriter) takers(pkg *types.Package, n *types.Named) string {
	var b strings.Builder
	for _, name := range pkg.Scope().Names() {
		f, is := pkg.Scope().Lookup(name).(*types.Func)
		if !is || !f.Exported() || f.Signature().TypeParams().Len() > 0 {
			continue
		}
		for i := range f.Signature().Params().Len() {
			given := ""
			switch t := f.Signature().Params().At(i).Type(); {
			case types.Identical(t, types.NewPointer(n)):
				given = "x"
			case types.Identical(t, n):
				given = "*x"
			default:
				continue
			}
			inner := &endingWriter{imports: w.imports, depth: 2}
			call := w.title(pkg) + "." + name + "(" + strings.Join(inner.arguments(f.Signature(), i, given), ", ") + ")"
			if !inner.failed {
				b.WriteString(w.after("y", call, f.Signature()))
			}
		}
	}
	return b.String()
}

// instanceSignature returns the signature of a function, with int for what is generic.
func instanceSignature(sig *types.Signature) *types.Signature {
	if sig.TypeParams().Len() == 0 {
		return sig
	}
	args := make([]types.Type, sig.TypeParams().Len())
	for i := range args {
		args[i] = types.Typ[types.Int]
		c, _ := sig.TypeParams().At(i).Constraint().Underlying().(*types.Interface)
		if c == nil || c.NumEmbeddeds() == 0 {
			continue
		}
		if u, is := c.EmbeddedType(0).(*types.Union); is && u.Len() == 1 {
			switch u.Term(0).Type().Underlying().(type) {
			case *types.Slice:
				args[i] = types.NewSlice(types.Typ[types.Int])
			case *types.Map:
				args[i] = types.NewMap(types.Typ[types.Int], types.Typ[types.Int])
			}
		}
	}
	inst, err := types.Instantiate(nil, sig, args, false)
	if err != nil {
		return nil
	}
	return inst.(*types.Signature)
}
