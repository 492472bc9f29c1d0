package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"symmom/internal/build/kernelbuild"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("release: ")
	if len(os.Args) < 2 {
		log.Fatal("want notice, sbom, source or publish")
	}
	var err error
	switch args := os.Args[2:]; os.Args[1] {
	case "notice":
		err = writeNotice(args)
	case "sbom":
		err = writeSBOM(args)
	case "source":
		err = writeSource()
	case "publish":
		err = publish(args)
	default:
		err = fmt.Errorf("got %s, want notice, sbom, source or publish", os.Args[1])
	}
	if err != nil {
		log.Fatal(err)
	}
}

func writeNotice(args []string) error {
	flags := flag.NewFlagSet("notice", flag.ExitOnError)
	dir := flags.String("dir", ".", "the module's directory")
	_ = flags.Parse(args) // exits
	text, err := Notice(*dir)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(*dir, "NOTICE"), text, 0o644)
}

func writeSBOM(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: release sbom BINARY FILE")
	}
	text, err := SBOM(args[0])
	if err != nil {
		return err
	}
	return os.WriteFile(args[1], text, 0o644)
}

// writeSource writes what package kernelbuild embeds. It runs in the module's directory.
func writeSource() error {
	data, err := kernelbuild.PackSource(context.Background(), ".")
	if err != nil {
		return err
	}
	return os.WriteFile(kernelbuild.SourceName, data, 0o644)
}

func publish(args []string) error {
	flags := flag.NewFlagSet("publish", flag.ExitOnError)
	module := flags.String("module", "", "the path to publish under: example.org/owner/symmom")
	version := flags.String("version", "v0.1.0", "of the module in the proxy")
	out := flags.String("out", "published", "the directory to make")
	_ = flags.Parse(args) // exits
	source, proxy := filepath.Join(*out, "source"), filepath.Join(*out, "proxy")
	if err := os.RemoveAll(*out); err != nil {
		return err
	}
	if err := Rewrite(".", source, *module); err != nil {
		return err
	}
	// The session's tables have the paths of packages in them.
	for _, args := range [][]string{{"generate", "./repl/...", "./lab/..."}, {"build", "./..."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = source, os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("go %s: %w", args, err)
		}
	}
	if err := Proxy(source, proxy, *module, *version); err != nil {
		return err
	}
	at, err := filepath.Abs(proxy)
	if err != nil {
		return err
	}
	fmt.Printf("%s is in %s: commit it in a repository of that address.\nTry it before: GOPROXY=file://%s,https://proxy.golang.org GONOSUMDB=%s go get %s/symmom@%s\n",
		*module, source, at, *module, *module, *version)
	return nil
}
