// Package assets holds the scripts, styles and the template of pages.
//
// # Pages
//
// A page fills our own template with the options of go-echarts, whose templates point to
// a CDN. It contains the script once, under a content security policy that allows our
// scripts by hash and no network. Charts are drawn when they come near the viewport, one
// at a time, in reserved space: a sweep of eight ranks has more than forty. A browser
// without IntersectionObserver, and a frame in a notebook, which cannot see its viewport,
// draw all. Before printing, each chart gets a copy for paper, with the current zoom and
// visible series. Buttons below each figure save it as shown, as SVG and PNG, with its
// zoom, title and caption in the browser's layout, and the numbers of its charts as CSV.
//
// # Notebooks
//
// A notebook stores the output of cells. ECharts would take 460 kB a chart. So a figure is
// one image element with a static SVG, in the colours of both schemes. Browsers use the
// element's own color-scheme, which a short style sheet sets from the theme of
// JupyterLab, VS Code or Colab, overriding the system's theme. An image runs no script and
// survives where frames and scripts are removed; in trusted notebooks, 5 kB of script next
// to it show the values under the pointer, of up to 300 marks, and save and copy the
// picture. The PNG is stored once, as image/png, for LaTeX.
//
// On a page that has our library (Library, 460 kB), which a kernel puts into the first
// output that asks for it, page/notebook.js draws the charts in place of their pictures as
// they come near the view, from their options, which take a few kB. ECharts and our scripts are
// local to one function there: the page keeps its globals, and another ECharts. Pictures in
// controls, which are replaced at every move, stay. Figure.Live stores ECharts in a sandboxed
// frame, for kernels that do not have the library, and reports are in such a frame too.
//
// Because a person waits for the cell, a chart is drawn once per width: the dark colours
// are looked up, not drawn. BenchmarkNotebook of package charts measures it: .5 s of
// processor time for 4,000 observations or .75 s for 40 starts, with the PNG.
package assets
