package load

import (
	"context"

	"symmom/internal/data/formats"
	"symmom/internal/store/files"
)

// ReadFile reads a whole file that is not a table, such as a model, which takes
// copies times its size to understand. Memory is held against what is free.
func ReadFile(ctx context.Context, path string, copies float64) ([]byte, error) {
	name := files.Name(path)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f, err := files.Open(ctx, path)
	if err != nil {
		return nil, OpenError(name, err)
	}
	defer f.Close()
	in := formats.NewInput(ctx, f, name, 0)
	if in.Length > 0 {
		if err := in.Room("its contents", copies*float64(in.Length), 0); err != nil {
			return nil, err
		}
	}
	data, err := in.ReadAll(in.R)
	if err != nil {
		return nil, in.ReadError(err)
	}
	return data, in.Room("its contents", copies*float64(len(data)), 0)
}
