package symmom

import (
	"cmp"
	"errors"
	"slices"

	"symmom/internal/estimate/modelfile"
	"symmom/internal/moment/frame"
)

// Save writes the topics to path as JSON; a name with the ending of another format is an error.
// The file is written atomically.
func (t *Topics) Save(path string) error {
	if t.Components == 0 {
		return cmp.Or(t.err, error(&SaveError{path, errors.New("there are no topics")}))
	}
	out := &modelfile.Topics{N: t.N, Components: t.Components, Weights: t.Weights, Concentration: t.Concentration, Prior: t.Prior, Frequencies: t.Frequencies,
		Names: t.Names, Documents: t.Documents, Converged: t.Converged, Iterations: t.Iterations, Source: t.source, Fingerprint: t.fingerprint}
	for mu := range slices.Chunk(t.model.Topics, t.N) {
		out.Topics = append(out.Topics, mu)
	}
	if t.session != nil {
		out.Source, out.Fingerprint = t.session.Source(), t.session.Fingerprint()
	}
	return saved(path, interrupted("save", out.Save((cmp.Or(t.session, &Session{})).saving(), path)))
}

// LoadTopics reads topics that Topics.Save wrote. Of the options only Context is used.
func LoadTopics(path string, options ...LoadOptions) (*Topics, error) {
	ctx, err := contextOf(options)
	var in *modelfile.Topics
	if err == nil {
		in, err = modelfile.LoadTopics(ctx, path)
	}
	if err != nil {
		return made(&Topics{Words: noMatrix(nil), Result: Result{err: err}}), loading(ctx, err)
	}
	t := made(&Topics{Documents: in.Documents, Concentration: in.Concentration, Prior: in.Prior, Frequencies: in.Frequencies, Converged: in.Converged,
		Iterations: in.Iterations, source: in.Source, fingerprint: in.Fingerprint, seed: DefaultSeed})
	t.describe(slices.Concat(in.Topics...), in.Weights, in.Names)
	t.frame = &frame.Frame{Variables: in.Names}
	return t, nil
}
