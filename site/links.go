package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/net/html"
)

// checkLinks follows every link of every page: its file must be there, and the element
// that it names. IDs must be unique, and nothing may be loaded from elsewhere.
func (s *site) checkLinks() error {
	pages := map[string]*links{}
	err := filepath.WalkDir(s.out, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(s.out, name)
		relative = filepath.ToSlash(relative)
		if err != nil || e.IsDir() && relative == "lite" {
			return fs.SkipDir // JupyterLite is checked by its own tests
		}
		if strings.HasSuffix(name, ".html") {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			pages[relative], err = readLinks(data)
			if err != nil {
				return fmt.Errorf("%s: %w", relative, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	var bad []string
	for from, p := range pages {
		for _, id := range p.twice {
			bad = append(bad, fmt.Sprintf("%s: two elements have the ID %q", from, id))
		}
		for _, l := range p.links {
			s.links++
			if why := s.follow(from, l, pages); why != "" {
				bad = append(bad, fmt.Sprintf("%s: %q %s", from, l.address, why))
			}
		}
	}
	if len(bad) > 0 {
		return fmt.Errorf("%d bad links:\n%s", len(bad), strings.Join(bad[:min(len(bad), 30)], "\n"))
	}
	return nil
}

// follow returns why a link is bad, or "".
func (s *site) follow(from string, l pageLink, pages map[string]*links) string {
	u, err := url.Parse(l.address)
	if err != nil {
		return err.Error()
	}
	if u.Scheme != "" || u.Host != "" {
		if l.loads && u.Scheme != "data" {
			return "is loaded from elsewhere"
		}
		return ""
	}
	target := from
	if u.Path != "" {
		target = path.Join(path.Dir(from), u.Path)
	}
	info, err := os.Stat(filepath.Join(s.out, filepath.FromSlash(target)))
	if err != nil || info.IsDir() || strings.HasPrefix(target, "..") {
		return "leads nowhere"
	}
	if p := pages[target]; u.Fragment != "" && p != nil && !p.ids[u.Fragment] {
		return "names an element that is not there"
	}
	return ""
}

// links are the links of a page and the IDs that others may lead to.
type links struct {
	ids   map[string]bool
	twice []string
	links []pageLink
}

type pageLink struct {
	address string
	loads   bool // the browser loads it with the page
}

func readLinks(data []byte) (*links, error) {
	root, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	l := &links{ids: map[string]bool{}}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch a.Key {
			case "id":
				if l.ids[a.Val] {
					l.twice = append(l.twice, a.Val)
				}
				l.ids[a.Val] = true
			case "href", "src", "srcset", "data-index", "data-live":
				l.links = append(l.links, pageLink{a.Val, n.Data != "a"})
			}
		}
	}
	return l, nil
}
