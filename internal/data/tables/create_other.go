//go:build !windows

package tables

import "os"

// create makes a file that has no name.
func create(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "symmom-*.spill")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
