package conformance

import (
	"bytes"
	"flag"
	"fmt"
	"strings"
	"testing"

	"symmom/internal/test/slow"
)

var (
	graphs     = flag.Int("graphs", 120, "how many programs TestTypes makes, evenly of those that graphOf lists")
	graphsFrom = flag.Uint64("graphs-from", 0, "the number of the first, then one after the other")
	showGraph  = flag.Uint64("show-graph", 0, "print the program of a number and end")
)

// TestTypes compares programs about types that refer to themselves and to each other with
// the toolchain, as one cell, as several, as a script and in a function.
func TestTypes(t *testing.T) {
	slow.Test(t)
	if *showGraph > 0 {
		src := graphSource(*showGraph)
		t.Logf("\n%s\nfunc main() {\n%s}\n", src.Decls, src.Body)
		return
	}
	check := newTypeCheck(t)
	all := uint64(2*allWays + allWays*allWays)
	next := func(i int) uint64 { return *graphsFrom + uint64(i) }
	if *graphsFrom == 0 { // some of each
		next = func(i int) uint64 { return uint64(i) * (2 * all / uint64(*graphs)) }
	}
	refused, wrong, ran := map[string]int{}, 0, 0
	for i := 0; i < *graphs; {
		var list []source
		for ; i < *graphs && len(list) < batch; i++ {
			if src := graphSource(next(i)); check.ok(src) {
				list = append(list, src)
			}
		}
		want := toolchain(t, list)
		if want == nil {
			continue // reported before
		}
		got := sessions(t, list)
		for _, src := range list {
			g, w := got[src.Seed], want[src.Seed]
			ran++
			switch {
			case strings.Contains(g.Refused, "the interpreter cannot compile this"):
				wrong++
				t.Errorf("graph %d: %s", src.Seed, g.Refused)
			case g.Refused != "":
				refused[strings.Map(noDigits, kind(refusal{"", g.Refused}))]++
				t.Logf("graph %d is refused: %s", src.Seed, g.Refused)
			case !bytes.Equal(g.Output, w.Output) || unnamed(g.Panic) != unnamed(w.Panic):
				wrong++
				t.Errorf("graph %d: %s", src.Seed, difference(g, w))
			}
		}
		t.Logf("%d graphs tried: %d programs, %d wrong", i, ran, wrong)
	}
	sum := 0
	for _, n := range refused {
		sum += n
	}
	t.Logf("%d programs: %d wrong, %d refused: %v", ran, wrong, sum, refused)
	if ran < *graphs/4 || 20*sum > ran {
		t.Errorf("of %d graphs %d are programs, of which %d are refused", *graphs, ran, sum)
	}
}

// graphSource returns the program of a number and the cells in which it runs.
func graphSource(number uint64) source {
	decls, statements := graphOf(number, fmt.Sprintf("_%d", number))
	body := strings.Join(statements, "\n") + "\n"
	src := source{Seed: number, Decls: decls, Body: body}
	switch number % 4 {
	case 0:
		src.Cells = []string{decls + body}
	case 1:
		src.Cells = append([]string{decls}, statements...)
	case 2:
		src.Cells = []string{"package main\n\nimport \"fmt\"\n\n" + decls + "func main() {\n" + body + "}\n"}
	case 3:
		src.Cells = []string{fmt.Sprintf("%s\nfunc main_%d() {\n%s}", decls, number, body), fmt.Sprintf("main_%d()", number)}
	}
	return src
}

// unnamed returns a panic without the type whose values cannot be keys, which a session
// does not name.
func unnamed(text string) string {
	const hash = "hash of unhashable type"
	if before, _, ok := strings.Cut(text, hash); ok {
		return before + hash
	}
	return text
}
