package parallel

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"time"
)

func TestAhead(t *testing.T) {
	failure := errors.New("failure")
	for _, c := range []struct {
		blocks int   // that are read
		last   error // of the last one
		want   []int
		err    error
	}{
		{1, io.EOF, []int{1}, nil},
		{4, io.EOF, []int{1, 2, 3, 4}, nil},
		{1, failure, nil, failure},
		{4, failure, []int{1, 2, 3}, failure},
	} {
		var got []int
		i, ended := 0, make(chan bool)
		err := Ahead(t.Context(), [2]*int{new(int), new(int)}, func(b *int) error {
			if i++; i == c.blocks {
				*b = i
				return c.last
			}
			*b = i
			return nil
		}, func(b *int) { got = append(got, *b) }, func() { close(ended) })
		<-ended
		if err != c.err || !slices.Equal(got, c.want) {
			t.Errorf("%d blocks: %d, %v; want %d, %v", c.blocks, got, err, c.want, c.err)
		}
	}
}

// Ahead ends with its context, also while a block is being read, and end is called later.
func TestAheadEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	reading, goOn, ended := make(chan bool), make(chan bool), make(chan bool)
	go func() {
		<-reading
		cancel()
	}()
	err := Ahead(ctx, [2]int{}, func(int) error {
		close(reading)
		<-goOn
		return nil
	}, func(int) { t.Error("a block after the end") }, func() { close(ended) })
	if err != context.Canceled {
		t.Error(err)
	}
	select {
	case <-ended:
		t.Error("ended while a block is being read")
	case <-time.After(time.Millisecond):
	}
	close(goOn)
	<-ended
}
