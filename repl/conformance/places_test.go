package conformance

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"symmom/internal/test/slow"
)

// placesDecls are the types and variables that the expressions are made of; § is
// the program's own suffix.
const placesDecls = `type B§ bool

type N§ int

type E§ float64

func (e E§) Error() string { return fmt.Sprint("E", float64(e)) }

type S§ struct {
	a int
	b string
}

func (s S§) M() int { return s.a }

func (s S§) String() string { return fmt.Sprint("<", s.a, s.b, ">") }

type L§ []int

type I§ interface{ M() int }

type W§[T any] struct{ f T }

type F§ struct{ inner§ }

type R§ func(int) int

func (r R§) M(n int) int { return r(n) + 1 }

func (r *R§) P() int { *r = func(n int) int { return 7 * n }; return (*r)(1) }

type G§ struct {
	R§
	g R§
	p *R§
}

type inner§ struct {
	x any
	n int
}

var (
	vb, vB         = true, B§(true)
	vi, vN, vu     = 7, N§(5), uint8(200)
	vf, vE, vz     = 1.5, E§(2.5), 0.0
	vs             = "xyz"
	vS, vp         = S§{1, "s"}, &S§{2, "p"}
	vl, vL         = []int{1, 2, 3}, L§{4, 5}
	vm, va         = map[string]int{"x": 8}, [3]int{7, 8, 9}
	vc             = complex(1, 2)
	vx         any = vi
	vI         I§  = vS
	ve         error = vE
	vfn            = func() int { return 11 }
	pi, pf         = &vi, &vf
	vF             = F§{inner§{x: 3, n: 4}}
	vR             = R§(func(n int) int { return n + 1 })
	vG             = &G§{vR, vR, &vR}
)

func fb() bool           { return true }
func fi() int            { return 9 }
func ff() float64        { return 3.5 }
func fs() string         { return "fs" }
func fN() N§             { return 6 }
func fE() E§             { return 4.5 }
func fS() S§             { return S§{3, "f"} }
func fp() *S§            { return &S§{4, "q"} }
func fl() []int          { return []int{6, 7} }
func fm() map[string]int { return map[string]int{"y": 1} }
func fx() any            { return "any" }
func fI() I§             { return S§{5, "i"} }
func fe() error          { return E§(9) }
func fchan() chan int    { c := make(chan int, 1); c <- 12; return c }
func fbools() chan bool  { c := make(chan bool, 1); c <- false; return c }

func show(x any) {
	switch p := x.(type) { // what would print as an address
	case *S§:
		x = *p
	case func() int:
		x = p()
	}
	fmt.Printf("%v %T\n", x, x)
}

func try(name string, f func()) {
	fmt.Print(name, ": ")
	defer func() {
		if r := recover(); r != nil {
			fmt.Println("panic", panicText(r))
		}
	}()
	f()
}
`

