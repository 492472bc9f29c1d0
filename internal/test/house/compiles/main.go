// Compiles checks that the module in the current directory and its tests compile on other
// systems, such as windows/amd64:
//
//	compiles system ...
//
// It type-checks all packages and their imports from source, in a quarter of a minute. Go
// vet compiles the imports, which takes four minutes per system; it also finds errors in
// assembly, and missing bodies.
package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	for _, system := range os.Args[1:] {
		if err := check(".", system); err != nil {
			fmt.Fprintf(os.Stderr, "compiles: %s: %v\n", system, err)
			os.Exit(1)
		}
	}
}

// check prints what does not compile in a directory and those below.
func check(dir, system string) error {
	goos, goarch, ok := strings.Cut(system, "/")
	if !ok || goos == "" || goarch == "" {
		return fmt.Errorf("want a system and a processor, as in windows/amd64")
	}
	all, err := packages.Load(&packages.Config{
		Mode:  packages.LoadAllSyntax | packages.NeedEmbedFiles,
		Tests: true,
		Dir:   dir,
		Env:   append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
	}, "./...")
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("no packages in %s", dir)
	}
	seen := make(map[string]bool) // a package is also checked with its tests
	packages.Visit(all, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			if !seen[e.Error()] {
				seen[e.Error()] = true
				fmt.Fprintln(os.Stderr, e)
			}
		}
	})
	if len(seen) > 0 {
		return fmt.Errorf("errors: %d", len(seen))
	}
	return nil
}
