//go:build !nocloud

package cloud

import (
	"context"
	"net/url"
	"os"
	"strings"
	"sync"

	"gocloud.dev/blob"
)

// buckets keeps buckets open, with the connections and the credentials that they have,
// as long as the environment is the same.
type buckets struct {
	mu   sync.Mutex
	open map[string]*blob.Bucket
}

var opened = buckets{open: map[string]*blob.Bucket{}}

func (s *buckets) get(ctx context.Context, k kind, u *url.URL) (*blob.Bucket, error) {
	key := u.String()
	for _, v := range os.Environ() {
		for _, prefix := range []string{"AWS_", "GOOGLE_", "AZURE_", "STORAGE_EMULATOR_"} {
			if strings.HasPrefix(v, prefix) {
				key += "\x00" + v
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if b, ok := s.open[key]; ok {
		return b, nil
	}
	b, err := k.open(context.WithoutCancel(ctx), u)
	if err == nil {
		s.open[key] = b
	}
	return b, err
}
