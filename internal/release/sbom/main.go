// Command sbom writes the bill of materials of a binary as CycloneDX, from its Go
// build information: sbom BINARY FILE.
package main

import (
	"log"
	"os"

	"symmom/internal/release"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: sbom BINARY FILE")
	}
	text, err := release.SBOM(os.Args[1])
	if err != nil {
		log.Fatal("sbom: ", err)
	}
	if err := os.WriteFile(os.Args[2], text, 0o644); err != nil {
		log.Fatal("sbom: ", err)
	}
}
