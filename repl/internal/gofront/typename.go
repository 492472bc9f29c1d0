package gofront

import "go/types"

func ShortNames(p *types.Package) string {
	if p.Path() == "main" {
		return ""
	}
	return p.Name()
}
