package charts

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"sync"
)

// echartsVersion and echartsSHA256 identify the embedded script; a test
// compares them with the file.
const (
	echartsVersion = "5.6.0"
	echartsSHA256  = "bf4a223524e40b77c304bec67e1222cf551f14880cf42c69dc046558e11c07b1"
)

// echartsScript is the whole of Apache ECharts, minified: see echarts/README.md.
//
//go:embed echarts/echarts.min.js
var echartsScript string

// optionsScript makes ECharts options and themes; pages and static pictures
// share it.
//
//go:embed page/options.js
var optionsScript string

//go:embed page/draw.js
var drawing string

// drawScript turns the chart options in a page into pictures.
var drawScript = optionsScript + drawing

// staticScript turns chart options into SVG.
//
//go:embed page/static.js
var staticScript string

// unpackScript fetches ECharts out of a compressed copy in the page.
//
//go:embed page/unpack.js
var unpackScript string

// peekScript tells the values of a chart that is drawn already.
//
//go:embed page/peek.js
var peekScript string

//go:embed page/style.css
var style string

//go:embed page/page.tmpl
var pageTemplate string

// packedScript is echartsScript for a notebook: 0.46 MB in place of 1.03 MB.
var packedScript = sync.OnceValue(func() string { return pack(echartsScript) })

// pack compresses a text for a page, gzipped and in base64.
func pack(text string) string {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	_, _ = z.Write([]byte(text))                          // a bytes.Buffer takes everything
	_ = z.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// sourceHash names an inline script to the page's content security policy,
// which lets run what has such a name and nothing else.
func sourceHash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
