package main

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"html/template"
	"regexp"
	"strings"

	"symmom/charts"
	"symmom/datasets"
)

// drawn is a chart of the gallery: what it is for, and the function below that draws it,
// whose body is shown beside it. A session takes these lines as they are.
type drawn struct {
	name, uses, text string
	draw             func() *charts.Figure
}

var gallery = []drawn{
	{"images", "Images", "Components that are pictures, beside the truth.", images},
	{"recovery", "Recovery", "Found means beside the true ones, in a plane of all variables.", recovery},
	{"mixture", "Mixture", "A Gaussian mixture: means, covariances, observations.", mixture},
	{"mixtures", "Mixtures", "How many components: BIC of several mixtures.", mixtures},
	{"score-matrix", "ScoreMatrix", "Which component agrees with which truth.", scoreMatrix},
	{"convergence", "Convergence", "How each start came down, and where it ended.", convergence},
	{"sweep", "Sweep", "Several ranks side by side.", sweep},
	{"rank-evidence", "RankEvidence", "Four kinds of evidence for the number of components.", rankEvidence},
	{"scree", "Scree", "Eigenvalues of the second moment.", scree},
	{"factors", "Factors", "What each component is made of.", factors},
	{"lambda", "Lambda", "The weights of the components.", lambda},
	{"sources", "Sources", "Independent sources over time.", sources},
	{"distributions", "Distributions", "The values of each variable.", distributions},
	{"pairs", "Pairs", "Variables against each other, groups in colours.", pairs},
	{"correlations", "Correlations", "Which variables go together.", correlations},
	{"cost", "Cost", "What the forms of a moment would cost at other sizes.", cost},
}

func images() *charts.Figure {
	fit := datasets.Digits().Moment(4).Decompose(10)
	return charts.Images(fit.Model.Factors, 8, 8, charts.ImageOptions{Truth: datasets.DigitMeans()})
}

func recovery() *charts.Figure {
	mixture := datasets.GaussianMixture(datasets.MixtureOptions{
		N: 500, Components: 5, PerComponent: 250, Sigma: 0.1, Congruence: 0.5,
	})
	fit := mixture.Session.Moment(3).Decompose(5)
	return charts.Recovery(fit, mixture.Means, charts.RecoveryOptions{Principal: true, Labels: mixture.Labels, Points: 500})
}

func mixture() *charts.Figure {
	made := datasets.GaussianMixture(datasets.MixtureOptions{
		N: 20, Components: 4, Observations: 2000, Sigma: 0.25, Congruence: 0.3, Weights: []float64{.4, .3, .2, .1},
	})
	return charts.Mixture(made.Session.Mixture(4), charts.MixtureOptions{Points: 600})
}

func mixtures() *charts.Figure {
	made := datasets.GaussianMixture(datasets.MixtureOptions{
		N: 20, Components: 4, Observations: 2000, Sigma: 0.25, Congruence: 0.3, Weights: []float64{.4, .3, .2, .1},
	})
	return charts.Mixtures(made.Session.Mixtures(1, 7))
}

func scoreMatrix() *charts.Figure {
	fit := datasets.Digits().Moment(4).Decompose(10)
	return charts.ScoreMatrix(fit.Score(datasets.DigitMeans()))
}

func convergence() *charts.Figure {
	fit := datasets.Digits().Moment(3).Decompose(10)
	return charts.Convergence(fit)
}

func sweep() *charts.Figure {
	mixture := datasets.GaussianMixture(datasets.MixtureOptions{
		N: 100, Components: 5, PerComponent: 250, Sigma: 0.1, Congruence: 0.5,
	})
	return charts.Sweep(mixture.Session.Moment(3).Sweep(3, 7).Score(mixture.Means))
}

func rankEvidence() *charts.Figure {
	mixture := datasets.GaussianMixture(datasets.MixtureOptions{
		N: 12, Components: 3, PerComponent: 200, Sigma: 0.1, Congruence: 0.3,
	})
	return charts.RankEvidence(mixture.Session.Moment(3).SuggestRank(0))
}

func scree() *charts.Figure {
	mixture := datasets.GaussianMixture(datasets.MixtureOptions{
		N: 50, Components: 4, PerComponent: 200, Sigma: 0.1, Congruence: 0.3,
	})
	return charts.Scree(mixture.Session.Moment(3).Decompose(4))
}

func factors() *charts.Figure {
	mixture := datasets.GaussianMixture(datasets.MixtureOptions{
		N: 12, Components: 3, PerComponent: 200, Sigma: 0.1, Congruence: 0.2,
	})
	return charts.Factors(mixture.Session.Moment(3).Decompose(3))
}

func lambda() *charts.Figure {
	mixture := datasets.GaussianMixture(datasets.MixtureOptions{
		N: 50, Components: 4, PerComponent: 200, Sigma: 0.1, Congruence: 0.3,
	})
	return charts.Lambda(mixture.Session.Moment(3).Decompose(4))
}

func sources() *charts.Figure {
	data := datasets.Uniform(4, 2000, 1)
	return charts.Sources(data.ICA(4), data, charts.SourcesOptions{Points: 120})
}

func distributions() *charts.Figure { return charts.Distributions(datasets.Wine().Select("1-4")) }

func pairs() *charts.Figure { return charts.Pairs(datasets.Iris()) }

func correlations() *charts.Figure { return charts.Correlations(datasets.Wine()) }

func cost() *charts.Figure {
	return charts.Cost(charts.CostOptions{N: 500, Observations: 1250})
}

//go:embed gallery.go home.go
var ownCode embed.FS

// bodies returns the bodies of this command's functions as cells of a session.
func bodies(file string) (map[string]string, error) {
	text, err := ownCode.ReadFile(file)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, 0)
	if err != nil {
		return nil, err
	}
	list := map[string]string{}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
			body := string(text[fset.Position(f.Body.Lbrace).Offset+1 : fset.Position(f.Body.Rbrace).Offset])
			list[f.Name.Name] = returning.ReplaceAllString(dedent(body), "")
		}
	}
	return list, nil
}

// dedent takes one tab from the beginning of each line.
func dedent(code string) string {
	return strings.TrimPrefix(strings.ReplaceAll(strings.Trim(code, "\n"), "\n\t", "\n"), "\t")
}

var returning = regexp.MustCompile(`(?m)^return `)

// addGallery draws the charts.
func (s *site) addGallery() error {
	code, err := bodies("gallery.go")
	if err != nil {
		return err
	}
	lead := "Charts of package charts, drawn while this site was built by the lines beside them. In notebooks they show values under the pointer, and on pages they can be zoomed."
	p := &page{path: "gallery.html", title: "Gallery", section: "Gallery", summary: lead, lead: template.HTML(lead)}
	var b strings.Builder
	for _, d := range gallery {
		f := d.draw()
		picture, err := s.figure(d.name, f)
		if err != nil {
			return err
		}
		function := strings.ToLower(d.uses[:1]) + d.uses[1:]
		lines, ok := code[function]
		if !ok {
			return fmt.Errorf("the gallery has no function %s", function)
		}
		p.contents = append(p.contents, heading{2, d.name, d.uses})
		fmt.Fprintf(&b, `<section class="work"><h2 id="%s">%s</h2><p>%s <a href="/reference/charts.html#%s">charts.%s</a></p>%s%s<p class="try"><a href="%s">Run it here</a></p></section>`+"\n",
			d.name, html.EscapeString(f.Title), d.text, d.uses, d.uses, picture, codeBlock(lines, "go"), html.EscapeString(console(lines)))
	}
	p.body = template.HTML(b.String())
	s.add(p)
	return nil
}
