package passes

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
)

var (
	enginesMu sync.Mutex
	connect   func(url, worker string) (Engine, error)
	engines   = map[[2]string]Engine{}
)

// Register sets what makes engines of URLs; symmom/spark calls it.
func Register(f func(url, worker string) (Engine, error)) {
	enginesMu.Lock()
	defer enginesMu.Unlock()
	connect = f
}

// Connect returns the engine at a URL, the same whenever it is asked for. worker is
// the path of symmom where the engine runs it, or "" to send this program.
func Connect(url, worker string) (Engine, error) {
	enginesMu.Lock()
	defer enginesMu.Unlock()
	key := [2]string{url, worker}
	if e, ok := engines[key]; ok {
		return e, nil
	}
	if connect == nil {
		return nil, errors.New("this program was built without Spark; in Go import _ \"symmom/spark\", and build symmom without the tag slim")
	}
	e, err := connect(url, worker)
	if err != nil {
		return nil, fmt.Errorf("the address of Spark: %w", err)
	}
	engines[key] = e
	return e, nil
}

// Connected opens a table with the engine at a URL.
func Connected(ctx context.Context, url, worker, path string, o load.Options) (*tables.Table, error) {
	e, err := Connect(url, worker)
	if err != nil {
		return nil, err
	}
	return Open(ctx, e, path, o)
}

// Disconnect ends the sessions of all engines.
func Disconnect() {
	enginesMu.Lock()
	defer enginesMu.Unlock()
	for key, e := range engines {
		if c, ok := e.(interface{ Close() }); ok {
			c.Close()
		}
		delete(engines, key)
	}
}
