package symmom

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// joined returns the texts of warnings, joined by sep.
func joined(warnings []Warning, sep string) string {
	var all []string
	for _, w := range warnings {
		all = append(all, w.Text)
	}
	return strings.Join(all, sep)
}

// Warnings and errors name what helps, not in their words alone.
func TestHelp(t *testing.T) {
	one := FromRows([][]float64{{1, 5000}, {2, 9000}, {4, 7000}, {1.5, 3000}})
	for _, w := range one.Warnings() {
		if w.Code != WarnScales || len(w.Help) != 1 || w.Help[0] != "Standardize" {
			t.Errorf("%+v", w)
		}
	}
	if len(one.Warnings()) != 1 {
		t.Errorf("%q", one.Warnings())
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{drawUniform(30, 100, 1).Moment(9).Explicit().With(Options{MemoryLimit: 1 << 20}).Decompose(1).Err(),
			"Implicit MemoryLimit"},
		{drawUniform(300, 100, 1).Moment(3).With(Options{MemoryLimit: 1 << 20}).Decompose(100_000).Err(),
			"rank MemoryLimit"},
		{Read(strings.NewReader("1,2\nx,3\n4,5\n"), "csv").Err(), "NA Columns"},
		{Read(strings.NewReader("1,2\n,3\n"), "csv").Err(), "Missing Columns"},
		{ErrNoData, ""},
	} {
		if got := strings.Join(Help(c.err), " "); got != c.want || c.err == nil {
			t.Errorf("%v: help %q, want %q", c.err, got, c.want)
		}
	}
	w := Warning{Code: WarnScales, Text: "3"}
	if text, _ := w.MarshalText(); string(text) != "3" || w.String() != "3" {
		t.Errorf("%q, %v", text, w)
	}
}

// Every code of a warning has a name for users.
func TestWarningsHaveNames(t *testing.T) {
	names := func(path, pattern string) map[string]bool {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]bool{}
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
			all[m[1]] = true
		}
		return all
	}
	codes, named := names("../internal/text/diag/notice.go", `(?m)^\t(\w+) += "\w+"`), names("warnings.go", `(?m)^\tWarn\w+ +WarningCode = diag\.(\w+)`)
	if len(codes) < 30 {
		t.Fatalf("%d codes found: this test looks at nothing", len(codes))
	}
	for code := range codes {
		if !named[code] {
			t.Errorf("notice.%s has no name in warnings.go", code)
		}
	}
}
