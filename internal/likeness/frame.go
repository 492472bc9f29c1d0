package likeness

import (
	"fmt"
	"math"
	"slices"

	"symmom/internal/linalg"
	"symmom/internal/notice"
)

// Frame is the coordinates of observations, or those that something was found in.
type Frame struct {
	Coordinates   string
	Variables     []string
	Center, Scale []float64 // subtracted from the variables, which were then divided; nil if not, or not known
	Whitening     any       // a pointer to what made whitened coordinates, or nil
}

// Place refuses observations in another frame than that of a result, "mixture" for example.
// It says where in the result each variable is, as Match does, and how to move an observation
// of data as they were loaded to the result's coordinates; nil if it is in them.
func (f *Frame) Place(result string, here *Frame) (order []int, move func(row []float64), refused *Refusal) {
	order, _, refused = Match(result, f.Variables, here.Variables)
	if refused != nil {
		return nil, nil, refused
	}
	center, scale := f.Center, f.Scale
	if order != nil {
		center, scale = Reordered(center, order), Reordered(scale, order)
	}
	switch {
	case f.Coordinates == here.Coordinates:
		if f.Whitening != nil && here.Whitening != nil && f.Whitening != here.Whitening {
			return nil, nil, &Refusal{"data that were whitened by themselves", fmt.Sprintf("data in the whitened coordinates that the %s was found in: whiten all of the data before they are divided", result), nil}
		}
		if !sameCenter(center, scale, here.Center, here.Scale) {
			return nil, nil, &Refusal{fmt.Sprintf("data that are %s by other numbers", here.Coordinates), fmt.Sprintf("the data as they were loaded: the %s centers or standardizes them like its own", result), nil}
		}
		return order, nil, nil
	case here.Coordinates == "" && f.Coordinates != Whitened && center != nil:
		return order, func(row []float64) {
			linalg.Axpy(-1, center, row)
			for j, s := range scale {
				row[j] /= s
			}
		}, nil
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
func (f *Frame) Restandardized(center, scale []float64) []notice.Warning {
	if scale == nil || f.Scale == nil || sameCenter(center, scale, f.Center, f.Scale) {
		return nil
	}
	at, most := 0, 0.
	for j, s := range scale {
		if d := math.Abs(f.Center[j]-center[j])/s + math.Abs(math.Log(f.Scale[j]/s)); d > most {
			at, most = j, d
		}
	}
	return []notice.Warning{notice.New(notice.OtherScale, "the model is of data that were standardized by other means and deviations (of %s %.6g and %.6g, here %.6g and %.6g): it was compared with data standardized by their own", f.Variables[at], center[at], scale[at], f.Center[at], f.Scale[at])}
}

// Loaded returns a mean of variables from which a center was subtracted, and which were then
// divided by a scale, each unless it is nil, in the units of the data as they were loaded.
func Loaded(mean, center, scale []float64) []float64 {
	mean = slices.Clone(mean)
	for j := range mean {
		if scale != nil {
			mean[j] *= scale[j]
		}
		if center != nil {
			mean[j] += center[j]
		}
	}
	return mean
}

// sameCenter reports whether two centers and scales are the same but for rounding, of float32
// too, in units of the deviations if these are known; what is not known is the same.
func sameCenter(center, scale, center2, scale2 []float64) bool {
	if center == nil || center2 == nil {
		return true
	}
	if scale == nil || scale2 == nil {
		return near(center, center2)
	}
	const rounding = 1e-6
	for j, s := range scale {
		if d := math.Abs(center[j] - center2[j]); !(d <= rounding*max(s, math.Abs(center[j])) && math.Abs(s-scale2[j]) <= rounding*s) {
			return false
		}
	}
	return true
}