// expressions by the type they have: one of each kind, in every form that the
// interpreter has its own code for.
var expressions = map[string][]string{
	"bool":           {"vb", "!vb", "!fb()", "fb()", "vb && !fb()", "vb || fb()", "vi < fi()", "!(vi < 3)", "vs == fs()", "vS == fS()", "vx == nil", "bool(vB)", "vx.(int) == 7", "<-fbools()", "!<-fbools()", "!!vb", "false", "!true"},
	"int":            {"vi", "-vi", "^vi", "+vi", "-fi()", "fi()", "vi + fi()", "vi<<2", "vi >> 1", "vi &^ 2", "-vi % 3", "fi() % 4", "vi / 2", "vi | 8", "vi ^ 3", "vi & 3", "vi - 1", "vi * vi", "vl[1]", "va[2]", `vm["x"]`, "vS.a", "vp.a", "*pi", "-*pi", "len(vs)", "int(vf)", "min(vi, 3)", "vfn()", "func() int { return vi }()", "vx.(int)", "<-fchan()", "-<-fchan()", "fS().a", "fl()[0]", "fm()[\"y\"]", "cap(vl)", "5", "-5", "vF.n", "vI.M()", "fp().M()", "ident(vi)", "-ident(vi)", "vG.g.M(3)", "-vG.M(3)", "vG.p.M(3)", "vG.R§.M(vG.g(2))", "vG.g.P()", "vG.P()"},
	"uint8":          {"vu", "-vu", "^vu", "vu + 100", "vu % 7", "vu / 7", "vu << 1", "uint8(vi)", "vs[1]"},
	"float64":        {"vf", "-vf", "-vz", "vf * ff()", "ff()", "-ff()", "float64(vi)", "vf / 2", "*pf", "-*pf", "2", "1e3", "real(vc)", "-imag(vc)"},
	"complex128":     {"vc", "-vc", "vc * vc", "complex(vf, 1)"},
	"string":         {"vs", "vs + fs()", "fs()", "vs[1:]", "string(rune(65))", "fmt.Sprint(vi)", "vS.b", `"c"`},
	"rune":           {"'a'", "[]rune(vs)[0]", "-[]rune(vs)[0]"},
	"N§":             {"vN", "-vN", "^vN", "fN()", "-fN()", "vN + 1", "N§(vi)", "3"},
	"E§":             {"vE", "-vE", "fE()", "-fE()", "E§(vf)", "vE * 2", "-E§(vz)"},
	"B§":             {"vB", "!vB", "B§(vb)", "vB && true"},
	"S§":             {"vS", `S§{1, "x"}`, "S§{b: fs()}", "fS()", "*vp", "*fp()", "[]S§{vS}[0]", "vI.(S§)", "struct{ s S§ }{vS}.s"},
	"*S§":            {"vp", `&S§{6, "n"}`, "&vS", "fp()"},
	"[]int":          {"vl", "[]int{1, 2}", "fl()", "vl[1:]", "append(vl[:1:1], 9)", "vL[:1]", "make([]int, 2)", "va[:]"},
	"L§":             {"vL", "L§{1}", "L§(vl)", "fl()", "append(vL[:1:1], 3)"},
	"map[string]int": {"vm", `map[string]int{"a": fi()}`, "fm()"},
	"[3]int":         {"va", "[3]int{1, 2, 3}", "[...]int{2: 1}", "*&va"},
	"any":            {"vx", "fx()", "any(vi)", "vF.x", "nil", "[]any{1}[0]"},
	"I§":             {"vI", "fI()", "I§(vS)"},
	"error":          {"ve", "fe()", "error(vE)"},
	"func() int":     {"vfn", "func() int { return vi }", "vI.M", "vS.M", "fi"},
}

// implemented are the interfaces that values of a type go into.
var implemented = map[string][]string{"E§": {"error"}, "S§": {"I§", "fmt.Stringer"}, "*S§": {"I§", "fmt.Stringer"}, "I§": {"any"}, "error": {"any"}}

