package plaintable

import "strings"

// tableIn returns how many of the first lines are a table, and its columns; or 1 and none. No
// two pieces of a row are in one column.
func tableIn(lines []line) (n int, columns []span) {
	var blank []bool // in all rows
	for n < len(lines) && len(lines[n].pieces) >= 2 {
		now := make([]bool, max(len(blank), lines[n].width()))
		for i := range now {
			now[i] = (i >= len(blank) || blank[i]) && (i >= lines[n].width() || lines[n].cells[i] == " ")
		}
		found := spans(len(now), func(i int) bool { return now[i] }, column)
		if len(found) < 2 || !apart(lines[n].pieces, found) || !apart(columns, found) {
			break
		}
		n, blank, columns = n+1, now, found
	}
	if n < 2 {
		return 1, nil
	}
	return n, columns
}

// apart reports whether no two of the pieces are in one column.
func apart(pieces, columns []span) bool {
	k := 0
	for _, c := range columns {
		in := 0
		for ; k < len(pieces) && pieces[k].to <= c.to; k++ {
			in++
		}
		if in > 1 {
			return false
		}
	}
	return true
}

// foldTable puts the columns that find no room below the others, each time beside the first
// one. Words of the last column are wrapped where that leaves it enough room. It returns nil
// if there is nothing to do, and for a table with another column that is too wide.
func foldTable(rows []line, columns []span, width int) (out []string) {
	last := len(columns) - 1
	if last < 0 || columns[last].to <= width {
		return nil
	}
	first := columns[0]
	for from := 1; from <= last; {
		shift := 0 // by which the columns move to the left
		if from > 1 {
			shift = columns[from].from - column - first.to
		}
		to := from // the first column that finds no room
		for to <= last && columns[to].to-shift <= width {
			to++
		}
		if to == last && width-(columns[last].from-shift) >= least {
			to++
		}
		if to == from {
			return nil
		}
		if from > 1 {
			out = append(out, "")
		}
		for _, l := range rows {
			w := writer{width: width}
			w.put(l.part(0, first.to)+strings.Repeat(" ", first.to-min(first.to, l.width())), first.to)
			for k := from; k < to; k++ {
				c := span{columns[k].from, min(columns[k].to, l.width())}
				if c.from >= c.to {
					break
				}
				indent := c.from - shift
				w.put(strings.Repeat(" ", indent-w.at), indent-w.at)
				if indent+c.to-c.from > width {
					w.words(l, c, indent)
				} else {
					w.put(l.part(c.from, c.to), c.to-c.from)
				}
			}
			w.lines = append(w.lines, w.now)
			for _, s := range w.lines {
				out = append(out, strings.TrimRight(s, " "))
			}
		}
		from = to
	}
	return out
}
