package symmom

import (
	"strings"
	"testing"
)

// A notebook shows a table, with all text of the user escaped.
func TestHTMLTables(t *testing.T) {
	s := Read(strings.NewReader("<b>,y\n1,2\n3,5\n4,1\n"), "csv")
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	fit := s.Moment(2).Decompose(1)
	if fit.Err() != nil {
		t.Fatal(fit.Err())
	}
	sources := s.ICA(1)
	if sources.Components == 0 {
		t.Fatal(sources.Err())
	}
	for page, want := range map[string][]string{
		sources.HTML():                         {"1 independent component", ">kurtosis</th>"},
		s.Moment(2).Evaluate(fit.Model).HTML(): {"Model of rank 1", ">relative error</th>"},
		s.Summary().HTML():                     {"<th>&lt;b&gt;</th>", "<th>mean</th>", "eigenvalues of the second moment"},
		fit.HTML():                             {"Fit of rank 1", ">relative error</th>", ">lambda</th>"},
		fit.Score(fit.Model.Factors).HTML():    {"Score 1.00000", "<td>1</td><td>1.00000</td>"},
		s.Moment(2).Sweep(1, 2).HTML():         {"<th>evaluations</th>", "<th>2</th>"},
	} {
		for _, w := range want {
			if !strings.Contains(page, w) || strings.Contains(page, "<b>") || strings.Count(page, "<tr>") != strings.Count(page, "</tr>") {
				t.Errorf("no %q in\n%s", w, page)
			}
		}
	}
}
