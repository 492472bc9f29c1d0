package boxed

import (
	"bufio"
	"image"
	"image/color"
	"io"
	"io/fs"
	"net"
	"net/http"
	"reflect"
)

// Compiled code looks in some interfaces for methods that these do not have: io.Copy for
// WriteTo in an io.Reader. So there are wrappers with methods beyond those of the
// interface, the first for values that have most of them. A method whose field begins
// with V does without the value's own what callers would do without the method.
var beyond = map[string][]reflect.Type{
	"io.Reader": append(readClosers,
		reflect.TypeFor[struct {
			IValue any
			reads
			writesTo
			readsBytes
			readsRunes
		}](),
		reflect.TypeFor[struct {
			IValue any
			reads
			writesTo
			readsBytes
		}](),
		reflect.TypeFor[struct {
			IValue any
			reads
			writesTo
			readsRunes
		}](),
		reflect.TypeFor[struct {
			IValue any
			reads
			readsBytes
			readsRunes
		}](),
		reflect.TypeFor[struct {
			IValue any
			reads
			writesTo
		}](),
		reflect.TypeFor[struct {
			IValue any
			reads
			readsBytes
		}](),
		reflect.TypeFor[struct {
			IValue any
			reads
			readsRunes
		}](),
	),
	"io.ReadCloser": readClosers,
	"io.ReadWriter": {
		reflect.TypeFor[struct {
			IValue any
			reads
			writes
			writesTo
			readsFrom
		}](),
		reflect.TypeFor[struct {
			IValue any
			reads
			writes
			writesTo
		}](),
		reflect.TypeFor[struct {
			IValue any
			reads
			writes
			readsFrom
		}](),
		reflect.TypeFor[struct {
			IValue any
			reads
			writes
		}](),
	},
	"io.Writer": {
		reflect.TypeFor[struct {
			IValue any
			writes
			readsFrom
		}](),
		reflect.TypeFor[struct {
			IValue any
			writes
		}](),
	},
	"io.WriteCloser": {
		reflect.TypeFor[struct {
			IValue any
			writes
			closes
			readsFrom
		}](),
		reflect.TypeFor[struct {
			IValue any
			writes
			closes
		}](),
	},
	"io/fs.File": {
		reflect.TypeFor[struct {
			IValue any
			reads
			closes
			stats
			readsDirs
			seeks
		}](),
		reflect.TypeFor[struct {
			IValue any
			reads
			closes
			stats
			readsDirs
		}](),
		reflect.TypeFor[struct {
			IValue any
			reads
			closes
			stats
			seeks
		}](),
	},
	"image.Image": {
		reflect.TypeFor[struct {
			IValue any
			shows
			isOpaque
			isPaletted
		}](),
		reflect.TypeFor[struct {
			IValue any
			shows
			isOpaque
		}](),
		reflect.TypeFor[struct {
			IValue any
			shows
			isPaletted
		}](),
	},
	"math/rand.Source": {
		reflect.TypeFor[struct {
			IValue any
			makesInt63
			makesUint64
		}](),
	},
	"net/http.ResponseWriter": {
		reflect.TypeFor[struct {
			IValue any
			responds
			flushes
			unwraps
			hijacks
		}](),
		reflect.TypeFor[struct {
			IValue any
			responds
			flushes
			unwraps
		}](),
		reflect.TypeFor[struct {
			IValue any
			responds
			flushes
			hijacks
		}](),
		reflect.TypeFor[struct {
			IValue any
			responds
			flushes
		}](),
		reflect.TypeFor[struct {
			IValue any
			responds
			unwraps
		}](),
	},
	"io/fs.FS":   {reflect.TypeFor[fileSystem]()},
	"flag.Value": {reflect.TypeFor[flagValue]()},
}

var readClosers = []reflect.Type{
	reflect.TypeFor[struct {
		IValue any
		reads
		closes
		writesTo
		readsBytes
	}](),
	reflect.TypeFor[struct {
		IValue any
		reads
		closes
		writesTo
	}](),
	reflect.TypeFor[struct {
		IValue any
		reads
		closes
		readsBytes
	}](),
	reflect.TypeFor[struct {
		IValue any
		reads
		closes
	}](),
}

type (
	reads    struct{ WRead func(b []byte) (int, error) }
	closes   struct{ WClose func() error }
	stats    struct{ WStat func() (fs.FileInfo, error) }
	writesTo struct {
		WWriteTo func(w io.Writer) (int64, error)
	}
	readsBytes struct{ WReadByte func() (byte, error) }
	readsFrom  struct {
		WReadFrom func(r io.Reader) (int64, error)
	}
	readsDirs struct {
		WReadDir func(n int) ([]fs.DirEntry, error)
	}
	responds struct {
		WHeader func() http.Header
		writes
		WWriteHeader func(status int)
	}
	flushes struct{ WFlush func() }
	unwraps struct{ WUnwrap func() http.ResponseWriter }
	hijacks struct {
		WHijack func() (net.Conn, *bufio.ReadWriter, error)
	}
	seeks struct {
		WSeek func(offset int64, whence int) (int64, error)
	}
	isOpaque    struct{ WOpaque func() bool }
	isPaletted  struct{ WColorIndexAt func(x, y int) uint8 }
	makesUint64 struct{ WUint64 func() uint64 }
	writes      struct {
		WWrite       func(b []byte) (int, error)
		VWriteString func(s string) (int, error)
	}
	readsRunes struct {
		WReadRune   func() (rune, int, error)
		WUnreadRune func() error
	}
	shows struct {
		WAt         func(x, y int) color.Color
		WBounds     func() image.Rectangle
		WColorModel func() color.Model
	}
	makesInt63 struct {
		WInt63 func() int64
		WSeed  func(seed int64)
	}
)

