package kernel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"symmom/internal/store/atomicfile"
)

// Over TCP every user of the machine can connect to a kernel's ports, and reading
// what cells print takes no key. Sockets in the file system belong to their user.
// Which of them a kernel listens on depends on Jupyter's configuration: a
// kernelspec cannot set it.

// transportSection is the part of the configuration that Jupyter's servers use for
// the kernels that they start. Other programs create the sockets in the directory
// in which they were started, which may be open to others.
const transportSection = "AsyncIOLoopKernelManager"

// SetTransport makes Jupyter's servers, JupyterLab and the notebook, communicate
// with all their kernels over "ipc", sockets in a directory of the user, or over
// "tcp". It returns the file that it changed.
func SetTransport(p Place, transport string) (string, error) {
	switch {
	case transport != "tcp" && transport != "ipc":
		return "", fmt.Errorf("kernel: the transport is %q, want tcp or ipc", transport)
	case transport == "ipc" && runtime.GOOS == "windows":
		return "", errors.New("kernel: Jupyter has no ipc on Windows, want tcp")
	}
	dir, err := p.below("etc", userConfig)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "jupyter_config.json")
	config := map[string]any{}
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &config)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("kernel: Jupyter's configuration %s: %w", path, err)
	}
	section, is := config[transportSection].(map[string]any)
	if !is {
		section = map[string]any{}
	}
	section["transport"] = transport
	config[transportSection] = section
	text, err := json.MarshalIndent(config, "", "  ")
	if err != nil {
		return "", fmt.Errorf("kernel: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("kernel: cannot configure: %w", err)
	}
	if err := atomicfile.Write(path, append(text, '\n')); err != nil {
		return "", fmt.Errorf("kernel: cannot configure: %s: %w", path, err)
	}
	return path, nil
}

// userConfig returns the directory in which Jupyter keeps the user's configuration.
func userConfig() (string, error) {
	if dir := os.Getenv("JUPYTER_CONFIG_DIR"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("kernel: %w", err)
	}
	return filepath.Join(home, ".jupyter"), nil
}