// places are what a value may be put into: # is the type of the place, @ the
// expression, and show what prints.
var places = []struct{ name, code string }{
	{"var", "var d # = @; show(d)"},
	{"assigned", "var d #; d = @; show(d)"},
	{"twice", "var d #; for range 2 { d = @ }; show(d)"},
	{"captured", "var d #; func() { d = @ }(); show(d)"},
	{"pair", "var d, e #; d, e = @, @; show(d); show(e)"},
	{"two vars", "var d, e # = @, @; show(d); show(e)"},
	{"if", "var d #; if d = @; true { show(d) }"},
	{"post", "var d #; for k := 0; k < 1; d = @ { k++ }; show(d)"},
	{"case", "var d #; switch { case vi > 0: d = @ }; show(d)"},
	{"default", "var d #; select { default: d = @ }; show(d)"},
	{"label", "var d #; goto l; l: d = @; show(d)"},
	{"field", "var d struct{ f # }; d.f = @; show(d.f)"},
	{"field of pointer", "d := &struct{ f # }{}; d.f = @; show(d.f)"},
	{"struct", "show(struct{ f # }{@}.f)"},
	{"struct by name", "d := struct{ g int; f # }{f: @}; show(d.f)"},
	{"pointer to struct", "d := &struct{ f # }{@}; show(d.f)"},
	{"slice", "d := []#{@, @}; show(d[1])"},
	{"slice by index", "d := []#{1: @}; show(d[1])"},
	{"element", "d := make([]#, 2); d[fi()%2] = @; show(d[1])"},
	{"append", "d := append([]#(nil), @, @); show(d[1])"},
	{"array", "d := [2]#{1: @}; show(d[1])"},
	{"element of array", "var d [2]#; d[1] = @; show(d[1])"},
	{"nested", "d := [][]#{{@}}; show(d[0][0])"},
	{"map", `d := map[string]#{"k": @}; show(d["k"])`},
	{"element of map", `d := map[string]#{}; d["k"] = @; show(d["k"])`},
	{"map of slices", `d := map[string][]#{"a": {@}}; show(d["a"][0])`},
	{"pointer", "d := new(#); *d = @; show(*d)"},
	{"result", "f := func() # { return @ }; show(f())"},
	{"named result", "f := func() (r #) { r = @; return }; show(f())"},
	{"deferred result", "f := func() (r #) { defer func() { r = @ }(); return }; show(f())"},
	{"results", "f := func() (#, int) { return @, 1 }; d, _ := f(); show(d)"},
	{"passed on", "f := func() (#, #) { return @, @ }; g := func(d, e #) { show(d); show(e) }; g(f())"},
	{"assigned results", "f := func() (int, #) { return 1, @ }; var d #; _, d = f(); show(d)"},
	{"argument", "f := func(d #) { show(d) }; f(@)"},
	{"second argument", "f := func(_ int, d #) { show(d) }; f(fi(), @)"},
	{"variadic", "f := func(d ...#) { show(d[1]) }; f(@, @)"},
	{"channel", "c := make(chan #, 1); c <- @; show(<-c)"},
	{"select", "c := make(chan #, 1); select { case c <- @: }; show(<-c)"},
	{"received", "c := make(chan #, 1); c <- @; var d #; d = <-c; show(d)"},
	{"deferred argument", "defer func(d #) { show(d) }(@)"},
	{"argument of go", "done := make(chan bool); go func(d #) { show(d); done <- true }(@); <-done"},
	{"conversion", "show((#)(@))"},
	{"assigned conversion", "var d #; d = (#)(@); show(d)"},
	{"parentheses", "var d #; d = (@); show(d)"},
	{"generic", "show(ident[#](@))"},
	{"generic pointer", "show(*ref[#](@))"},
	{"generic struct", "show(W§[#]{@}.f)"},
	{"ranged over", "for _, d := range []#{@} { show(d) }"},
	{"promoted", "var d struct{ W§[#] }; d.f = @; show(d.f)"},
	{"any", "var d # = @; var e any = d; show(e)"},
	{"closure", "var d # = @; f := func() # { return d }; show(f())"},
}

// topPlaces are places at the top of a cell.
var topPlaces = []string{
	"var d # = @\nshow(d)", "var d #\nd = @\nshow(d)", "var d, e # = @, @\nshow(d)\nshow(e)", "var d, e #\nd, e = @, @\nshow(d)\nshow(e)",
	"var d struct{ f # }\nd.f = @\nshow(d.f)", "d := []#{@}\nd[0] = @\nshow(d[0])", "d := map[string]#{}\nd[\"k\"] = @\nshow(d[\"k\"])", "d := new(#)\n*d = @\nshow(*d)",
	"d := (#)(@)\nshow(d)", "var d #\nif vi > 0 { d = @ }\nshow(d)", "var d #\nfor range 2 { d = @ }\nshow(d)", "d, e := (#)(@), (#)(@)\nshow(d)\nshow(e)",
	"show(@)", "var (\nd # = @\ne # = @\n)\nshow(d)\nshow(e)",
}

var renumbered = regexp.MustCompile(`\b([de])\b`)

