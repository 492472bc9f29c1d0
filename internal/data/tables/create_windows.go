package tables

import (
	"os"

	"golang.org/x/sys/windows"
)

// create makes a file that the system removes when it is closed.
func create(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "symmom-*.spill")
	if err != nil {
		return nil, err
	}
	f.Close()
	g, err := os.OpenFile(f.Name(), os.O_RDWR|windows.FILE_FLAG_DELETE_ON_CLOSE, 0o600)
	if err != nil {
		os.Remove(f.Name())
	}
	return g, err
}
