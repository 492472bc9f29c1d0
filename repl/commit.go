package repl

import "symmom/repl/internal/gofront"

// commitImports adds the imports of a checked cell to the session.
func (s *Session) commitImports(sc *gofront.Scope) {
	s.declaring.Lock()
	defer s.declaring.Unlock()
	for name, path := range sc.Imports {
		s.front.Names.Imports[name], s.front.Names.Kinds[name] = path, gofront.PackageName
	}
	s.front.Types.Dots = sc.Dots
	for _, u := range sc.ImportUnits {
		s.assistant.Declarations.Add(sc.Cell.Documented(u.Item))
	}
}

// commit adds the declarations of a unit of a cell to the session.
func (s *Session) commit(c *gofront.Cell, u *gofront.Checked) {
	s.assistant.Declarations.Add(c.Documented(u.Item))
	s.declaring.Lock()
	defer s.declaring.Unlock()
	for _, o := range u.Objects {
		s.front.Types.Objects[o.Name()] = o
		s.front.Names.Kinds[o.Name()] = gofront.NameKindOf(o)
	}
	for _, m := range u.Methods {
		delete(s.front.Types.Orphans, m.Func)
	}
}
