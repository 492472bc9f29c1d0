// Package assets holds the scripts, styles and the template of pages.
//
// # Pages
//
// A page fills our own template with the options that go-echarts makes, because its
// templates point to a CDN. It carries the script once, under a content security policy
// that allows our scripts by hash and no network. Charts are drawn when they come near the
// view, one at a time, in room that is kept for them: a sweep of eight ranks has more than
// forty. A browser without IntersectionObserver, and a frame in a notebook, which does not
// know what is near it, draw all. Before printing each chart gets a copy for paper, with the
// zoom and the series that are seen. Buttons below each figure save it as SVG and
// PNG as it is seen, with its zoom, its title and its caption where the browser has laid them
// out, and the numbers of its charts as CSV.
//
// # Notebooks
//
// A notebook stores what a cell shows. ECharts would take 460 kB a chart. So a figure is
// one image element whose SVG is drawn already, in the colours of both schemes. Browsers
// use the colours of the element's own color-scheme, which a style sheet of three lines
// sets from what JupyterLab, VS Code and Colab say of their theme, so that the system's
// theme does not count. An image runs no script and is kept where frames and scripts are
// removed; in trusted notebooks, 5 kB of script next to it show the values under the
// pointer, of up to 300 marks, and save and copy the picture. The PNG is stored once, as
// image/png, for LaTeX. Figure.Live stores ECharts in a sandboxed frame for those who
// want to zoom, and reports are in such a frame too.
//
// Because a person waits for the cell, a chart is drawn once a width: the dark colours
// are looked up, not drawn. BenchmarkNotebook of package charts measures it: .5 s of
// processor time for 4,000 observations or .75 s for 40 starts, with the PNG.
package assets
