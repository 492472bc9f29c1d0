package files

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"sync"
)

// InMemory returns what save writes to the path that it is given, which ends in ext and is of
// no file: a program that is killed leaves nothing behind.
func InMemory(ext string, save func(path string) error) ([]byte, error) {
	key := rand.Text()
	o := &inMemory{}
	beingWritten.Store(key, o)
	defer beingWritten.Delete(key)
	err := save(inMemoryScheme + "://" + key + "/file" + ext)
	return o.Bytes(), err
}

// inMemoryScheme is the scheme of the paths, and beingWritten the objects that are being written.
const inMemoryScheme = "memory"

var beingWritten sync.Map

// inMemory is an object, and the store that has it alone.
type inMemory struct{ bytes.Buffer }

func (o *inMemory) Close() error { return nil }
func (o *inMemory) Abort()       { o.Reset() }

func (o *inMemory) Create(context.Context, URL) (Writer, error) { return o, nil }

func (o *inMemory) Stat(context.Context, URL) (Info, error) { return Info{}, unreadable() }

func (o *inMemory) Read(context.Context, URL, Info, int64, int64) (io.ReadCloser, error) {
	return nil, unreadable()
}

func (o *inMemory) List(context.Context, URL, bool, func(string)) error { return unreadable() }

func unreadable() error { return problem(nil, "is written only") }
