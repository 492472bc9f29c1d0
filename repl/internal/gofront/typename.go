package gofront

import "go/types"

func shortNames(p *types.Package) string {
	if p.Path() == "main" {
		return ""
	}
	return p.Name()
}
