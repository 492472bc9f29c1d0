package charts

import (
	"fmt"
	"math"

	"symmom/charts/internal/svg"
)

// Sizes of the cards of Images, those of the page's style sheet.
const (
	leastCard     = 205.
	cardGap       = 17.6
	pictureGap    = 8.
	cardNameSize  = 13.6
	cardNoteSize  = 13.
	pictureBorder = 1.
)

// cards draws pictures in rows, each with its name and the note below.
func (s *sheet) cards(cards []pictureCard) error {
	perRow := max(1, int((s.inner()+cardGap)/(leastCard+cardGap)))
	width := (s.inner() - float64(perRow-1)*cardGap) / float64(perRow)
	for from := 0; from < len(cards); from += perRow {
		if from > 0 {
			s.space(cardGap)
		}
		top, bottom := s.y, s.y
		for i, c := range cards[from:min(from+perRow, len(cards))] {
			s.y = top
			if err := s.card(c, picturePadding+float64(i)*(width+cardGap), width); err != nil {
				return err
			}
			bottom = math.Max(bottom, s.y)
		}
		s.y = bottom
	}
	return nil
}

func (s *sheet) card(c pictureCard, x, width float64) error {
	each := (width - pictureGap*float64(len(c.Images)-1)) / float64(len(c.Images))
	top, bottom := s.y, s.y
	for i, p := range c.Images {
		left := x + float64(i)*(each+pictureGap)
		s.y = top
		if err := s.picture(p, left, each); err != nil {
			return err
		}
		s.space(3)
		s.textAt(left+each/2, each, p.Name, cardNameSize, false, "ink", "middle")
		bottom = math.Max(bottom, s.y)
	}
	s.y = bottom
	s.textAt(x+width/2, width, c.Note, cardNoteSize, false, "muted", "middle")
	return nil
}

// picture draws the pixels of one image.
func (s *sheet) picture(p picture, x, width float64) error {
	n, err := svg.Parse(string(p.SVG))
	if err != nil {
		return err
	}
	var cols, rows float64
	if _, err := fmt.Sscanf(n.Get("viewBox"), "0 0 %g %g", &cols, &rows); err != nil {
		return fmt.Errorf("charts: size of a picture: %w", err)
	}
	pixel := (width - 2*pictureBorder) / cols
	height := pixel * rows
	s.root.Add(svg.New("rect", "x", short(x+.5), "y", short(s.y+.5), "width", short(width-1), "height", short(height+1),
		"fill", s.colors["bg"], "stroke", s.colors["faint"]))
	g := svg.New("g", "transform", fmt.Sprintf("translate(%s %s) scale(%.6g)", short(x+pictureBorder), short(s.y+pictureBorder), pixel),
		"fill", s.colors["ink"], "shape-rendering", "crispEdges")
	for _, k := range n.Kids {
		if k.Get("fill-opacity") == "0" {
			continue
		}
		if k.Get("class") == "n" {
			k.Set("fill", s.colors["negative"])
		}
		k.Set("class", "")
		k.Kids = nil // the value under the pointer
		g.Add(k)
	}
	s.root.Add(g)
	s.space(height + 2*pictureBorder)
	return nil
}

func round2(x float64) float64 { return math.Round(x*100) / 100 }
