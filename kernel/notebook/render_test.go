package notebook

import (
	"errors"
	"strings"
	"testing"
)

func TestColours(t *testing.T) {
	for text, want := range map[string]string{
		"<a> & b":                                     "&lt;a&gt; &amp; b",
		"\x1b[31mred\x1b[0m plain":                    `<span class="ansi-red">red</span> plain`,
		"\x1b[1;94;42mx\x1b[39;49;22my":               `<span class="ansi-bold ansi-bright-blue ansi-on-green">x</span>y`,
		"\x1b[2;3;4mx\x1b[23;24my\x1b[m":              `<span class="ansi-dim ansi-italic ansi-underline">x</span><span class="ansi-dim">y</span>`,
		"\x1b[38;5;9mx\x1b[38;5;196my\x1b[48;5;232mz": `<span class="ansi-bright-red">x</span><span style="color:#ff0000">y</span><span style="color:#ff0000;background:#080808">z</span>`,
		"\x1b[38;2;1;2;300mx":                         `<span style="color:#0102ff">x</span>`,
		"\x1b[2K\x1b]8;;http://a\x07link\x1b]8;;\x07": "link",
		"\x1b[38mx\x1b[38;5my\x1b[999m":               "xy",
		"\x1b":                                        "\x1b",
	} {
		if got := coloured(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	if got := Plain("\x1b[31mred\x1b[0m"); got != "red" {
		t.Errorf("plain: %q", got)
	}
}

// Highlighting changes no character of the source, whether it is Go or not.
func TestHighlight(t *testing.T) {
	for source, want := range map[string]string{
		"x := 3 // <c>":            `x := <span class="n">3</span> <span class="c">// &lt;c&gt;</span>`,
		"for s = \"a\" {\n}":       `<span class="k">for</span> s = <span class="s">&#34;a&#34;</span> {` + "\n}",
		"ok = true":                `ok = <span class="l">true</span>`,
		"%%bash\nls \"$x":          `%%bash` + "\nls " + `<span class="s">&#34;$x</span>`,
		"é := 'é'\nreturn":         `é := <span class="s">&#39;é&#39;</span>` + "\n" + `<span class="k">return</span>`,
		"a := `x\r\ny`\nvar b = 1": "a := <span class=\"s\">`x\r\ny</span>`\n<span class=\"k\">var</span> b = <span class=\"n\">1</span>",
	} {
		if got := highlight(source); got != want {
			t.Errorf("%q: got %s, want %s", source, got, want)
		}
	}
}

func TestPage(t *testing.T) {
	text := map[string]any{"cell_type": "markdown", "metadata": map[string]any{}, "source": "# The *title*\n$a_1 * b_1 * c$ and ![p](attachment:p.png)\n\n| a |\n|---|\n| b |",
		"attachments": map[string]any{"p.png": map[string]any{"image/png": "aGk=\n"}}}
	c := code("x")
	c["outputs"] = []any{
		stream("a<\n"),
		map[string]any{"output_type": "stream", "name": "stderr", "text": "b"},
		result("text/plain", "plain", "text/html", "<i>rich</i>", "image/png", "aGk="),
		result("text/plain", "plain", "image/svg+xml", "<svg/>"),
		result("text/plain", "al\"t", "image/png", "aGk=\n"),
		result("text/plain", "plain", "image/gif", "\"><script>"),
		result("text/plain", "plain", "text/markdown", "**m**"),
		result("text/plain", "p>"),
		map[string]any{"output_type": "error", "ename": "e", "evalue": "v", "traceback": []any{"\x1b[31mbad\x1b[0m", "line"}},
	}
	nb := of(t, text, c, code(""), map[string]any{"cell_type": "raw", "metadata": map[string]any{}, "source": "raw"})
	page, err := nb.Page()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<title>The title</title>", "<h1>The <em>title</em></h1>", `<code class="tex">a_1 * b_1 * c</code>`, `<img src="data:image/png;base64,aGk=" alt="p">`, "<td>b</td>",
		`<pre class="output">a&lt;</pre>`, `<pre class="output stderr">b</pre>`, `<div class="output scroll"><i>rich</i></div>`, `<div class="output scroll"><svg/></div>`,
		`<img src="data:image/png;base64,aGk=" alt="al&#34;t">`, "<strong>m</strong>", `<pre class="output">p&gt;</pre>`,
		"<pre class=\"output error\"><span class=\"ansi-red\">bad</span>\nline</pre>",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page has no %s:\n%s", want, page)
		}
	}
	if strings.Contains(string(page), "<script") {
		t.Error("data of a picture are no HTML")
	}
	if n := strings.Count(string(page), `<div class="cell">`); n != 1 || strings.Contains(string(page), ">raw") {
		t.Errorf("%d cells of code, want 1, and nothing raw", n)
	}
	// A program may write parts in its own way.
	body, err := Renderer{
		Markdown: func(*Cell) (string, error) { return "M", nil },
		Code:     func(string) string { return "C" },
		Output: func(o Output) (string, bool, error) {
			if o.Type() == "error" {
				return "", false, errors.New("no errors")
			}
			return "O", true, nil
		},
	}.Body(nb)
	if err == nil || err.Error() != "test.ipynb, cell 2: no errors" || body != "" {
		t.Errorf("%s %v", body, err)
	}
}
