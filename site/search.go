package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/net/html"
)

// found is a part of a page, from one heading to the next, as the search finds it.
type found struct {
	ID      int    `json:"id"`
	Page    string `json:"page"`
	Heading string `json:"heading"`
	Path    string `json:"path"`
	Excerpt string `json:"excerpt"`
	Text    string `json:"text"`
}

// searchIndex makes the index of all pages.
func (s *site) searchIndex() ([]byte, error) {
	var all []*found
	for _, p := range s.pages {
		parts, err := p.parts()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.path, err)
		}
		for _, f := range parts {
			f.ID = len(all)
			all = append(all, f)
		}
	}
	data, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	return s.scripts.search(data)
}

// parts splits a page at its headings that have an ID. Tables, pictures and formulas are
// left out.
func (p *page) parts() ([]*found, error) {
	root, err := html.Parse(bytes.NewReader([]byte(p.body)))
	if err != nil {
		return nil, err
	}
	at := &found{Page: p.title, Heading: p.title, Path: p.path, Text: p.summary}
	list := []*found{at}
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		if n.Type == html.TextNode {
			at.Text += n.Data
			return
		}
		switch class, id := attribute(n, "class"), attribute(n, "id"); {
		case n.Data == "table" || n.Data == "svg" || strings.HasPrefix(class, "katex"):
			return
		case len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' && id != "":
			name := attribute(n, "data-name")
			if name == "" {
				name = strings.Join(strings.Fields(textOf(n)), " ")
			}
			at = &found{Page: p.title, Heading: name, Path: p.path + "#" + id}
			list = append(list, at)
			return
		case n.Data == "pre" || n.Data == "p" || n.Data == "li" || n.Data == "div":
			at.Text += "\n"
		}
		for child := range n.ChildNodes() {
			visit(child)
		}
	}
	visit(root)
	for _, f := range list {
		f.Text = strings.Join(strings.Fields(f.Text), " ")
		f.Excerpt = shorten(f.Text, 160)
	}
	return list, nil
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
