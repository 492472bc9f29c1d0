// Command notice writes NOTICE.
package main

import (
	"flag"
	"log"
	"os"
	"path/filepath"

	"symmom/internal/release"
)

func main() {
	log.SetFlags(0)
	dir := flag.String("dir", ".", "the module's directory")
	flag.Parse()
	text, err := release.Notice(*dir)
	if err != nil {
		log.Fatal("notice: ", err)
	}
	if err := os.WriteFile(filepath.Join(*dir, "NOTICE"), text, 0o644); err != nil {
		log.Fatal("notice: ", err)
	}
}