func (o reads) Read(b []byte) (int, error)                     { return o.WRead(b) }
func (o closes) Close() error                                  { return o.WClose() }
func (o stats) Stat() (fs.FileInfo, error)                     { return o.WStat() }
func (o writesTo) WriteTo(w io.Writer) (int64, error)          { return o.WWriteTo(w) }
func (o readsBytes) ReadByte() (byte, error)                   { return o.WReadByte() }
func (o readsFrom) ReadFrom(r io.Reader) (int64, error)        { return o.WReadFrom(r) }
func (o readsDirs) ReadDir(n int) ([]fs.DirEntry, error)       { return o.WReadDir(n) }
func (o seeks) Seek(offset int64, whence int) (int64, error)   { return o.WSeek(offset, whence) }
func (o responds) Header() http.Header                         { return o.WHeader() }
func (o responds) WriteHeader(status int)                      { o.WWriteHeader(status) }
func (o flushes) Flush()                                       { o.WFlush() }
func (o unwraps) Unwrap() http.ResponseWriter                  { return o.WUnwrap() }
func (o hijacks) Hijack() (net.Conn, *bufio.ReadWriter, error) { return o.WHijack() }
func (o isOpaque) Opaque() bool                                { return o.WOpaque() }
func (o isPaletted) ColorIndexAt(x, y int) uint8               { return o.WColorIndexAt(x, y) }
func (o makesUint64) Uint64() uint64                           { return o.WUint64() }
func (o readsRunes) ReadRune() (rune, int, error)              { return o.WReadRune() }
func (o readsRunes) UnreadRune() error                         { return o.WUnreadRune() }
func (o shows) At(x, y int) color.Color                        { return o.WAt(x, y) }
func (o shows) Bounds() image.Rectangle                        { return o.WBounds() }
func (o shows) ColorModel() color.Model                        { return o.WColorModel() }
func (o makesInt63) Int63() int64                              { return o.WInt63() }
func (o writes) Write(b []byte) (int, error)                   { return o.WWrite(b) }
func (o makesInt63) Seed(seed int64)                           { o.WSeed(seed) }

func (o writes) WriteString(s string) (int, error) {
	if o.VWriteString != nil {
		return o.VWriteString(s)
	}
	return o.WWrite([]byte(s))
}

// flagValue is a flag.Value.
type flagValue struct {
	IValue      any
	WString     func() string
	WSet        func(s string) error
	VIsBoolFlag func() bool
}

func (o flagValue) String() string     { return o.WString() }
func (o flagValue) Set(s string) error { return o.WSet(s) }
func (o flagValue) IsBoolFlag() bool   { return o.VIsBoolFlag != nil && o.VIsBoolFlag() }

// fileSystem is an fs.FS. What it does without a method of its own must not find that
// method again, so they are of several types.
type (
	opens struct {
		WOpen func(name string) (fs.File, error)
	}
	fileReader struct {
		opens
		VStat     func(name string) (fs.FileInfo, error)
		VReadFile func(name string) ([]byte, error)
		VReadDir  func(name string) ([]fs.DirEntry, error)
	}
	globber struct {
		fileReader
		VGlob func(pattern string) ([]string, error)
	}
	fileSystem struct {
		IValue any
		globber
		VSub func(dir string) (fs.FS, error)
	}
)

func (o opens) Open(name string) (fs.File, error) { return o.WOpen(name) }

func (o fileReader) Stat(name string) (fs.FileInfo, error) {
	if o.VStat != nil {
		return o.VStat(name)
	}
	return fs.Stat(o.opens, name)
}

func (o fileReader) ReadFile(name string) ([]byte, error) {
	if o.VReadFile != nil {
		return o.VReadFile(name)
	}
	return fs.ReadFile(o.opens, name)
}

func (o fileReader) ReadDir(name string) ([]fs.DirEntry, error) {
	if o.VReadDir != nil {
		return o.VReadDir(name)
	}
	return fs.ReadDir(o.opens, name)
}

func (o globber) Glob(pattern string) ([]string, error) {
	if o.VGlob != nil {
		return o.VGlob(pattern)
	}
	return fs.Glob(o.fileReader, pattern)
}

func (o fileSystem) Sub(dir string) (fs.FS, error) {
	if o.VSub != nil {
		return o.VSub(dir)
	}
	return fs.Sub(o.globber, dir)
}
