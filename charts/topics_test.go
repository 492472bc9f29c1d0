package charts

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"symmom/datasets"
	"symmom/symmom"
)

// Three topics have the distances of their distributions on the map, and areas in proportion to their shares.
func TestTopicMap(t *testing.T) {
	found := datasets.TopicDocuments(datasets.DocumentsOptions{Topics: 3, Documents: 800, Words: 50, Weights: []float64{4, 2, 1}}).Session.Topics(3)
	must(t, found.Err())
	f := TopicMap(found)
	o := chartsOf(t, f)[0]
	var at [][]float64
	for j := range 3 {
		p := o.series(fmt.Sprintf("topic-%d", j))[0]
		if at = append(at, p); math.Abs(p[2]-found.Weights[j]) > 1e-6 {
			t.Errorf("topic %d of share %v, want %v", j+1, p[2], found.Weights[j])
		}
		lines := strings.Split(o.Series[j].Data[0].Value.([]any)[3].(string), "\n")
		if o.Series[j].Data[0].Name != fmt.Sprint(j+1) || !slices.Equal(lines, found.Top(10)[j]) {
			t.Errorf("%q of the words %q", o.Series[j].Data[0].Name, lines)
		}
	}
	for a := range 3 {
		for b := range a {
			squares := 0.
			for i := range found.N {
				squares += math.Pow(math.Sqrt(found.Words.At(i, a))-math.Sqrt(found.Words.At(i, b)), 2) / 2
			}
			if got, want := math.Hypot(at[a][0]-at[b][0], at[a][1]-at[b][1]), math.Sqrt(squares); math.Abs(got-want) > 1e-5 {
				t.Errorf("topics %d and %d are %v apart, want %v", a+1, b+1, got, want)
			}
		}
	}
	if one, two := circle(.4, .4, 3), circle(.1, .4, 3); one != 2*two {
		t.Errorf("a quarter of the area: diameters %d and %d", one, two)
	}
	if few, many := circle(.1, .1, 12), circle(.1, .1, 48); few != 2*many {
		t.Errorf("four times as many circles: diameters %d and %d", few, many)
	}
	if tiny := circle(1e-9, 1, 3); tiny < 10 {
		t.Errorf("a circle of %d pixels", tiny)
	}
	two := datasets.TopicDocuments(datasets.DocumentsOptions{Topics: 2, Documents: 100, Words: 20}).Session.Topics(2)
	wantError(t, TopicMap(two), "topic map", "2 topics lie in no plane: a map takes three")
	wantError(t, TopicMap(nil), "topic map", "nil")
	wantError(t, TopicMap(&symmom.Topics{}), "there are none")
	wantError(t, TopicMap(symmom.FromRows([][]float64{{-1, 2}}).Topics(1)), "want a count")
}

// The words of topics have the probabilities of their topics, on one axis.
func TestTopics(t *testing.T) {
	found := datasets.TopicDocuments(datasets.DocumentsOptions{Topics: 4, Documents: 800, Words: 50}).Session.Topics(4)
	must(t, found.Err())
	f := Topics(found, TopicsOptions{Words: 6, Most: 3})
	all := chartsOf(t, f)
	if len(all) != 3 || len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "3 of the 4 topics are drawn") {
		t.Fatalf("%d charts, notes %q", len(all), f.Notes)
	}
	if f := Topics(found); len(chartsOf(t, f)) != 4 || len(f.Notes) != 0 || len(chartsOf(t, f)[0].YAxis[0].Data) != 10 {
		t.Errorf("by default: %v, %q", f, f.Notes)
	}
	names := found.Top(6)
	for j, o := range all {
		if want := fmt.Sprintf("topic %d, share %.3g%%", j+1, 100*found.Weights[j]); o.Title.Text != want || !slices.Equal(o.YAxis[0].Data, names[j]) {
			t.Errorf("%q of %q, want %q of %q", o.Title.Text, o.YAxis[0].Data, want, names[j])
		}
		if o.XAxis[0].Max != all[0].XAxis[0].Max {
			t.Errorf("axes to %v and %v", o.XAxis[0].Max, all[0].XAxis[0].Max)
		}
		for i, p := range o.series(fmt.Sprintf("topic-%d", j)) {
			if want := found.Words.At(slices.Index(found.Names, names[j][i]), j); math.Abs(p[0]-want) > 1e-3*want {
				t.Errorf("%s in topic %d: %v, want %v", names[j][i], j+1, p[0], want)
			}
		}
	}
	wantError(t, Topics(nil), "charts: topics", "nil")
	wantError(t, Topics(&symmom.Topics{}), "there are none")
	wantError(t, Topics(found, TopicsOptions{}, TopicsOptions{}), "at most one TopicsOptions")
}

// Words are text, whatever is in them.
func TestTopicsOfHostileWords(t *testing.T) {
	names := []string{hostile, "b", "c", "d"}
	s := symmom.Texts("", symmom.TextOptions{Documents: slices.Repeat([]string{"aa aa bb bb aa", "cc dd cc dd", "bb dd bb bb"}, 40)})
	found := s.Topics(3)
	must(t, found.Err())
	copy(found.Names, names)
	for _, f := range []*Figure{Topics(found), TopicMap(found)} {
		if page := f.Page(); f.Err() != nil || strings.Contains(page, "<img src=x") {
			t.Error(f, "has a name as HTML")
		}
	}
	// what the pointer shows is HTML that a function makes of the words: a tag would not be in its text
	_, marks, err := TopicMap(found).drawn(9)
	must(t, err)
	if text := string(marks[0].Values); !strings.Contains(text, "topic 1") || !strings.Contains(text, "<img src=x onerror=") {
		t.Error(text)
	}
}
