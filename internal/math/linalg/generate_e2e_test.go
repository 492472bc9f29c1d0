//go:build e2e

package linalg

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The generated assembly must be what its generator writes. That for amd64 is a
// module of its own, which go may have to download.
func TestGeneratedIsCurrent(t *testing.T) {
	for name, generator := range map[string][]string{
		"kernels_avx2_amd64":   {"_asm", "-isa", "avx2", "-pkg", "linalg"},
		"kernels_avx512_amd64": {"_asm", "-isa", "avx512", "-pkg", "linalg"},
		"kernels_neon_arm64":   {"_neon"},
	} {
		dir := t.TempDir()
		args := append([]string{"run", "-C", generator[0], "."}, generator[1:]...)
		cmd := exec.Command("go", append(args, "-out", filepath.Join(dir, name+".s"), "-stubs", filepath.Join(dir, name+".go"))...)
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
				t.Errorf("%s is not what its generator writes: run go generate ./internal/math/linalg", file)
			}
		}
	}
}
