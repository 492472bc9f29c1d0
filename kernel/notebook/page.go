package notebook

import (
	"bytes"
	_ "embed"
	"html/template"
	"path"
	"regexp"
	"strings"
)

//go:embed page.html
var pageSource string

var pageTemplate = template.Must(template.New("page").Parse(pageSource))

var title = regexp.MustCompile(`(?m)^# +(.+)$`)

// Page returns a page that shows the notebook and needs no other file: text, code, outputs,
// and of errors the traceback. Formulas are shown as TeX.
func (nb *Notebook) Page() ([]byte, error) {
	body, err := Renderer{}.Body(nb)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(path.Base(nb.name), ".ipynb")
	for _, c := range nb.Cells {
		if m := title.FindStringSubmatch(c.Source()); c.Type() == "markdown" && m != nil {
			name = strings.TrimSpace(strings.NewReplacer("`", "", "*", "", "$", "").Replace(m[1]))
			break
		}
	}
	var b bytes.Buffer
	err = pageTemplate.Execute(&b, map[string]any{"Title": name, "Body": template.HTML(body)})
	return b.Bytes(), err
}
