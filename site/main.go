package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	var s site
	flag.StringVar(&s.root, "root", ".", "the source of symmom")
	flag.StringVar(&s.out, "out", "build/site", "the folder to write")
	flag.StringVar(&s.modules, "modules", ".tools/site/node_modules", "where npm has put the packages of package.json")
	flag.StringVar(&s.lite, "lite", "build/lite", "JupyterLite with symmom, which scripts/lite.sh builds; it becomes the site's folder lite")
	flag.Parse()
	if flag.NArg() > 0 {
		fail(fmt.Errorf("unexpected argument %q: only flags are taken", flag.Arg(0)))
	}
	if err := s.build(); err != nil {
		fail(err)
	}
	fmt.Printf("%s: %d pages, %d links checked\n", s.out, len(s.pages), s.links)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "site:", err)
	os.Exit(1)
}

// build makes the site in a folder beside its own, which it replaces at the end.
func (s *site) build() error {
	final := s.out
	s.out = filepath.Clean(final) + ".new"
	defer os.RemoveAll(s.out)
	if err := os.RemoveAll(s.out); err != nil {
		return err
	}
	for _, step := range []func() error{
		s.start, s.addHome, s.addGuide, s.addTutorials, s.addGallery, s.addReference, s.addPaper, s.addBenchmarks, s.addDesign,
		s.writePages, s.copyLite, s.checkLinks,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(final); err != nil {
		return err
	}
	if err := os.Rename(s.out, final); err != nil {
		return err
	}
	s.out = final
	return nil
}
