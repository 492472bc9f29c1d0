package notebook

import (
	"strings"
	"testing"
)

// The values are read as papermill's _resolve_type reads them, which calls Python's int
// and float.
func TestLiterals(t *testing.T) {
	for value, want := range map[string]string{
		"True": "true", "False": "false", "None": "nil", "true": "true", "false": "false", "nil": "nil",
		"3": "3", "-3": "-3", "+3": "3", " 3 ": "3", "1_000": "1000", "010": "10", "12345678901234567890123": "12345678901234567890123",
		"0.5": "0.5", ".5": "0.5", "-.5": "-0.5", "3.": "3.", "1e-6": "1e-6", "1_0.5_0E3": "10.50E3",
		"nan": "math.NaN()", "inf": "math.Inf(1)", "-Infinity": "math.Inf(-1)",
		"0x10": `"0x10"`, "1__0": `"1__0"`, "1 2": `"1 2"`, "": `""`, "e5": `"e5"`, ".": `"."`, "TRUE": `"TRUE"`, "a\"b\n": `"a\"b\n"`, "data.csv": `"data.csv"`, "[1, 2]": `"[1, 2]"`,
	} {
		if got := literal(value, false); got != want {
			t.Errorf("%q: got %s, want %s", value, got, want)
		}
	}
	if got := literal("3", true); got != `"3"` {
		t.Errorf("a text: got %s", got)
	}
}

func TestInject(t *testing.T) {
	declares := code("rank, name := 3, \"iris\"\nvar tol float64 = 1\nvar title string\nconst order = 3 // fixed\n_ = rank", declaring)
	for _, c := range []struct {
		cells []map[string]any
		given string
		at    int
		want  string // the source, or the error
	}{
		{[]map[string]any{code("1"), declares, code("2")}, "rank=4 name=5 tol=2 title=True order=4", 2, "// Parameters\nrank = 4\nname = \"5\"\ntol = 2\ntitle = \"True\"\nconst order = 4"},
		{[]map[string]any{code("1"), code("old", injected), declares}, "rank=4", 1, "// Parameters\nrank = 4"},
		{[]map[string]any{code("1")}, "rank=4 file=a=b.csv", 0, "// Parameters\nrank := 4\nfile := \"a=b.csv\""},
		{[]map[string]any{declares}, "rnk=4", -1, "test.ipynb has no parameter rnk; its cell tagged parameters declares rank, name, tol, title, order"},
		{[]map[string]any{code("", declaring)}, "rank=4", -1, "test.ipynb has no parameter rank; its cell tagged parameters declares none"},
		{[]map[string]any{declares}, "rank=4 rank=5", -1, "test.ipynb: parameter rank is given twice"},
		{[]map[string]any{code("a :=", declaring)}, "a=4", -1, "test.ipynb: the cell tagged parameters: want declarations alone, such as rank := 3: "},
	} {
		var parameters []Parameter
		for given := range strings.FieldsSeq(c.given) {
			p, err := ParseParameter(given)
			if err != nil {
				t.Fatal(err)
			}
			parameters = append(parameters, p)
		}
		nb := of(t, c.cells...)
		err := nb.Inject(parameters)
		switch {
		case err != nil && (c.at >= 0 || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("%s: %v, want %s", c.given, err, c.want)
		case err == nil && c.at < 0:
			t.Errorf("%s: no error, want %s", c.given, c.want)
		case err == nil:
			if got := nb.Cells[c.at]; got.Source() != c.want || !got.tagged(injected) || got.fields["id"] != injected {
				t.Errorf("%s: cell %d is %v, want %s", c.given, c.at, got.fields, c.want)
			}
		}
	}
	for _, bad := range []string{"3", "=3", "a b=3", "for=3", "_=3"} {
		if _, err := ParseParameter(bad); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
	nb := of(t, code("rank := 3\ntol := 0.5", declaring), code("fmt.Print(rank, tol)"))
	if err := nb.Inject([]Parameter{{"rank", "4"}, {"tol", "1"}}); err != nil {
		t.Fatal(err)
	}
	if err := nb.Run(t.Context(), Options{}); err != nil || shown(nb) != "1:\n2:\n3: stdout \"4 1\"\n" {
		t.Errorf("%v, shown %s", err, shown(nb))
	}
}
