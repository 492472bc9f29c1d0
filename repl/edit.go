package repl

import (
	"strconv"
	"strings"
)

// runEdit has a person edit a cell or a declaration, and evaluates the text.
func runEdit(s *Session, c invocation) (Result, error) {
	if s.config.Edit == nil {
		return Result{}, c.problem("only a session in a terminal can open an editor; edit the cell itself")
	}
	text := ""
	if number, err := strconv.Atoi(c.args); err == nil {
		for _, e := range s.journal.all() {
			if e.cell == number {
				text = e.source
			}
		}
		if text == "" {
			return Result{}, c.problem("there is no cell %d; %%history lists them", number)
		}
	} else if c.args != "" {
		i, found := s.Inspect(c.args, len(c.args), 1)
		if !found || i.Package != "" || i.Source == "" {
			return Result{}, c.problem("the session has no source of %s; want a function, a type or the number of a cell", c.args)
		}
		text = i.Source
	}
	if text != "" {
		text += "\n"
	}
	text, err := s.config.Edit(c.ctx, text)
	if err != nil {
		return Result{}, c.problem("%v", err)
	}
	if strings.TrimSpace(text) == "" {
		return answer(plainText("nothing to run"))
	}
	return s.eval(c.ctx, "", text, c.each)
}
