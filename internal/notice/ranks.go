package notice

import (
	"fmt"
	"strings"
)

// OfRank are the warnings of the fit of one rank.
type OfRank struct {
	Rank     int
	Warnings []Warning
}

// OfRanks returns the warnings of fits of several ranks, each once. What all fits warn
// of is about the data, or about their number of starts; anything else says which
// ranks it is of. That a rank is too high all higher ones share: the lowest is named.
func OfRanks(fits []OfRank) []Warning {
	type group struct {
		Warning
		named bool // the text begins with the rank
		ranks []string
	}
	var groups []*group
	about := map[string]*group{}
	for _, f := range fits {
		for _, w := range f.Warnings {
			text, named := strings.CutPrefix(w.Text, fmt.Sprintf("rank %d ", f.Rank))
			if once(w.Code) {
				text = ""
			}
			g := about[w.Code+" "+text]
			if g == nil {
				g = &group{Warning: w, named: named}
				about[w.Code+" "+text] = g
				groups = append(groups, g)
			}
			g.ranks = append(g.ranks, fmt.Sprint(f.Rank))
		}
	}
	var out []Warning
	for _, g := range groups {
		switch others := g.ranks[1:]; {
		case once(g.Code):
		case g.named && len(others) > 0:
			g.Text += " (" + ranks(others) + " too)"
		case !g.named && len(g.ranks) < len(fits):
			g.Text = ranks(g.ranks) + ": " + g.Text
		}
		out = append(out, g.Warning)
	}
	return out
}

// once is true for warnings that name the ranks they are of, of which the first is enough.
func once(code string) bool { return code == Rank || code == OtherNoise }

func ranks(of []string) string {
	if len(of) == 1 {
		return "rank " + of[0]
	}
	return "ranks " + strings.Join(of, ", ")
}
