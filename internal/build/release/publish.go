package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// own is the path of this module where it is written as one: before the name of
// one of its packages, and not within another path.
var own = regexp.MustCompile(`(^|[^\w./-])symmom/((?:symmom|charts|cloud|datasets|lab|repl|kernel|paper|spark|widgets|cmd|internal|bench|notebooks)\b|")`)

// alone is the path without a package: in module files, and where the source is
// embedded.
var alone = map[string]*regexp.Regexp{
	"go.mod":                       regexp.MustCompile(`(?m)^(module |\t)symmom( v0\.0\.0-\S+)?$`),
	"notebooks/gophernotes/go.mod": regexp.MustCompile(`(?m)^(\t|replace )symmom( v0\.0\.0-\S+| =>)`),
	"lab/lab.go":                   regexp.MustCompile(`(?m)^(\tsource ")symmom(")$`),
}

// modulePath matches paths that go get can fetch: a host with a dot, and the name of the
// command last.
var modulePath = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[A-Za-z0-9_.~-]+)*/symmom$`)

// Rewrite copies the module at root, as git knows its files, to dir, with the
// path module in the place of its own wherever it stands in text. What is
// compiled from the sources and kept (symbols of the session) is the caller's
// to generate anew.
func Rewrite(root, dir, module string) error {
	if !modulePath.MatchString(module) {
		return fmt.Errorf("module %q: want a path such as example.org/owner/symmom, with a dot in the host and symmom at its end", module)
	}
	files, err := tracked(root)
	if err != nil {
		return err
	}
	for _, name := range files {
		data, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed and not yet committed
		}
		if err != nil {
			return err
		}
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil {
			return err
		}
		if utf8.Valid(data) && !bytes.ContainsRune(data, 0) {
			data = own.ReplaceAll(data, []byte("${1}"+module+"/${2}"))
			data = own.ReplaceAll(data, []byte("${1}"+module+"/${2}")) // where two stand side by side
			if r := alone[name]; r != nil {
				data = r.ReplaceAll(data, []byte("${1}"+module+"${2}"))
			}
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, data, info.Mode()&0o755); err != nil {
			return err
		}
	}
	cmd := exec.Command("gofmt", "-w", ".") // imports have another order now
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	return cmd.Run()
}

// tracked lists the files that git tracks or would add.
func tracked(root string) ([]string, error) {
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	files := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	slices.Sort(files)
	return slices.Compact(files), nil
}

// Proxy writes the module in dir as one version to a directory that serves as
// GOPROXY=file://: https://go.dev/ref/mod#goproxy-protocol
func Proxy(dir, proxy, module, version string) error {
	at := filepath.Join(proxy, filepath.FromSlash(module), "@v") // lower case: nothing is escaped
	if strings.ToLower(module) != module {
		return fmt.Errorf("module %q: want lower case", module)
	}
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Unix(0, 0).UTC()})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			// A directory with a go.mod is a module of its own.
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != dir || d.Name() == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		w, err := z.Create(module + "@" + version + "/" + filepath.ToSlash(name))
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	for name, data := range map[string][]byte{"list": []byte(version + "\n"), version + ".info": info, version + ".mod": mod, version + ".zip": b.Bytes()} {
		if err := os.WriteFile(filepath.Join(at, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
