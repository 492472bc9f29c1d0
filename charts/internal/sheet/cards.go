package sheet

import (
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"symmom/charts/internal/svg"
)

// Sizes of the cards of Images, as in the page's style sheet.
const (
	leastCard     = 205. // but see PerRow
	mostCard      = 1.5 * leastCard
	cardGap       = 17.6
	pictureGap    = 8.
	cardNameSize  = 13.6
	cardNoteSize  = 13.
	pictureBorder = 1.
)

// Cards draws pictures in rows, each with its name and the note below it.
func (s *Sheet) Cards(cards []Card) error {
	perRow := PerRow(len(cards), s.inner())
	width := math.Min(mostCard, (s.inner()-float64(perRow-1)*cardGap)/float64(perRow))
	for from := 0; from < len(cards); from += perRow {
		if from > 0 {
			s.Space(cardGap)
		}
		top, bottom := s.y, s.y
		for i, c := range cards[from:min(from+perRow, len(cards))] {
			s.y = top
			if err := s.card(c, padding+float64(i)*(width+cardGap), width); err != nil {
				return err
			}
			bottom = math.Max(bottom, s.y)
		}
		s.y = bottom
	}
	return nil
}

// PerRow returns the number of cards to place side by side in a width. Of the
// numbers that give cards of at least leastCard, or a third less, it is the one
// that leaves the fewest empty places in the last row; of these, the one whose
// cards are nearest to leastCard.
func PerRow(n int, width float64) int {
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

func (s *Sheet) card(c Card, x, width float64) error {
	each := (width - pictureGap*float64(len(c.Images)-1)) / float64(len(c.Images))
	top, bottom := s.y, s.y
	for i, p := range c.Images {
		left := x + float64(i)*(each+pictureGap)
		s.y = top
		if err := s.picture(p, left, each); err != nil {
			return err
		}
		s.Space(3)
		s.textAt(left+each/2, each, p.Name, cardNameSize, false, "ink", "middle")
		bottom = math.Max(bottom, s.y)
	}
	s.y = bottom
	s.textAt(x+width/2, width, c.Note, cardNoteSize, false, "muted", "middle")
	return nil
}

// picture draws the pixels of one image.
func (s *Sheet) picture(p Picture, x, width float64) error {
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
		s.marks = append(s.marks, pixelMarks(n.Kids, x+pictureBorder, s.y+pictureBorder, pixel))
	}
	shades := map[[2]string]*svg.Node{} // a path for each, of all its pixels
	for _, k := range n.Kids {
		fill := ""
		if k.Get("class") == "n" {
			fill = s.colors["negative"]
		}
		opacity, err := strconv.ParseFloat(k.Get("fill-opacity"), 64)
		if err != nil {
			return fmt.Errorf("charts: a pixel: %w", err)
		}
		look := [2]string{fill, short(opacity)}
		if look[1] == "0" {
			continue
		}
		if shades[look] == nil {
			shades[look] = svg.New("path", "d", "")
			shades[look].Set("fill", fill)
			shades[look].Set("fill-opacity", look[1])
			g.Add(shades[look])
		}
		d := k.Get("d")
		if k.Name == "rect" {
			d = "M" + k.Get("x") + " " + k.Get("y") + "h1v1h-1z"
		}
		of := &shades[look].Attrs[0]
		of.Value += d
	}
	s.root.Add(g)
	s.Space(height + 2*pictureBorder)
	return nil
}

func round(x float64) float64 { return math.Round(x*100) / 100 }

// Marks are the marks of one part of a picture, whose origin is at X and Y.
type Marks struct {
	X, Y   float64
	Values json.RawMessage `json:"Told"` // as returned by symmomStatic; saved notebooks have this name
}

// pixelMarks returns the values of a picture's pixels, from their titles.
func pixelMarks(pixels []*svg.Node, x, y, side float64) Marks {
	type mark [5]any
	var all []mark
	for _, p := range pixels {
		var col, row float64
		if _, err := fmt.Sscan(p.Get("x")+" "+p.Get("y"), &col, &row); err != nil || len(p.Kids) == 0 {
			continue // a path of many pixels
		}
		all = append(all, mark{round(col * side), round(row * side), round(side), round(side), strings.TrimSpace(p.Kids[0].Text)})
	}
	marks, _ := json.Marshal(map[string]any{"marks": all}) // numbers and strings cannot fail
	return Marks{round(x), round(y), marks}
}

// Card is a found picture and its match, or only one of them.
type Card struct {
	Images []Picture
	Note   string
}

type Picture struct {
	Name string
	SVG  template.HTML
}
