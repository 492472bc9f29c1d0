//go:build e2e && amd64 && !purego

package linalg

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The generated assembly must be what its generator writes. The generator is a
// module of its own, which go may have to download.
func TestGeneratedIsCurrent(t *testing.T) {
	for _, isa := range []string{"avx2", "avx512"} {
		name := "kernels_" + isa + "_amd64"
		dir := t.TempDir()
		cmd := exec.Command("go", "run", "-C", "_asm", ".", "-isa", isa, "-pkg", "linalg",
			"-out", filepath.Join(dir, name+".s"), "-stubs", filepath.Join(dir, name+".go"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, out)
		}
		for _, file := range []string{name + ".s", name + ".go"} {
			want, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			// The first line is the command that wrote the file.
			_, want, _ = bytes.Cut(want, []byte("\n"))
			_, got, _ = bytes.Cut(got, []byte("\n"))
			if !bytes.Equal(got, want) {
				t.Errorf("%s is not what its generator writes: run go generate ./internal/linalg", file)
			}
		}
	}
}
