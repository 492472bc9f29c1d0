//go:build !slim

package cloud

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"symmom/internal/store/files"
)

// halfhearted is a store of Google's protocol that keeps as much as it likes of what it is
// sent, in whole blocks, as the protocol allows, and says so.
type halfhearted struct {
	mu    sync.Mutex
	rng   *rand.Rand
	block int // 0: it keeps nothing
	lossy bool
	has   []byte
	done  bool
}

func (s *halfhearted) set(block int, lossy bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.block, s.lossy = block, lossy
}

func (s *halfhearted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, _ := io.ReadAll(r.Body)
	switch r.Method {
	case http.MethodPost:
		s.has, s.done = nil, false
		w.Header().Set("Location", "http://"+r.Host+"/session")
	case http.MethodPut:
		from, to, total := -1, -1, -1
		place := r.Header.Get("Content-Range")
		if _, err := fmt.Sscanf(place, "bytes %d-%d/%d", &from, &to, &total); err != nil {
			fmt.Sscanf(place, "bytes */%d", &total)
		}
		if s.lossy && s.rng.IntN(3) == 0 {
			panic(http.ErrAbortHandler)
		}
		if from >= 0 && from <= len(s.has) {
			data = data[len(s.has)-from:]
			keep := len(data)
			if s.block == 0 {
				keep = 0
			} else if s.rng.IntN(2) == 0 {
				keep = s.rng.IntN(keep+1) / s.block * s.block
			}
			s.has = append(s.has, data[:keep]...)
		}
		if s.lossy && s.rng.IntN(3) == 0 {
			panic(http.ErrAbortHandler)
		}
		if total == len(s.has) {
			s.done = true
			return
		}
		if len(s.has) > 0 {
			w.Header().Set("Range", fmt.Sprintf("bytes=0-%d", len(s.has)-1))
		}
		w.WriteHeader(http.StatusPermanentRedirect)
	}
}

// TestPartsKeptInPart writes objects to a store that keeps parts of what it is sent. What
// is written without an error is there, every byte.
func TestPartsKeptInPart(t *testing.T) {
	retryAfter = time.Microsecond
	t.Cleanup(func() { retryAfter = time.Second })
	s := &halfhearted{rng: rand.New(rand.NewPCG(1, 2))}
	server := httptest.NewServer(s)
	defer server.Close()
	t.Setenv("STORAGE_EMULATOR_HOST", server.URL)
	write := func(data []byte) error {
		return files.Write(context.Background(), "gs://bucket/object", data)
	}
	failed := 0
	for k, size := range []int{0, 1, 1000, 256 << 10, 1 << 20, partBytes, partBytes + 12345} {
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(i*i>>7 + k)
		}
		for _, block := range []int{1, 256 << 10} {
			for _, lossy := range []bool{false, true} {
				s.set(block, lossy)
				err := write(data)
				s.mu.Lock()
				done, has := s.done, s.has
				s.mu.Unlock()
				if err != nil && lossy {
					failed++
					continue
				}
				if err != nil || !done || !bytes.Equal(has, data) {
					t.Errorf("%d bytes in blocks of %d, lossy %v: the store has %d, complete %v: %v", size, block, lossy, len(has), done, err)
				}
			}
		}
		s.set(0, false)
		if err := write(data); k > 0 && (err == nil || !strings.Contains(err.Error(), "does not take the object")) {
			t.Errorf("%d bytes are kept by a store that keeps nothing: %v", size, err)
		}
	}
	if failed > 7 {
		t.Errorf("%d of 14 failed where connections break off", failed)
	}
}
