package main

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// file is a table as a program writes it.
type file struct {
	Seed      uint64
	Program   string
	Text      string
	Delimiter string
	Truth     *table
	Pandas    map[string]any // what its documentation gives for this dialect, or nil
	Changed   bool           // cells hold something else than the truth
	Columns   []int          // of what pandas reads, those of the truth that are numbers
}

// made makes the file of a seed.
func made(seed uint64) *file {
	r := rand.New(rand.NewPCG(seed, 52))
	w := writers[seed%uint64(len(writers))]
	f := &file{Seed: seed, Program: w.name, Truth: random(r), Pandas: map[string]any{}}
	w.write(r, f)
	if f.Truth.Header == "none" && f.Pandas != nil {
		f.Pandas["header"] = nil
	}
	return f
}

// writers are programs. Each changes the truth where the program cannot write it.
var writers = []struct {
	name  string
	write func(r *rand.Rand, f *file)
}{
	{"pandas, with its index", func(r *rand.Rand, f *file) {
		f.Truth.insert(0, index(f.Truth.p, 0, ""))
		f.optional(r)
		f.delimited(r, ",", style{decimal: "."}, sometimes)
		f.Pandas["index_col"] = 0
	}},
	{"pandas, with a named index", func(r *rand.Rand, f *file) {
		f.Truth.p = max(f.Truth.p, 15)
		f.named(r)
		f.delimited(r, ",", style{decimal: "."}, sometimes)
		f.Pandas["index_col"] = 0
	}},
	{"pandas, without an index", func(r *rand.Rand, f *file) {
		f.optional(r)
		f.delimited(r, ",", style{decimal: "."}, sometimes)
	}},
	{"pandas, sep=';', decimal=','", func(r *rand.Rand, f *file) {
		f.optional(r)
		f.delimited(r, ";", style{decimal: ","}, sometimes)
	}},
	{"polars", func(r *rand.Rand, f *file) {
		f.optional(r)
		f.delimited(r, pick(r, ",", "\t", "|"), style{decimal: "."}, sometimes)
	}},
	{"R, write.table", func(r *rand.Rand, f *file) {
		f.rowNames(r, " ", ".")
	}},
	{"R, write.csv", func(r *rand.Rand, f *file) {
		f.Truth.insert(0, index(f.Truth.p, 1, ""))
		f.na(r)
		f.delimited(r, ",", style{decimal: "."}, always)
		f.Pandas["index_col"] = 0
	}},
	{"R, write.csv2", func(r *rand.Rand, f *file) {
		f.na(r)
		f.delimited(r, ";", style{decimal: ","}, always)
	}},
	{"Excel, English", func(r *rand.Rand, f *file) { f.excel(r, ",", style{decimal: ".", group: ","}) }},
	{"Excel, German", func(r *rand.Rand, f *file) { f.excel(r, ";", style{decimal: ",", group: "."}) }},
	{"Excel, French", func(r *rand.Rand, f *file) {
		f.excel(r, ";", style{decimal: ",", group: pick(r, "\u202f", "\u00a0", " ")})
	}},
	{"Excel, Swiss", func(r *rand.Rand, f *file) { f.excel(r, ";", style{decimal: ".", group: pick(r, "'", "’")}) }},
	{"Excel, Hindi", func(r *rand.Rand, f *file) { f.excel(r, ",", style{decimal: ".", group: ",", indian: true}) }},
	{"SAS, PROC EXPORT", func(r *rand.Rand, f *file) {
		if numeric(f.Truth.Header) {
			for j := range f.Truth.Columns {
				f.Truth.Columns[j].Name = "_" + f.Truth.Columns[j].Name
			}
			f.Truth.Header = "words"
		}
		f.missing(r, ".")
		f.delimited(r, ",", style{decimal: "."}, sometimes)
	}},
	{"SPSS", func(r *rand.Rand, f *file) {
		f.Truth.each(func(cell string) string {
			if cell == "0" {
				return ".00"
			}
			if s, ok := strings.CutPrefix(cell, "0."); ok {
				return "." + s
			}
			return cell
		})
		f.delimited(r, "\t", style{decimal: pick(r, ".", ",")}, sometimes)
	}},
	{"Fortran, list-directed", func(r *rand.Rand, f *file) {
		f.Truth.each(func(cell string) string {
			v, _ := strconv.ParseFloat(cell, 64)
			return strconv.FormatFloat(v, 'E', 7, 64)
		})
		f.fortran(r, false)
	}},
	{"Fortran, D exponents", func(r *rand.Rand, f *file) { f.fortran(r, true) }},
	{"Fortran, fixed columns", func(r *rand.Rand, f *file) { f.fixed(r) }},
	{"an instrument", func(r *rand.Rand, f *file) { f.instrument(r) }},
	{"UCI, commas", func(r *rand.Rand, f *file) {
		f.headless()
		f.missing(r, "?")
		f.Truth.insert(len(f.Truth.Columns), labels(r, f.Truth.p))
		f.delimited(r, pick(r, ",", ", "), style{decimal: "."}, never)
		f.Pandas["skipinitialspace"] = true
	}},
	{"UCI, spaces", func(r *rand.Rand, f *file) {
		f.headless()
		f.missing(r, "?")
		f.aligned(r, style{decimal: "."})
	}},
	{"NumPy, savetxt", func(r *rand.Rand, f *file) {
		f.Truth.each(func(cell string) string {
			v, _ := strconv.ParseFloat(cell, 64)
			return strconv.FormatFloat(v, 'e', 18, 64)
		})
		if numeric(f.Truth.Header) {
			f.headless()
		}
		comment := f.Truth.Header != "none"
		for j := range f.Truth.Columns {
			f.Truth.Columns[j].Name = strings.ReplaceAll(f.Truth.Columns[j].Name, " ", "_")
		}
		f.delimited(r, pick(r, " ", ","), style{decimal: "."}, never)
		if comment {
			f.Text, f.Pandas = "# "+f.Text, nil
		}
	}},
	{"columns aligned, decimal commas", func(r *rand.Rand, f *file) { f.aligned(r, style{decimal: ","}) }},
	{"columns aligned", func(r *rand.Rand, f *file) { f.aligned(r, style{decimal: "."}) }},
	{"a blank between, decimal commas", func(r *rand.Rand, f *file) {
		f.unspaced()
		f.delimited(r, " ", style{decimal: ","}, never)
	}},
	{"typographic minus signs", func(r *rand.Rand, f *file) {
		f.delimited(r, pick(r, ",", ";", "\t"), style{decimal: ".", minus: true}, sometimes)
		f.Pandas = nil
	}},
	{"MySQL", func(r *rand.Rand, f *file) {
		f.missing(r, `\N`)
		f.delimited(r, "\t", style{decimal: "."}, never)
	}},
	{"csv.QUOTE_ALL", func(r *rand.Rand, f *file) {
		f.optional(r)
		f.delimited(r, pick(r, ",", ";"), style{decimal: pick(r, ".", ",")}, all)
	}},
	{"cells that are no numbers", func(r *rand.Rand, f *file) {
		f.delimited(r, pick(r, ",", ";", "\t"), style{decimal: "."}, sometimes)
		f.Pandas = nil
		// All numbers are changed, or one in some lines.
		change := pick(r, "%", " €", "*", "<", "\u2013", "#DIV/0!", "$", "(", " kg")
		one := chance(r, 2)
		lines := strings.Split(strings.TrimSuffix(f.Text, "\n"), "\n")
		for i := range lines {
			if i == 0 && f.Truth.Header != "none" || one && !chance(r, 4) {
				continue
			}
			d := f.Delimiter
			fields := strings.Split(lines[i], d)
			for j := range fields {
				if one && j > 0 {
					continue
				}
				switch change {
				case "%", " €", "*", " kg":
					fields[j] += change
				case "<", "$":
					fields[j] = change + fields[j]
				case "(":
					fields[j] = "(" + fields[j] + ")"
				case "#DIV/0!":
					fields[j] = change
				default:
					fields[j] = change + strings.TrimPrefix(fields[j], "-")
				}
			}
			lines[i] = strings.Join(fields, d)
		}
		f.Text = strings.Join(lines, "\n") + "\n"
		f.Changed = true
	}},
	{"a semicolon at each line end", func(r *rand.Rand, f *file) {
		f.delimited(r, ";", style{decimal: pick(r, ".", ",")}, sometimes)
		f.Text = strings.ReplaceAll(f.Text, "\n", ";\n")
		f.Pandas = nil
	}},
	{"a tab at each line end", func(r *rand.Rand, f *file) {
		f.delimited(r, ",", style{decimal: "."}, never)
		f.Text = strings.ReplaceAll(f.Text, "\n", "\t\n")
		f.Pandas = nil
	}},
}