// uses are what values of a type are made use of in: @ is the expression.
var uses = map[string][]string{
	"bool": {"if @ { show(1) } else { show(2) }", "for k := 0; @ && k < 2; k++ { show(k) }", "switch { case @: show(1); default: show(2) }",
		"switch @ { case true: show(1); default: show(2) }", "show(!(@))", "show(@ && fb())", "show(fb() && (@))", "show(@ || !fb())", "show(!fb() || (@))",
		"show(fb() == (@))", "k := 0; for !(@) { if k++; k > 2 { break } }; show(k)", "if d := @; d { show(d) }", "d := fb() && (@); show(d)", "show((@) != (@))"},
	"int": {"show(vl[(@)&1])", "show(vs[:(@)&3])", "show(make([]int, (@)&7))", "show(1 << ((@)&7))", "switch @ { case 7: show(1); case 5, -7: show(2); default: show(3) }",
		"switch 7 { case @: show(1); default: show(2) }", "show((@) + 1)", "show(1 - (@))", "show(float64(@))", "show(string(rune(65+(@)&7)))", "show((@) == 7)", "show((@) < vi)",
		"d := 3; d += @; show(d)", "d := 3; d -= @; d *= @; show(d)", "d := []int{1}; d[0] ^= @; show(d)", `d := map[string]int{}; d["a"] += @; show(d)`,
		"p := new(int); *p |= @; show(*p)", "for range (@)&3 { show(1) }", "for k := range (@) & 3 { show(k) }", "d := 1; d <<= (@) & 3; show(d)", "show(-(@))", "show(^(@))",
		"show(min(@, 4))", "d := [3]int{}; d[(@)&1]++; show(d)", "m := map[int]string{@: \"k\"}; show(m[@])", "m := map[int]bool{}; m[@] = true; delete(m, @); show(m)",
		"show(complex(float64(@), 1))", "show(uint8(@))", "show(N§(@))", "if (@) > 3 { show(1) }", "d := struct{ n int }{1}; d.n -= @; show(d)", "show([]int{1, @, 3}[1])",
		"f := func(n int) int { return n + (@) }; show(f(@))", "show((@) % 5)", "show((@) / 2)", "show(vi * (@))", "var d any = (@) + vi; show(d)", "show(-vi - -(@))"},
	"string": {"show((@)[0])", "show((@)[1:])", "show(len(@))", "for _, r := range @ { show(r) }", `show((@) + "t")`, `show((@) < "g")`, `switch @ { case "fs": show(1); default: show(2) }`,
		"show([]byte(@))", `d := "p"; d += @; show(d)`, `m := map[string]int{@: 1}; show(m)`, "show(append([]byte(nil), (@)...))", "show(strings.ToUpper(@))", "show([]rune(@))",
		"show((@) == (@))", `d := []string{"q"}; d[0] += @; show(d)`},
	"float64":    {"show((@) < 2)", "show(int(@))", "show((@) / 2)", "show(-(@))", "d := 1.0; d -= @; d /= @; show(d)", "show(float32(@))", "show((@) == (@))", "show(1 / (@))", "if (@) > vf { show(1) } else { show(2) }", "show(complex(@, vf))"},
	"uint8":      {"show((@) + 100)", "show(int(@))", "show((@) >> 1)", "show(-(@))", "show(^(@))", "d := uint8(1); d += @; show(d)", "d := uint8(3); d &^= @; show(d)", "show(string(rune(@)))", "show(vl[(@)&1])"},
	"complex128": {"show(real(@))", "show((@) * (@))", "show((@) == vc)", "show(-(@))", "d := vc; d += @; show(d)"},
	"rune":       {"show(string(@))", "show((@) + 1)", "switch @ { case 'a': show(1); default: show(2) }"},
	"N§":         {"show((@) + 1)", "show(int(@))", "show((@) == 5)", "show(-(@))", "d := N§(2); d *= @; show(d)", "switch @ { case 5: show(1); default: show(2) }", "show(vl[(@)&1])", "m := map[N§]int{@: 1}; show(m)", "show(any(@) == any(vN))", "show(1 << ((@)&3))"},
	"E§":         {"show((@) * 2)", "show((@).Error())", "show(-(@))", "show(error(@))", "show((@) > 1)", "f := (@).Error; show(f())", "defer func() { show(recover()) }(); panic(@)", "m := map[error]int{@: 1}; show(m[@])", "d := vE; d -= @; show(d)"},
	"B§":         {"if @ { show(1) } else { show(2) }", "show(!(@))", "show(@ && vB)", "show(bool(@))", "switch @ { case true: show(1); default: show(2) }"},
	"S§": {"show((@).a)", "show((@).M())", "f := (@).M; show(f())", "d := @; d.a = 9; show(d)", "show((@) == vS)", "m := map[S§]int{@: 1}; show(m)", "switch @ { case vS: show(1); default: show(2) }",
		"d := *(&[]S§{@}[0]); show(d)", "defer func() { show((@).a) }()", "show(any(@) == any(vS))", "show(fmt.Sprint(@))", "f := S§.M; show(f(@))", "d := []S§{@}; d[0].a++; show(d)", "m := map[string]S§{}; m[\"a\"] = @; show(m)"},
	"*S§":            {"show((@).a)", "(@).a = 4; show(vp.a); vp.a = 2", "show((@).M())", "show(*(@))", "show((@) == nil)", "(@).a++; show(vp.a); vp.a = 2", "d := *(@); d.a = 8; show(vp.a)", "f := (@).M; show(f())", "show(fmt.Sprint(@))"},
	"[]int":          {"show((@)[0])", "show(len(@))", "show(append(@, 1)[1])", "for k, v := range @ { show(k * v) }", "for k := range @ { show(k) }", "show((@)[:1])", "d := make([]int, 3); copy(d, @); show(d)", "show((@) == nil)", "show(slices.Max(@))", "f := func(d ...int) { show(d) }; f((@)...)", "show(append([]int{5}, (@)...))", "show(cap((@)[:1:1]))", "show(L§(@))"},
	"L§":             {"show((@)[0])", "show(len(@))", "show(append(@, 1)[1])", "for k, v := range @ { show(k * v) }", "show((@)[:1])", "show([]int(@))", "show(slices.Max(@))", "d := append(L§(nil), (@)...); show(d)"},
	"map[string]int": {`show((@)["x"])`, `v, ok := (@)["y"]; show(v); show(ok)`, "show(len(@))", "for k, v := range @ { show(k); show(v) }", `if v, ok := (@)["x"]; ok { show(v) }`, "show((@) == nil)"},
	"[3]int":         {"show((@)[1])", "for k, v := range @ { show(k + v) }", "show((@) == va)", "d := @; d[0] = 50; show(d); show(va)", "show(len(@))", "m := map[[3]int]int{@: 1}; show(m)", "for k := range @ { show(k) }"},
	"any": {"switch d := (@).(type) { case int: show(d + 1); case string: show(d + \"!\"); case nil: show(0); default: show(d) }", "d, ok := (@).(int); show(d); show(ok)", "show((@) == 7)", "show((@) == nil)",
		"m := map[any]int{@: 1}; show(m[@])", "show(fmt.Sprint(@))", "d := []any{@, @}; show(d)", "switch @ { case 7: show(1); case \"any\": show(2); default: show(3) }", "show((@) != vx)"},
	"I§": {"show((@).M())", "f := (@).M; show(f())", "switch d := (@).(type) { case S§: show(d.a); default: show(0) }", "d, ok := (@).(S§); show(d); show(ok)", "_, ok := (@).(fmt.Stringer); show(ok)",
		"show((@) == I§(vS))", "show((@) != nil)", "show((@) == any(vS))", "f := I§.M; show(f(@))", "m := map[I§]int{@: 1}; show(m[vS])", "show((@).(fmt.Stringer).String())"},
	"error":      {"show((@).Error())", "show((@) == nil)", "show((@) != ve)", "d, ok := (@).(E§); show(d); show(ok)", "var e E§; show(errors.As(@, &e)); show(e)", "show(errors.Is(@, vE))", "defer func() { show(recover()) }(); panic(@)", "show(fmt.Errorf(\"w %w\", @))", "switch d := (@).(type) { case nil: show(0); case E§: show(float64(d)) }"},
	"func() int": {"show((@)())", "defer func() { show((@)()) }()", "show((@) == nil)", "done := make(chan int); go func() { done <- (@)() }(); show(<-done)", "show((@)() + 1)", "f := @; show(f())", "d := []func() int{@}; show(d[0]())"},
}

