package charts

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/go-echarts/go-echarts/v2/components"

	"symmom/internal/text/words"
	"symmom/symmom"
)

// Mixing draws the mixing matrix of independent components as a heat map, variables down and
// sources across: how much of each source is in each variable. The chart is that of FactorsOf.
func Mixing(ica *symmom.ICA) *Figure {
	const title = "Mixing matrix"
	switch {
	case ica == nil:
		return failed(title, errors.New("charts: mixing: the result is nil"))
	case ica.Components == 0:
		return failed(title, fmt.Errorf("charts: mixing: %w", cmp.Or(ica.Err(), errors.New("the result is empty"))))
	}
	rows, names, notes := shownRows(ica.Mixing, ica.Names, 0)
	return &Figure{
		Title: title, Notes: notes,
		Caption: "How much of each source, of variance 1, is in each variable.",
		summary: fmt.Sprintf("%s of %s", words.Plural(ica.Components, "source"), words.Plural(ica.N, "variable")),
		charts:  []components.Charter{factorMap("source", numbered(ica.Components), ica.Mixing, rows, names)},
	}
}
