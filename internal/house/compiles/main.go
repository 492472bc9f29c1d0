// Compiles checks that the module in the current directory compiles, with its tests, on other
// systems, such as windows/amd64:
//
//	compiles [-tags tags] system ...
//
// It checks the types of all packages from their sources. Go vet compiles those that they
// import, which takes four minutes for each system and finds no more, save in assembly.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	tags := flag.String("tags", "", "build `tags`, with commas")
	flag.Parse()
	for _, system := range flag.Args() {
		if err := check(".", system, *tags); err != nil {
			fmt.Fprintf(os.Stderr, "compiles: %s: %v\n", system, err)
			os.Exit(1)
		}
	}
}

// check prints what does not compile in a directory and those below.
func check(dir, system, tags string) error {
	goos, goarch, ok := strings.Cut(system, "/")
	if !ok {
		return fmt.Errorf("want a system and a processor, as in windows/amd64")
	}
	all, err := packages.Load(&packages.Config{
		Mode:       packages.LoadAllSyntax,
		Tests:      true,
		Dir:        dir,
		Env:        append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
		BuildFlags: []string{"-tags=" + tags},
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
		return fmt.Errorf("%d errors", len(seen))
	}
	return nil
}
