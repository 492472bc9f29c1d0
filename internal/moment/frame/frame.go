package frame

import (
	"fmt"
	"math"

	"symmom/internal/text/diag"
)

// Frame is the coordinates of observations, or those that something was found in.
type Frame struct {
	Coordinates string
	Variables   []string
	Move            // of the variables, as far as it is known
	Whitening   any // a pointer to what made whitened coordinates, or nil
}

// Says names the coordinates that results are in, unless they are those of the data.
func Says(coordinates, results string) string {
	return fmt.Sprintf("%s: %s are in these", coordinates, results)
}

// Place refuses observations in another frame than that of a result, "mixture" for example.
// It says where in the result each variable is, as Match does, and how to move an observation
// of data as they were loaded to the result's coordinates; nil if it is in them.
func (f *Frame) Place(result string, here *Frame) (order []int, move func(row []float64), refused *Refusal) {
	order, _, refused = Match(result, f.Variables, here.Variables)
	if refused != nil {
		return nil, nil, refused
	}
	moved := f.Move
	if order != nil {
		moved = moved.Picked(order)
	}
	switch {
	case f.Coordinates == here.Coordinates:
		if f.Whitening != nil && here.Whitening != nil && f.Whitening != here.Whitening {
			return nil, nil, &Refusal{"data that were whitened by themselves", fmt.Sprintf("data in the whitened coordinates that the %s was found in: whiten all of the data before they are divided", result), nil}
		}
		if !here.same(moved) {
			return nil, nil, &Refusal{fmt.Sprintf("data that are %s by other numbers", here.Coordinates), fmt.Sprintf("the data as they were loaded: the %s centers or standardizes them like its own", result), nil}
		}
		return order, nil, nil
	case here.Coordinates == "" && f.Coordinates != Whitened && moved.Center != nil:
		return order, moved.Of, nil
	}
	own := func(c string) string {
		if c == "" {
			return "neither centered nor standardized"
		}
		return c
	}
	return nil, nil, &Refusal{"data that are " + own(here.Coordinates), fmt.Sprintf("data that are %s, like those that the %s was found in", own(f.Coordinates), result), nil}
}

// Restandardized warns that a model of data that were standardized by other means and deviations,
// center and scale, is compared with data that were by their own; of which variable they differ
// most. It says nothing of data that were centered alone: moments about the mean are about
// that of each.
func (f *Frame) Restandardized(center, scale []float64) []diag.Warning {
	if scale == nil || f.Scale == nil || f.same(Move{Center: center, Scale: scale}) {
		return nil
	}
	at, most := 0, 0.
	for j, s := range scale {
		if d := math.Abs(f.Center[j]-center[j])/s + math.Abs(math.Log(f.Scale[j]/s)); d > most {
			at, most = j, d
		}
	}
	return []diag.Warning{diag.New(diag.OtherScale, "the model is of data that were standardized by other means and deviations (of %s %.6g and %.6g, here %.6g and %.6g): it was compared with data standardized by their own", f.Variables[at], center[at], scale[at], f.Center[at], f.Scale[at])}
}
