package kernel

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"symmom/internal/text/words"
)

// Instead returns the directory of another kernel of that name, which Jupyter starts
// instead of the one in that place, and what to do about it; or nothing.
func Instead(p Place, s Spec) (directory, remedy string) {
	own, err := p.directory(s)
	if err != nil {
		return "", ""
	}
	written, err := os.ReadFile(filepath.Join(own, "kernel.json"))
	if err != nil {
		return "", ""
	}
	for _, c := range p.inOrder() {
		other := filepath.Join(c.data, "kernels", s.name())
		if other == own {
			break
		}
		if there, err := os.ReadFile(filepath.Join(other, "kernel.json")); err == nil && !bytes.Equal(there, written) {
			remove := []string{"kernel", "uninstall"}
			switch {
			case c.uninstall == nil:
				return other, "remove it, or change JUPYTER_PATH"
			case s.Gophernotes:
				remove = append(remove, "--gophernotes")
			case s.Name != "":
				remove = append(remove, "--name", s.Name)
			}
			return other, words.CommandLine(slices.Concat(remove, c.uninstall)) + " removes it"
		}
	}
	return "", ""
}

// candidate is a directory of Jupyter's data, and the flags that uninstall what is there.
type candidate struct {
	data      string
	uninstall []string
}

// inOrder returns where the Jupyter that a place belongs to looks for kernels
// (jupyter_core.paths.jupyter_path): in JUPYTER_PATH, and in its environment and the user's
// own directory, of which the environment is first if it is a virtual one.
func (p Place) inOrder() (all []candidate) {
	for _, dir := range filepath.SplitList(os.Getenv("JUPYTER_PATH")) {
		all = append(all, candidate{data: dir})
	}
	if data, err := userData(); err == nil {
		all = append(all, candidate{data, []string{}})
	}
	data, err := Place{SysPrefix: p.Prefix == "", Prefix: p.Prefix}.below("share", nil)
	if err != nil { // no environment is known
		return all
	}
	prefix := filepath.Dir(filepath.Dir(data))
	environment := candidate{data, []string{"--prefix", prefix}}
	if last := len(all) - 1; last >= 0 && virtual(prefix) {
		return slices.Insert(all, last, environment)
	}
	return append(all, environment)
}

// virtual reports whether the kernels of an environment come before the user's.
func virtual(prefix string) bool {
	if v, ok := os.LookupEnv("JUPYTER_PREFER_ENV_PATH"); ok {
		return !slices.Contains([]string{"no", "n", "false", "off", "0", "0.0"}, strings.ToLower(v))
	}
	if _, err := os.Stat(filepath.Join(prefix, "pyvenv.cfg")); err == nil {
		return true
	}
	conda, name := os.Getenv("CONDA_PREFIX"), os.Getenv("CONDA_DEFAULT_ENV")
	return conda != "" && strings.HasPrefix(prefix, conda) && name != "" && name != "base"
}
