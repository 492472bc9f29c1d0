package diag

import "strings"

// OfFit are the warnings of one of several fits, which a name distinguishes: the rank.
type OfFit struct {
	Name     string
	Warnings []Warning
}

// OfFits returns the warnings of several fits, each once. What all fits warn of is about
// the data, or about their number of starts; anything else says which fits it is of, as list
// has their names: "ranks 2, 4". That a rank is too high all higher ones share: the lowest is
// named.
func OfFits(fits []OfFit, list func(names []string) string) []Warning {
	type group struct {
		Warning
		named bool // the text begins with the name
		of    []string
	}
	var groups []*group
	about := map[string]*group{}
	for _, f := range fits {
		for _, w := range f.Warnings {
			text, named := strings.CutPrefix(w.Text, list([]string{f.Name})+" ")
			if once(w.Code) {
				text = ""
			}
			g := about[w.Code+" "+text]
			if g == nil {
				g = &group{Warning: w, named: named}
				about[w.Code+" "+text] = g
				groups = append(groups, g)
			}
			g.of = append(g.of, f.Name)
		}
	}
	var out []Warning
	for _, g := range groups {
		switch others := g.of[1:]; {
		case once(g.Code):
		case g.named && len(others) > 0:
			g.Text += " (" + list(others) + " too)"
		case !g.named && len(g.of) < len(fits):
			g.Text = list(g.of) + ": " + g.Text
		}
		out = append(out, g.Warning)
	}
	return out
}

// once is true for warnings that name the ranks they are of, of which the first is enough.
func once(code string) bool { return code == Rank || code == OtherNoise }

// Ranks lists ranks for OfFits.
func Ranks(of []string) string {
	if len(of) == 1 {
		return "rank " + of[0]
	}
	return "ranks " + strings.Join(of, ", ")
}
