package gofront

import "go/types"

// ShortNames qualifies types by the names of their packages, except those of cells.
func ShortNames(p *types.Package) string {
	if p.Path() == "main" {
		return ""
	}
	return p.Name()
}
