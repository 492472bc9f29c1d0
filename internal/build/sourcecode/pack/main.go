// Command pack writes the archive that package sourcecode embeds. It runs in the
// module's directory.
package main

import (
	"context"
	"log"
	"os"

	"symmom/internal/build/sourcecode"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("pack: ")
	data, err := sourcecode.Pack(context.Background(), ".")
	if err == nil {
		err = os.WriteFile(sourcecode.Name, data, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}
