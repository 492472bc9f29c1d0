package kernel

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"symmom/internal/store/atomicfile"
)

// Place is where Jupyter looks for a kernel. The zero value is the user's own
// directory.
type Place struct {
	SysPrefix bool   // within the active Python environment
	Prefix    string // within this directory, as in /usr/local
}

// Spec describes how Jupyter starts the kernel.
type Spec struct {
	Program      string // absolute path of this binary, or of gophernotes
	Unrestricted bool   // see Config
	AnyUser      bool   // see Config

	Name        string // by which Jupyter knows it; default: symmom
	DisplayName string // that Jupyter shows; default: Go (symmom)

	// Gophernotes means that Program is gophernotes with symmom inside, a different
	// kernel with a different name.
	Gophernotes bool
}

// name is the name of the kernel's directory, and of the kernel.
func (s Spec) name() string {
	if s.Gophernotes {
		return "gophernotes-symmom"
	}
	return cmp.Or(s.Name, "symmom")
}

//go:embed logo
var logos embed.FS

// directory returns the directory of a kernel's files in a place.
func (p Place) directory(s Spec) (string, error) {
	data, err := p.below("share", userData)
	if err != nil {
		return "", err
	}
	return filepath.Join(data, "kernels", s.name()), nil
}

// below returns Jupyter's directory of one kind, share or etc, in a place; own
// returns the user's.
func (p Place) below(kind string, own func() (string, error)) (string, error) {
	switch {
	case p.SysPrefix && p.Prefix != "":
		return "", errors.New("kernel: a prefix and the prefix of the Python environment were both given, want one")
	case p.SysPrefix:
		prefix, err := pythonPrefix()
		return filepath.Join(prefix, kind, "jupyter"), err
	case p.Prefix != "":
		prefix, err := filepath.Abs(p.Prefix)
		if err != nil {
			return "", fmt.Errorf("kernel: %w", err)
		}
		return filepath.Join(prefix, kind, "jupyter"), nil
	}
	return own()
}

// pythonPrefix returns the directory of the active Python environment.
func pythonPrefix() (string, error) {
	for _, v := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := os.Getenv(v); dir != "" {
			return dir, nil
		}
	}
	for _, python := range []string{"python3", "python"} {
		program, err := exec.LookPath(python)
		if err != nil {
			continue
		}
		out, err := exec.Command(program, "-c", "import sys; print(sys.prefix)").Output()
		if dir := strings.TrimSpace(string(out)); err == nil && filepath.IsAbs(dir) {
			return dir, nil
		}
	}
	return "", errors.New("kernel: no Python environment: activate one, or give its directory with --prefix")
}

// userData returns the directory in which Jupyter keeps the user's data.
func userData() (string, error) {
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("kernel: %w", err)
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Jupyter"), nil
	case "windows":
		if dir := os.Getenv("APPDATA"); dir != "" {
			return filepath.Join(dir, "jupyter"), nil
		}
		return filepath.Join(home, "AppData", "Roaming", "jupyter"), nil
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}

// Install registers the kernel with Jupyter, and returns the directory that it
// wrote. A previous installation there is replaced.
func Install(p Place, s Spec) (string, error) {
	dir, err := p.directory(s)
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(s.Program) {
		return "", fmt.Errorf("kernel: the program is %q, want an absolute path: Jupyter starts it from anywhere", s.Program)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("kernel: cannot install: %w", err)
	}
	files, err := s.files()
	if err != nil {
		return "", fmt.Errorf("kernel: %w", err)
	}
	for _, f := range files { // kernel.json comes last: Jupyter ignores a directory without it
		if err := atomicfile.Write(filepath.Join(dir, f.name), f.data); err != nil {
			return "", fmt.Errorf("kernel: cannot install: %s: %w", filepath.Join(dir, f.name), err)
		}
	}
	return dir, nil
}

type specFile struct {
	name string
	data []byte
}

func (s Spec) files() ([]specFile, error) {
	var files []specFile
	entries, err := fs.ReadDir(logos, "logo")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		data, err := logos.ReadFile(path.Join("logo", e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, specFile{e.Name(), data})
	}
	spec := dict{
		"argv": []string{s.Program, "kernel", "run", "-f", "{connection_file}"}, "display_name": "Go (symmom)",
		"language": "go", "interrupt_mode": "message",
		"kernel_protocol_version": protocolVersion, "metadata": dict{"debugger": false},
	}
	switch {
	case s.Gophernotes:
		spec = dict{"argv": []string{s.Program, "{connection_file}"}, "display_name": "Go (gophernotes + symmom)", "language": "go"}
	case s.Unrestricted:
		spec["argv"] = append(spec["argv"].([]string), "--unrestricted")
		spec["display_name"] = "Go (symmom, unrestricted)"
	}
	if s.DisplayName != "" {
		spec["display_name"] = s.DisplayName
	}
	if s.AnyUser {
		spec["argv"] = append(spec["argv"].([]string), "--any-user")
	}
	text, err := json.MarshalIndent(spec, "", "  ")
	return append(files, specFile{"kernel.json", append(text, '\n')}), err
}

// Uninstall removes what Install wrote, and returns its directory.
func Uninstall(p Place, s Spec) (string, error) {
	dir, err := p.directory(s)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dir, "kernel.json")); err != nil {
		return "", fmt.Errorf("kernel: no kernel is installed in %s", dir)
	}
	files, err := s.files()
	if err != nil {
		return "", fmt.Errorf("kernel: %w", err)
	}
	for _, f := range files {
		if err := os.Remove(filepath.Join(dir, f.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("kernel: cannot uninstall: %w", err)
		}
	}
	if err := os.Remove(dir); err != nil { // fails if there are other files in it
		return "", fmt.Errorf("kernel: the kernel is gone, but its directory is not: %w", err)
	}
	return dir, nil
}
