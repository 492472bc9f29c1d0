package kernelbuild

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// SourceName is the path in the module, with slashes, of the archive of the source.
const SourceName = "internal/build/kernelbuild/zz_source.zip"

// sourceTag is the build tag with which the archive is embedded, after "release source" has
// written it, as in make build and releases.
const sourceTag = "source"

// packed are the packages whose source is packed, with all of the module that they
// import: the command, and what writes the tables of sessions.
var packed = []string{"./cmd/symmom", "./repl/symbols/gen"}

// platforms are those of releases; their files differ.
var platforms = []string{"linux", "darwin", "windows"}

// PackSource returns a zip of the source of the module in dir. Like input gives like bytes.
func PackSource(ctx context.Context, dir string) ([]byte, error) {
	files := map[string]bool{"go.mod": true, "go.sum": true, "LICENSE": true, "NOTICE": true}
	for _, goos := range platforms {
		if err := addSource(ctx, dir, goos, files); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, name := range slices.Sorted(maps.Keys(files)) {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// addSource adds the files that a build for a platform reads, or would read on another.
func addSource(ctx context.Context, dir, goos string, files map[string]bool) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-deps", "-json=Dir,Module,GoFiles,IgnoredGoFiles,SFiles,HFiles,IgnoredOtherFiles,EmbedFiles"}, packed...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH=amd64", "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s: go list: %s", dir, strings.TrimSpace(stderr.String()))
	}
	found := false
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir    string
			Module *struct {
				Main bool
				Dir  string
			}
			GoFiles, IgnoredGoFiles, SFiles, HFiles, IgnoredOtherFiles, EmbedFiles []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		if p.Module == nil || !p.Module.Main {
			continue
		}
		found = true
		at, err := filepath.Rel(p.Module.Dir, p.Dir)
		if err != nil {
			return err
		}
		for _, names := range [][]string{p.GoFiles, p.IgnoredGoFiles, p.SFiles, p.HFiles, p.IgnoredOtherFiles, p.EmbedFiles} {
			for _, name := range names {
				name = filepath.ToSlash(filepath.Join(at, name))
				if !strings.HasSuffix(name, "_test.go") && name != SourceName {
					files[name] = true
				}
			}
		}
	}
	if !found {
		return fmt.Errorf("%s: this is not the source of symmom: it has no package cmd/symmom", dir)
	}
	return nil
}
