package modelfile

import (
	"context"
	"math"

	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
)

var topicsKind = Kind{What: "topic model", Format: "symmom-topics", Version: 1}

// Topics are topics of documents as JSON.
type Topics struct {
	Head
	N             int         `json:"n"`
	Components    int         `json:"components"`
	Weights       []float64   `json:"weights"`
	Topics        [][]float64 `json:"topics"` // components arrays of n
	Concentration float64     `json:"concentration"`
	Prior         float64     `json:"prior,omitempty"`
	Frequencies   []float64   `json:"frequencies"` // n
	Names         []string    `json:"names,omitempty"`
	Documents     int         `json:"documents"`
	Converged     bool        `json:"converged"`
	Iterations    int         `json:"iterations"`
	Source        string      `json:"source,omitempty"`
	Fingerprint   string      `json:"fingerprint,omitempty"`
}

// Save writes the topics. The file is written atomically.
func (t *Topics) Save(ctx context.Context, path string) error {
	t.Head = topicsKind.Head()
	return topicsKind.Write(ctx, path, t)
}

// LoadTopics reads topics, and checks that their parts belong together.
func LoadTopics(ctx context.Context, path string) (*Topics, error) {
	t := &Topics{}
	if err := topicsKind.Read(ctx, path, t, &t.Head); err != nil {
		return nil, err
	}
	bad := func(format string, args ...any) (*Topics, error) { return nil, topicsKind.Bad(path, format, args...) }
	switch {
	case t.N < 1 || t.Components < 1 || len(t.Topics) != t.Components || len(t.Weights) != t.Components:
		return bad("\"components\" is %d, with %s and %s", t.Components, words.Plural(len(t.Weights), "weight"), words.Plural(len(t.Topics), "topic"))
	case !(t.Concentration > 0):
		return bad("\"concentration\" is %g", t.Concentration)
	case len(t.Frequencies) != t.N:
		return bad("%d frequencies, \"n\" is %d", len(t.Frequencies), t.N)
	}
	if err := checkVariables(t.N, t.Names, nil, nil); err != nil {
		return bad("%v", err)
	}
	if what, ok := share(t.Weights); !ok {
		return bad("the weights %s", what)
	}
	for j, x := range t.Topics {
		if len(x) != t.N {
			return bad("topic %d has %s, \"n\" is %d", j+1, words.Plural(len(x), "word"), t.N)
		}
		if what, ok := share(x); !ok {
			return bad("topic %d %s", j+1, what)
		}
	}
	return t, nil
}

// share reports whether x are shares, or what is wrong with them.
func share(x []float64) (string, bool) {
	sum := 0.
	for _, v := range x {
		if !(v >= 0) {
			return "has a negative number", false
		}
		sum += v
	}
	if !linalg.Finite(x...) || math.Abs(sum-1) > 1e-6 {
		return "does not sum to 1", false
	}
	return "", true
}
