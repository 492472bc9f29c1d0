package columns

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"
)

// Values of surveys and grids are no suspects.
func TestSuspects(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	column := func(draw func() float64, more ...float64) *Suspects {
		s := &Suspects{}
		for range 60 {
			s.Add(draw())
		}
		for range 4 {
			for _, v := range more {
				s.Add(v)
			}
		}
		return s
	}
	whole := func(from, to int) func() float64 {
		return func() float64 { return float64(from + rng.IntN(to-from+1)) }
	}
	for name, c := range map[string]struct {
		s    *Suspects
		want []float64
	}{
		"ages":           {column(whole(18, 90), 999, 998), []float64{999, 998}},
		"ages, 99":       {column(whole(18, 90), 99), nil},
		"income":         {column(whole(1000, 90000), -99, -98), []float64{-99, -98}},
		"answers":        {column(whole(1, 5), -9, -8, 99), []float64{-9, -8, 99}},
		"answers to 7":   {column(whole(1, 7), 9), nil},
		"rainfall":       {column(rng.ExpFloat64, -9999), []float64{-9999}},
		"degrees":        {column(func() float64 { return 10 * rng.NormFloat64() }, -9999), []float64{-9999}},
		"degrees, whole": {column(whole(-12, 30), -9), nil},
		"ocean":          {column(rng.NormFloat64, 1e20, -math.MaxFloat32), []float64{1e20, -math.MaxFloat32}},
		"cylinders":      {column(func() float64 { return []float64{4, 6, 8}[rng.IntN(3)] }), nil},
		"prices":         {column(func() float64 { return []float64{49, 99, 199, 299, 499}[rng.IntN(5)] }, 999), nil},
		"years":          {column(whole(1950, 2020), 1999, 1998), nil},
		"constant":       {column(whole(1, 1), 99), nil},
	} {
		got := c.s.Found()
		for _, v := range c.want {
			if got[v] != 4 {
				t.Errorf("%s: %g is not found: %v", name, v, got)
			}
			delete(got, v)
		}
		if len(got) > 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
	// Numbers of no meaning, whole or not, of many kinds of distributions, are none.
	found := 0
	const columns = 20000
	for k := range columns {
		scale := math.Exp(9 * rng.Float64())
		s := &Suspects{}
		for range 20 + rng.IntN(200) {
			v := map[int]func() float64{0: rng.NormFloat64, 1: rng.ExpFloat64, 2: rng.Float64, 3: func() float64 { return math.Exp(1.5 * rng.NormFloat64()) },
				4: func() float64 { return rng.NormFloat64() / rng.NormFloat64() }}[k%5]() * scale
			if k%2 == 0 {
				v = math.Round(v)
			}
			s.Add(v)
		}
		if len(s.Found()) > 0 {
			found++
		}
	}
	if found > columns/2000 {
		t.Errorf("%d of %d columns of random numbers have codes", found, columns)
	}
	list, err := Parse([]string{"a=b=c", "=a=b", " -99 ", "-99.0", "x=-99", "NA", ".", "x = -98"})
	if err != nil || len(list) != 4 || maps.Collect(func(yield func(string, bool) bool) {
		for _, c := range list {
			yield(c.String(), true)
		}
	})["a=b=c"] != true || list[0].String() != "=a=b" || list[1].String() != "-99" || list[3].String() != "x=-98" {
		t.Errorf("%v, %v", list, err)
	}
}
