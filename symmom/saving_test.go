package symmom

import (
	"context"
	"errors"
	"testing"

	"symmom/internal/store/files"
)

// silentStore takes what is written, and says nothing until ctx ends.
type silentStore struct {
	files.Store
	asked chan context.Context
}

type silentWriter struct{ ctx context.Context }

func (w silentWriter) Write(p []byte) (int, error) { return len(p), nil }
func (w silentWriter) Abort()                      {}
func (w silentWriter) Close() error {
	<-w.ctx.Done()
	return w.ctx.Err()
}

func (s silentStore) Create(ctx context.Context, _ files.URL) (files.Writer, error) {
	s.asked <- ctx
	return silentWriter{ctx}, nil
}

// The end of a cell ends what it saves, and what an interrupted one has found can be saved.
func TestSavesEndWithTheirContext(t *testing.T) {
	store := silentStore{asked: make(chan context.Context)}
	files.Register("silent", store)
	for name, save := range map[string]func(s *Session, path string) error{
		"fit":     func(s *Session, path string) error { return s.Moment(3).Decompose(1).Save(path) },
		"npz":     func(s *Session, path string) error { return s.Moment(3).Decompose(1).Save(path + ".npz") },
		"mixture": func(s *Session, path string) error { return s.Mixture(1).Save(path) },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		saved := make(chan error, 1)
		go func() { saved <- save(drawUniform(3, 50, 1).WithContext(ctx), "silent://bucket/x") }()
		<-store.asked
		cancel()
		if err := <-saved; !errors.Is(err, ErrInterrupted) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := drawUniform(3, 50, 1).WithContext(ctx)
	fit := s.Moment(3).Decompose(1)
	cancel()
	go fit.Save("silent://bucket/x")
	if while := <-store.asked; while.Err() != nil {
		t.Errorf("what was found cannot be saved after the interrupt: %v", while.Err())
	}
}
