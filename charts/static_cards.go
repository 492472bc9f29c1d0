package charts

import (
	"fmt"
	"math"

	"symmom/charts/internal/svg"
)

// Sizes of the cards of Images, those of the page's style sheet.
const (
	leastCard     = 205. // but see perRow
	mostCard      = 1.5 * leastCard
	cardGap       = 17.6
	pictureGap    = 8.
	cardNameSize  = 13.6
	cardNoteSize  = 13.
	pictureBorder = 1.
)

// cards draws pictures in rows, each with its name and the note below.
func (s *sheet) cards(cards []pictureCard) error {
	perRow := perRow(len(cards), s.inner())
	width := math.Min(mostCard, (s.inner()-float64(perRow-1)*cardGap)/float64(perRow))
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

// perRow is the number of cards that stand side by side in a width: of those
// with cards of at least leastCard, or a third less, the one that leaves the
// fewest places of the last row empty; of these the nearest to leastCard.
func perRow(n int, width float64) int {
	fit := func(least float64) int { return max(1, int((width+cardGap)/(least+cardGap))) }
	usual := fit(leastCard)
	best, empty := min(n, usual), n
	for _, k := range []int{usual, usual + 1, usual - 1, usual + 2, usual - 2} {
		if k < max(1, usual/2+1) || k > fit(leastCard*2/3) {
			continue
		}
		if left := (k - n%k) % k; n >= k && left < empty {
			best, empty = k, left
		}
	}
	return best
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
	if s.most > 0 {
		s.told = append(s.told, pixelMarks(n.Kids, x+pictureBorder, s.y+pictureBorder, pixel))
	}
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
