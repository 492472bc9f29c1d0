package main

import (
	"strings"
	"testing"

	gcpu "github.com/shirou/gopsutil/v4/cpu"
)

func TestProcessorName(t *testing.T) {
	for want, p := range map[string]gcpu.InfoStat{
		"intel-xeon-model-173":              {ModelName: "Intel(R) Xeon(R) Processor", Family: "6", Model: "173"},
		"intel-core-i7-8650u-cpu-model-142": {ModelName: "Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz", Family: "6", Model: "142"},
		"amd-epyc-family-26-model-2":        {ModelName: "AMD EPYC", Family: "26", Model: "2"},
		"apple-m2":                          {ModelName: "Apple M2"},
		"unknown":                           {},
	} {
		if got := processorName(p); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}

// The summary has every target of every page, where pages differ, too.
func TestSummary(t *testing.T) {
	var pages []page
	for name, goals := range map[string][]goal{"a": {atLeast("x", 3, 2, "%.0f"), atMost("y", 3, 2, "%.0f")}, "b": {atMost("y", 1, 2, "%.0f")}} {
		var text strings.Builder
		r := report{title: "T", about: []string{"written", "2026-01-02, " + name, "other"}, sections: []*section{{title: "S", goals: goals}}}
		if err := r.write(&text); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, readPage(name, text.String()))
	}
	if pages[0].name == "b" {
		pages[0], pages[1] = pages[1], pages[0]
	}
	var out strings.Builder
	if err := summarize(&out, pages); err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(out.String(), "\n- ")
	const want = `[a](results/a.md): 2026-01-02, a
- [b](results/b.md): 2026-01-02, b

| what | target |          a |   b |
|------|-------:|-----------:|----:|
| x    |   >= 2 |          3 |   - |
| y    |   <= 2 | 3 **FAIL** |   1 |
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
