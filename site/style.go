package main

import (
	"fmt"
	"regexp"
	"strings"
)

// style is the style sheet, with the colours of the pages that charts makes.
func (s *site) style() ([]byte, error) {
	sheet, err := assets.ReadFile("page/style.css")
	if err != nil {
		return nil, err
	}
	const file = "charts/internal/assets/page/style.css"
	theirs, err := s.read(file)
	if err != nil {
		return nil, err
	}
	blocks := colors.FindAllStringSubmatch(string(theirs), -1)
	if len(blocks) != 2 {
		return nil, fmt.Errorf("%s: %d blocks of colours, want one for light and one for dark pages", file, len(blocks))
	}
	dark := map[string]string{}
	for _, c := range color.FindAllStringSubmatch(blocks[1][1], -1) {
		dark[c[1]] = c[2]
	}
	var list []string
	for _, c := range color.FindAllStringSubmatch(blocks[0][1], -1) {
		list = append(list, fmt.Sprintf("--%s: light-dark(%s, %s);", c[1], c[2], dark[c[1]]))
	}
	return []byte(strings.Replace(string(sheet), "\n  COLOURS\n", "\n  "+strings.Join(list, " ")+"\n", 1)), nil
}

var (
	colors = regexp.MustCompile(`:root\S* \{([^}]*--[^}]*)\}`)
	color  = regexp.MustCompile(`--([a-z]+): (#[0-9a-f]{6});`)
)
