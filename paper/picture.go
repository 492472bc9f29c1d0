package paper

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"symmom/datasets"
	"symmom/internal/text/words"
)

// pictureRecord is figure gmm-picture: data projected to the plane by a matrix
// of independent normal entries.
type pictureRecord struct {
	N          int          `json:"n"`
	P          int          `json:"p"` // observations drawn
	Sigma      float64      `json:"sigma"`
	DataSeed   uint64       `json:"data_seed"`
	Points     [][2]float64 `json:"points"` // the points shown
	Labels     []int        `json:"labels"`
	Means      [][2]float64 `json:"means"`
	Congruence [2]float64   `json:"congruence"` // least and greatest cosine of two means
	Norms      [2]float64   `json:"norms"`      // of the means
	// Astray is the share of the points that are nearer to another component's mean
	// than to their own, in the plane and in all n dimensions.
	AstrayPlane float64 `json:"astray_plane"`
	AstrayFull  float64 `json:"astray_full"`
}

// picture is the mixture of figures gmm-picture and gmm-solns.
type picture struct {
	options  datasets.MixtureOptions
	shownPer int // points of a component in the picture
}

func pictureOf(s Settings) picture {
	p := picture{datasets.MixtureOptions{N: publishedVariables, Components: 5, PerComponent: publishedPer, Sigma: .1, Congruence: publishedCongruence, Seed: dataSeed(s, 5, 3)}, 150}
	if s.Quick {
		p.options.N, p.options.PerComponent, p.shownPer = 60, 80, 30
	}
	return p
}

// dataSeed gives each scenario of the mixtures its own draw: rank r with the sigma
// of this index.
func dataSeed(s Settings, r, sigma int) uint64 { return 1000*s.Seed + 10*uint64(r) + uint64(sigma) }

func pictureKey(s Settings) string {
	p := pictureOf(s)
	return fmt.Sprintf("mixture/2 n=%d p=%d shown=%d sigma=%g seed=%d", p.options.N, 5*p.options.PerComponent, 5*p.shownPer, p.options.Sigma, s.Seed)
}

func pictureJobs(s Settings) []job {
	return []job{{key: pictureKey(s), about: "drawing the data", weight: 1e7, run: func(r *runner) (any, error) { return r.picture() }}}
}

func (r *runner) picture() (any, error) {
	p := pictureOf(r.settings)
	data, err := r.mixture(p.options)
	if err != nil {
		return nil, err
	}
	q, v := plane(r.settings), data.Session.Matrix()
	rec := pictureRecord{N: p.options.N, P: len(data.Labels), Sigma: p.options.Sigma, DataSeed: p.options.Seed, Means: project(data.Means.T(), q)}
	all := project(v, q)
	inPlane, inFull := 0, 0
	var products mat.Dense
	products.Mul(v, data.Means)
	for l, j := range data.Labels {
		if l%p.options.PerComponent >= p.shownPer {
			continue
		}
		rec.Points, rec.Labels = append(rec.Points, all[l]), append(rec.Labels, j)
		plane, full := 0, 0
		for k := range rec.Means {
			if distance(all[l], rec.Means[k]) < distance(all[l], rec.Means[plane]) {
				plane = k
			}
			if products.At(l, k) > products.At(l, full) { // means have the same norm
				full = k
			}
		}
		inPlane += boolean(plane != j)
		inFull += boolean(full != j)
	}
	shown := float64(len(rec.Points))
	rec.AstrayPlane, rec.AstrayFull = float64(inPlane)/shown, float64(inFull)/shown
	rec.Congruence, rec.Norms = geometry(data.Means)
	return rec, nil
}

func distance(a, b [2]float64) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// geometry returns the ranges of the cosines between two columns and of the norms.
func geometry(a *mat.Dense) (cosines, norms [2]float64) {
	var gram mat.Dense
	gram.Mul(a.T(), a)
	cosines, norms = [2]float64{1, -1}, [2]float64{math.Inf(1), 0}
	r, _ := gram.Dims()
	for i := range r {
		norm := math.Sqrt(gram.At(i, i))
		norms = [2]float64{math.Min(norms[0], norm), math.Max(norms[1], norm)}
		for j := range i {
			c := gram.At(i, j) / norm / math.Sqrt(gram.At(j, j))
			cosines = [2]float64{math.Min(cosines[0], c), math.Max(cosines[1], c)}
		}
	}
	return cosines, norms
}

func showPicture(s *shown) {
	rec, ok := get[pictureRecord](s.store, pictureKey(s.settings))
	if !ok {
		return
	}
	s.data = rec
	s.Figures = append(s.Figures, pictureFigure(s.settings))
	const where = "figure gmm-picture"
	s.claim("", where, "norm of the means", "1", fmt.Sprintf("%.6f to %.6f", rec.Norms[0], rec.Norms[1]), rec.Norms[1], rec.Norms[1]-rec.Norms[0] < 1e-12)
	s.claim("", where, "cosine of any two means", digits(publishedCongruence), fmt.Sprintf("%.6f to %.6f", rec.Congruence[0], rec.Congruence[1]), rec.Congruence[1], math.Abs(rec.Congruence[0]-publishedCongruence)+math.Abs(rec.Congruence[1]-publishedCongruence) < 1e-12)
	s.claim("", where, "points shown", "750", fmt.Sprint(len(rec.Points)), float64(len(rec.Points)), len(rec.Points) == 750)
	s.claim("", where, "the data are highly overlapping in the plane: share of points nearer to another mean", "-", digits(rec.AstrayPlane), rec.AstrayPlane, rec.AstrayPlane > .5)
	s.convention("The projection has independent normal entries: the extent of the paper's axes, about ±6 at sigma = .1 and n = 500, fits that and not an orthonormal one.")
	s.note("%s of %d variables are drawn, as in figures gmm3 and gmm-solns, and the first %d of each component shown. In all dimensions the share of points nearer to another component's mean is %s.",
		words.Plural(rec.P, "observation"), rec.N, len(rec.Points)/5, digits(rec.AstrayFull))
}
