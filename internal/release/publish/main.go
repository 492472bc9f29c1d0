// Command publish makes a copy of the module under a path that go get can fetch,
// and a module proxy of files to try it with.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"symmom/internal/release"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("publish: ")
	module := flag.String("module", "", "the path to publish under: example.org/owner/symmom")
	version := flag.String("version", "v0.1.0", "of the module in the proxy")
	out := flag.String("out", "published", "the directory to make")
	flag.Parse()
	source, proxy := filepath.Join(*out, "source"), filepath.Join(*out, "proxy")
	if err := os.RemoveAll(*out); err != nil {
		log.Fatal(err)
	}
	if err := release.Rewrite(".", source, *module); err != nil {
		log.Fatal(err)
	}
	// The session's tables have the paths of packages in them.
	for _, args := range [][]string{{"generate", "./repl/..."}, {"build", "./..."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = source, os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			log.Fatalf("go %s: %v", args, err)
		}
	}
	if err := release.Proxy(source, proxy, *module, *version); err != nil {
		log.Fatal(err)
	}
	at, err := filepath.Abs(proxy)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s is in %s: commit it in a repository of that address.\nTry it before: GOPROXY=file://%s,https://proxy.golang.org GONOSUMDB=%s go get %s/symmom@%s\n",
		*module, source, at, *module, *module, *version)
}
