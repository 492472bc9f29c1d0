package assets

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
	"sync"
)

// Version and SHA256 identify the embedded script; a test
// compares them with the file.
const (
	Version = "5.6.0"
	SHA256  = "bf4a223524e40b77c304bec67e1222cf551f14880cf42c69dc046558e11c07b1"
)

// ECharts is the whole of Apache ECharts, minified: see echarts/README.md here.
//
//go:embed echarts/echarts.min.js
var ECharts string

// Options makes ECharts options and themes; pages and static pictures
// share it.
//
//go:embed page/options.js
var Options string

//go:embed page/draw.js
var drawing string

// Draw turns the chart options in a page into pictures.
var Draw = Options + drawing

// Static turns chart options into SVG.
//
//go:embed page/static.js
var Static string

// Unpack fetches ECharts out of a compressed copy in the page.
//
//go:embed page/unpack.js
var Unpack string

var (
	//go:embed page/keep.js
	keep string
	//go:embed page/figures.js
	figures string
	//go:embed page/peek.js
	peek string
	//go:embed page/notebook.js
	notebook string
	//go:embed page/library.js
	library string
)

// Figures gives the figures of a page buttons that save them.
var Figures = keep + figures

// Peek shows the values of a chart that is drawn already, with such buttons.
var Peek = keep + peek + "\nif (window.symmomLive) window.symmomLive();"

// Library is what a notebook's page needs once to draw charts: ECharts, compressed, and our
// scripts, in a form that leaves the page's globals alone.
var Library = sync.OnceValue(func() string {
	colors, _ := json.Marshal([]map[string]string{ThemeColors(false), ThemeColors(true)}) // strings cannot fail
	source := "var module = { exports: {} }, exports = module.exports, define;\n" + ECharts + "\nvar echarts = module.exports;\n" + Options +
		strings.Replace(notebook, "/*COLORS*/null", string(colors), 1)
	return `<script type="text/plain" class="symmom-library">` + Pack(source) + "</script><script>" + library + "</script>"
})

//go:embed page/style.css
var Style string

// NotebookStyle gives figures the colours of the notebook, which may have
// others than the system: JupyterLab's, VS Code's and Colab's.
//
//go:embed page/notebook.css
var NotebookStyle string

//go:embed page/page.tmpl
var Template string

// Packed is ECharts compressed for a notebook: 0.46 MB instead of 1.03 MB.
var Packed = sync.OnceValue(func() string { return Pack(ECharts) })

// Pack compresses a text for a page, with gzip and base64.
func Pack(text string) string {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	_, _ = z.Write([]byte(text))                          // a bytes.Buffer never fails
	_ = z.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// SourceHash returns the hash of an inline script for the page's content security
// policy, which lets only scripts with such a hash run.
func SourceHash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Policy returns the page's content security policy: no requests, and no scripts
// except these. Styles are unrestricted because ECharts styles its tooltips.
func Policy(scripts []string) string {
	p := "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; script-src"
	if len(scripts) == 0 {
		p += " 'none'"
	}
	for _, s := range scripts {
		p += " " + SourceHash(s)
	}
	return p
}

var (
	colorBlock = regexp.MustCompile(`:root\S* \{([^}]*--[^}]*)\}`)
	colorValue = regexp.MustCompile(`--([a-z]+): (#[0-9a-f]{6});`)

	schemes = sync.OnceValue(func() (both [2]map[string]string) {
		for i, b := range colorBlock.FindAllStringSubmatch(Style, 2) {
			both[i] = map[string]string{}
			for _, m := range colorValue.FindAllStringSubmatch(b[1], -1) {
				both[i][m[1]] = m[2]
			}
		}
		return both
	})
)

// ThemeColors returns the colours of a light or dark page: those of the style sheet of pages, by name.
func ThemeColors(dark bool) map[string]string {
	if dark {
		return schemes()[1]
	}
	return schemes()[0]
}
