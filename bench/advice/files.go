package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/describe"
	"symmom/internal/text/diag"
	"symmom/symmom"
)

// load loads a table; its figure is the mean of the first variable.
func load(s *symmom.Session) result {
	if s.Err() != nil {
		return result{err: s.Err()}
	}
	return result{warnings: s.Warnings(), figure: mat.Sum(s.Matrix().ColView(0)) / float64(s.Observations())}
}

// text is a table of numbers with one decimal, whose rows end with more.
func text(seed uint64, names string, row func(rng *rand.Rand, i int) string) string {
	rng := rand.New(rand.NewPCG(seed, 53))
	out := names + "\n"
	for i := range 40 {
		out += row(rng, i) + "\n"
	}
	return strings.TrimPrefix(out, "\n")
}

func decimal(rng *rand.Rand) string { return fmt.Sprintf("%.2f", 10+3*rng.NormFloat64()) }

// ofTables is advice about files, and how they are read.
func ofTables(folder string) []advice {
	type options = symmom.LoadOptions
	const mean = "mean of the first variable"
	reading := func(a advice, name, format string, of func(seed uint64) string, wrong, right options) advice {
		a.figure = mean
		a.at = func(seed uint64) table {
			run := func(o options) func() result {
				return func() result { return load(symmom.Read(strings.NewReader(of(seed)), format, o)) }
			}
			return table{seeded(name, seed), run(wrong), run(right)}
		}
		return a
	}
	describing := func(a advice, name string, of func(seed uint64) string, right options) advice {
		a.figure = "variables"
		a.at = func(seed uint64) table {
			run := func(o options) func() result {
				return func() result {
					path := filepath.Join(folder, "described.csv")
					if err := os.WriteFile(path, []byte(of(seed)), 0o600); err != nil {
						return result{err: err}
					}
					found := symmom.Describe(path, o)
					d := &describe.Table{Source: found.Source, Format: found.Format, Rows: found.Rows, Failure: found.Err()}
					for _, c := range found.Columns {
						d.Columns = append(d.Columns, describe.Column(c))
					}
					s := symmom.Load(path, o)
					if s.Err() != nil { // as symmom info does
						columns, left := describe.Finite(d)
						return result{asWarned(append(left, describe.Suspects(d.Columns)...)...), float64(len(columns)), d.Err()}
					}
					var shown []describe.Column // those that are read
					for _, c := range d.Columns {
						for _, name := range s.Columns() {
							if c.Name == name {
								shown = append(shown, c)
							}
						}
					}
					return result{append(s.Warnings(), asWarned(describe.Suspects(shown)...)...), float64(s.N()), nil}
				}
			}
			return table{seeded(name, seed), run(options{}), run(right)}
		}
		return a
	}
	two := func(rng *rand.Rand) string { return decimal(rng) + "," + decimal(rng) }
	plain := func(names string) func(uint64) string {
		return func(seed uint64) string {
			return text(seed, names, func(rng *rand.Rand, _ int) string { return two(rng) + "," + decimal(rng) })
		}
	}
	at := func(special string) func(uint64) string { // in the third column of some rows
		return func(seed uint64) string {
			return text(seed, "a,b,c", func(rng *rand.Rand, i int) string {
				if i%9 == int(seed%9) {
					return two(rng) + "," + special
				}
				return two(rng) + "," + decimal(rng)
			})
		}
	}
	matrices := func(seed uint64, names ...string) *bytes.Buffer { // MATLAB, version 4: headers, names, numbers
		out, rng := &bytes.Buffer{}, rand.New(rand.NewPCG(seed, 54))
		for k, name := range names {
			p, n := 30-20*k, 3
			kind := int32(0)
			if name == "note" {
				kind = 1 // text
			}
			binary.Write(out, binary.LittleEndian, []int32{kind, int32(p), int32(n), 0, int32(len(name) + 1)})
			out.WriteString(name + "\x00")
			for range p * n {
				binary.Write(out, binary.LittleEndian, float64(k)+rng.Float64())
			}
		}
		return out
	}
	return []advice{
		reading(advice{code: diag.Codes, help: "NA", phrase: "not among the values", what: "give the code that the table has"}, "-99", "csv", at("-99"),
			options{NA: []string{"-999"}}, options{NA: []string{"-99"}, Missing: "drop"}),
		describing(advice{code: diag.Codes, help: "NA", phrase: "these look like codes", what: "name the codes"}, "-999", at("-999"), options{NA: []string{"-999"}, Missing: "drop"}),
		describing(advice{code: diag.LeftOut, help: "NA", phrase: "", what: "name the code"}, "refused", func(seed uint64) string {
			return text(seed, "a,b,c", func(rng *rand.Rand, i int) string {
				if i == 30+int(seed%9) {
					return two(rng) + ",refused"
				}
				return two(rng) + "," + decimal(rng)
			})
		}, options{NA: []string{"refused"}, Missing: "drop"}),
		describing(advice{code: diag.LeftOut, help: "Columns", phrase: "refused elsewhere", what: "choose other columns"}, "a word or an infinity among numbers", func(seed uint64) string {
			return at([]string{"?", "Inf", ""}[seed%3])(seed)
		}, options{Columns: []string{"a", "b"}}),
		reading(advice{code: diag.LeftOut, help: "Columns", phrase: "without numbers left out", what: "choose columns"}, "species", "csv", func(seed uint64) string {
			return text(seed, "a,b,species", func(rng *rand.Rand, i int) string { return two(rng) + "," + []string{"x", "y"}[i%2] })
		}, options{}, options{Columns: []string{"a", "b"}}),
		reading(advice{code: diag.LeftOut, help: "Labels", phrase: "without numbers left out", what: "take it as labels"}, "groups", "csv", func(seed uint64) string {
			return text(seed, "a,b,species", func(rng *rand.Rand, i int) string { return two(rng) + "," + []string{"x", "y"}[i%2] })
		}, options{}, options{Labels: "species"}),
		reading(advice{code: diag.RepeatedName, help: "Columns", phrase: "", what: "choose by number"}, "a,b,a", "csv", plain("a,b,a"), options{}, options{Columns: []string{"1", "2"}}),
		reading(advice{code: diag.Header, help: "Header", phrase: "", what: "say that there is a header"}, "a year above years", "csv", func(seed uint64) string {
			return text(seed, fmt.Sprint(2000+seed), func(rng *rand.Rand, _ int) string { return fmt.Sprint(1930 + rng.IntN(100)) })
		}, options{}, options{Header: "yes"}),
		reading(advice{code: diag.Decimal, help: "Decimal", phrase: "separator of thousands", what: "say that the decimal sign is a comma"}, "thousands", "csv", func(seed uint64) string {
			return text(seed, "a\tb", func(rng *rand.Rand, _ int) string {
				return fmt.Sprintf("%d.%03d\t%d.%03d", 1+rng.IntN(9), rng.IntN(1000), 1+rng.IntN(9), rng.IntN(1000))
			})
		}, options{}, options{Decimal: ","}),
		reading(advice{code: diag.IndexColumn, help: "Columns", phrase: "counts the rows", what: "choose the other columns"}, "an index", "csv", func(seed uint64) string {
			return text(seed, "id,a,b", func(rng *rand.Rand, i int) string { return fmt.Sprint(i+int(seed)) + "," + two(rng) })
		}, options{}, options{Columns: []string{"a", "b"}}),
		reading(advice{code: diag.IndexColumn, help: "Columns", phrase: "begin with 0", what: "choose the other columns"}, "postal codes", "csv", func(seed uint64) string {
			return text(seed, "zip,a,b", func(rng *rand.Rand, _ int) string { return fmt.Sprintf("%05d,", rng.IntN(30000)) + two(rng) })
		}, options{}, options{Columns: []string{"a", "b"}}),
		{diag.LeftOut, "Array", "is read", "name the array", mean, 0, 0, 0, func(seed uint64) table {
			run := func(o options) func() result {
				return func() result { return load(symmom.Read(matrices(seed, "X", "note"), "mat", o)) }
			}
			return table{seeded("a matrix and text", seed), run(options{}), run(options{Array: "X"})}
		}},
		reading(advice{code: diag.LeftOut, help: "Labels", phrase: "first in each line", what: "name them"}, "svmlight", "svmlight", func(seed uint64) string {
			return text(seed, "", func(rng *rand.Rand, i int) string {
				return fmt.Sprintf("%d 1:%s 3:%s", i%2, decimal(rng), decimal(rng))
			})
		}, options{}, options{Labels: "target"}),
		{diag.Rows, "", "save its transpose", "save the transpose", "variables", 0, 0, 0, func(seed uint64) table {
			run := func(names ...string) func() result {
				return func() result {
					p, n := 3, 30
					if names[0] == "Xt" {
						p, n = n, p
					}
					out, rng := &bytes.Buffer{}, rand.New(rand.NewPCG(seed, 55))
					binary.Write(out, binary.LittleEndian, []int32{0, int32(p), int32(n), 0, 2})
					out.WriteString("X\x00")
					for range p * n {
						binary.Write(out, binary.LittleEndian, rng.Float64())
					}
					s := symmom.Read(out, "mat")
					return result{s.Warnings(), float64(s.N()), s.Err()}
				}
			}
			return table{seeded("signals in rows", seed), run("X"), run("Xt")}
		}},
		{diag.Rounding, "Float32", "float32", "keep float64", "standard deviation, 1", 0, 0, 0, func(seed uint64) table {
			of := text(seed, "a,b,c", func(rng *rand.Rand, _ int) string {
				return fmt.Sprintf("%.3f,", 1e6*float64(seed)+rng.NormFloat64()) + two(rng)
			})
			run := func(o options) func() result {
				return func() result {
					s := symmom.Read(strings.NewReader(of), "csv", o)
					if s.Err() != nil {
						return result{err: s.Err()}
					}
					return result{s.Warnings(), s.Summary().Variables[0].Std, nil}
				}
			}
			return table{seeded("large numbers", seed), run(options{Float32: true}), run(options{})}
		}},
		// Ways out that errors name.
		reading(advice{help: "Missing", what: "drop the rows"}, "gaps", "csv", at(""), options{}, options{Missing: "drop"}),
		reading(advice{help: "Columns", what: "leave the column out"}, "gaps in all rows", "csv", func(seed uint64) string {
			return text(seed, "a,b,c", func(rng *rand.Rand, _ int) string { return two(rng) + "," })
		}, options{Missing: "drop", Columns: []string{"a", "b", "c"}}, options{Missing: "drop", Columns: []string{"a", "b"}}),
		reading(advice{help: "Header", what: "say that there is a header"}, "columns 0 and 1", "csv", func(seed uint64) string {
			return text(seed, "0,1", func(rng *rand.Rand, _ int) string { return two(rng) })
		}, options{}, options{Header: "yes"}),
		reading(advice{help: "Decimal", what: "say that the decimal sign is a comma"}, "thousands or decimals", "csv", func(seed uint64) string {
			return text(seed, "a;b", func(rng *rand.Rand, _ int) string {
				return fmt.Sprintf("%d,%03d;%d.%03d", 1+rng.IntN(9), rng.IntN(1000), 1+rng.IntN(9), rng.IntN(1000))
			})
		}, options{}, options{Decimal: ","}),
		reading(advice{help: "NA", what: "name the code"}, "a word among numbers", "csv", func(seed uint64) string {
			return text(seed, "a,b,c", func(rng *rand.Rand, i int) string {
				if i == 30+int(seed%9) {
					return two(rng) + ",refused"
				}
				return two(rng) + "," + decimal(rng)
			})
		}, options{}, options{NA: []string{"refused"}, Missing: "drop"}),
		{"", "Array", "", "name the array", mean, 0, 0, 0, func(seed uint64) table {
			run := func(o options) func() result {
				return func() result {
					buffer := matrices(seed, "X", "Y")
					return load(symmom.Read(buffer, "mat", o))
				}
			}
			return table{seeded("two matrices", seed), run(options{}), run(options{Array: "X"})}
		}},
	}
}