// TestPlaces puts every kind of expression into every kind of place and compares
// with the Go toolchain.
func TestPlaces(t *testing.T) {
	slow.Test(t)
	var list []source
	names := map[uint64]string{}
	check := newTypeCheck(t)
	for _, from := range slices.Sorted(maps.Keys(expressions)) {
		exprs := expressions[from]
		to := append([]string{from}, implemented[from]...)
		if from != "any" {
			to = append(to, "any")
		}
		for _, to := range to {
			for _, x := range exprs {
				seed := uint64(len(list) + 1)
				suffix := fmt.Sprintf("_%d", seed)
				var body strings.Builder
				for _, p := range places {
					y := x
					if (p.name == "if" || p.name == "post") && strings.Contains(x, "{") { // which would begin the block
						y = paren(x)
					}
					code := strings.NewReplacer("#", to, "@", y).Replace(p.code)
					if p.name == "label" && strings.Contains(code, "goto l;") {
						code = strings.Replace(code, "var d "+to+";", "var d "+to+"; _ = d;", 1)
					}
					fmt.Fprintf(&body, "\ttry(%q, func() { %s })\n", p.name, code)
				}
				shared := placesDecls + "\nvar global " + to + "\n\nfunc init() { global = " + x + " }\n"
				for i, p := range topPlaces { // d and e must be new at the top
					code := strings.NewReplacer("#", to, "@", x).Replace(p)
					fmt.Fprintf(&body, "\tfmt.Print(%q)\n%s\n", fmt.Sprintf("top %d: ", i), renumbered.ReplaceAllString(code, fmt.Sprintf("${1}%d", i)))
				}
				src := source{Seed: seed, Decls: renamed(shared, suffix), Body: renamed(body.String()+"\ttry(\"global\", func() { show(global); global = "+x+"; show(global) })\n", suffix)}
				if !check.ok(src) {
					t.Errorf("%s as %s is not Go:\n%s", x, to, src.Body)
				}
				list = append(list, src)
				names[seed] = fmt.Sprintf("%s as %s", x, to)
			}
		}
	}
	for _, from := range slices.Sorted(maps.Keys(expressions)) {
		for _, x := range expressions[from] {
			seed := uint64(len(list) + 1)
			suffix := fmt.Sprintf("_%d", seed)
			var body strings.Builder
			for i, u := range uses[from] {
				y := x
				if strings.Contains(x, "{") || strings.Contains(u, "@ &&") || strings.Contains(u, "@ ||") {
					y = paren(x)
				}
				src := source{Seed: seed, Decls: renamed(placesDecls, suffix),
					Body: renamed(fmt.Sprintf("\ttry(%q, func() { %s })\n", fmt.Sprint(i), strings.ReplaceAll(u, "@", y)), suffix)}
				if check.ok(src) { // some say nothing of a constant, or of nil
					body.WriteString(src.Body)
				}
			}
			list = append(list, source{Seed: seed, Decls: renamed(placesDecls, suffix), Body: body.String()})
			names[seed] = "uses of " + x
		}
	}
	wrong, refused := 0, 0
	for ; len(list) > 0; list = list[min(batch, len(list)):] {
		some := list[:min(batch, len(list))]
		want := toolchain(t, some)
		got := sessions(t, some)
		for _, src := range some {
			switch g, w := got[src.Seed], want[src.Seed]; {
			case g.Refused != "":
				refused++
				t.Errorf("%s is refused: %s", names[src.Seed], g.Refused)
			case !bytes.Equal(g.Output, w.Output) || g.Panic != w.Panic:
				a, b := strings.Split(string(g.Output), "\n"), strings.Split(string(w.Output), "\n")
				wrong++
				for i := range min(len(a), len(b)) {
					if a[i] != b[i] {
						t.Errorf("%s: %q, want %q", names[src.Seed], a[i], b[i])
						break
					}
				}
				if len(a) != len(b) {
					t.Errorf("%s: %d lines and panic %q, want %d and %q", names[src.Seed], len(a), g.Panic, len(b), w.Panic)
				}
			}
		}
	}
	t.Logf("%d expressions with their types, %d places: %d wrong, %d refused", len(names), len(places)+1, wrong, refused)
}

// declared are the names at the top of placesDecls.
var declared = regexp.MustCompile(`\b(v[a-zA-Z]|vfn|f[biNEfsSplmxIe]|fchan|fbools|p[if]|show|try|global)\b`)

// renamed gives what a program declares at the top the program's suffix.
func renamed(code, suffix string) string {
	return declared.ReplaceAllString(strings.ReplaceAll(code, "§", suffix), "${1}"+suffix)
}
