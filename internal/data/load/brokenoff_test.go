package load

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"symmom/internal/data/columnar"
	"symmom/internal/data/export"
	"symmom/internal/moment/block"
	"symmom/internal/test/slow"

	"gonum.org/v1/gonum/mat"
)

// breaking is a server whose answers break off.
type breaking struct {
	data     []byte
	protocol string // HTTP/1.1 or HTTP/1.0
	framing  string // how an answer shows its end: length, chunk, chunks, or none
	ranges   bool
	tag      bool
	zipped   bool // Content-Encoding: gzip, whoever asks
	cut      bool

	mu  sync.Mutex
	rng *rand.Rand
}

// ServeHTTP writes an answer byte by byte, as net/http does not let one break off
// everywhere.
func (s *breaking) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	defer c.Close()
	head := "Connection: close\r\n"
	if s.tag {
		head += "ETag: \"1\"\r\n"
	}
	if s.zipped {
		head += "Content-Encoding: gzip\r\n"
	}
	body, status := s.data, "200 OK"
	if part, ok := strings.CutPrefix(r.Header.Get("Range"), "bytes="); ok && s.ranges {
		first, last, _ := strings.Cut(part, "-")
		from, _ := strconv.Atoi(first)
		to, err := strconv.Atoi(last)
		if err != nil {
			to = len(body) - 1
		}
		to = min(to, len(body)-1)
		head += fmt.Sprintf("Content-Range: bytes %d-%d/%d\r\n", from, to, len(body))
		body, status = body[from:to+1], "206 Partial Content"
	}
	var framed bytes.Buffer
	chunk := len(body)
	switch s.framing {
	case "length":
		head += fmt.Sprintf("Content-Length: %d\r\n", len(body))
	case "chunks":
		chunk = 5000
		fallthrough
	case "chunk":
		head += "Transfer-Encoding: chunked\r\n"
		for part := range slices.Chunk(body, chunk) {
			fmt.Fprintf(&framed, "%x\r\n%s\r\n", len(part), part)
		}
		framed.WriteString("0\r\n\r\n")
		body = framed.Bytes()
	}
	if s.cut && len(body) > 20 { // what shows the size comes whole
		s.mu.Lock()
		body = body[:len(body)/3+s.rng.IntN(len(body)-len(body)/3)]
		s.mu.Unlock()
	}
	io.WriteString(c, s.protocol+" "+status+"\r\n"+head+"\r\n")
	c.Write(body)
	if tcp, ok := c.(*net.TCPConn); ok {
		tcp.CloseWrite() // no reset overtakes what was sent
		io.Copy(io.Discard, c)
	}
}

// everyFormat writes p x n values in the formats that can be read.
func everyFormat(t *testing.T, values []float64, p, n int) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	text := func(row func(i int) string) []byte {
		var b bytes.Buffer
		for i := range p {
			b.WriteString(row(i) + "\n")
		}
		return b.Bytes()
	}
	row := func(i int, comma string) string {
		var f []string
		for _, v := range values[i*n : (i+1)*n] {
			f = append(f, strconv.FormatFloat(v, 'g', -1, 64))
		}
		return strings.Join(f, comma)
	}
	files := map[string][]byte{
		"csv":    text(func(i int) string { return row(i, ",") }),
		"tsv":    text(func(i int) string { return row(i, "\t") }),
		"quoted": text(func(i int) string { return `"` + row(i, `","`) + `"` }),
		"svmlight": text(func(i int) string {
			line := "1"
			for j, v := range values[i*n : (i+1)*n] {
				line += fmt.Sprintf(" %d:%s", j+1, strconv.FormatFloat(v, 'g', -1, 64))
			}
			return line
		}),
	}
	byColumns := make([]float64, 0, p*n)
	for j := range n {
		for i := range p {
			byColumns = append(byColumns, values[i*n+j])
		}
	}
	mtx := fmt.Appendf(nil, "%%%%MatrixMarket matrix array real general\n%d %d\n", p, n)
	for _, v := range byColumns {
		mtx = strconv.AppendFloat(mtx, v, 'g', -1, 64)
		mtx = append(mtx, '\n')
	}
	files["mtx"] = mtx
	var level4 bytes.Buffer
	for _, v := range []any{[]int32{0, int32(p), int32(n), 0, 2}, []byte("x\x00"), byColumns} {
		if err := binary.Write(&level4, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	files["mat"] = level4.Bytes()
	path := filepath.Join(dir, "x.npy")
	if err := export.WriteNPY(path, mat.NewDense(p, n, values)); err != nil {
		t.Fatal(err)
	}
	array, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files["npy"] = array
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	member, err := z.Create("x.npy")
	if err == nil {
		_, err = member.Write(array)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	files["npz"] = archive.Bytes()
	names := make([]string, n)
	for j := range names {
		names[j] = fmt.Sprint("x", j)
	}
	for _, format := range []string{"parquet", "arrow"} {
		var b bytes.Buffer
		w, err := columnar.NewWriter(&b, format, names, false)
		if err == nil {
			err = w.Write(values)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		files[format] = b.Bytes()
	}
	return files
}

// TestBrokenOff reads tables over connections that break off at random places. A table
// is read whole, or an error says that the connection broke off.
func TestBrokenOff(t *testing.T) {
	slow.Test(t)
	const p, n = 5000, 3 // as text more than the first request asks for
	rng := rand.New(rand.NewPCG(3, 4))
	values := make([]float64, p*n)
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	files := everyFormat(t, values, p, n)
	pack := func(data []byte) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for _, format := range []string{"csv", "mtx"} {
		files[format+".gz"] = pack(files[format])
	}
	read := func(ctx context.Context, url string, stream bool) (values []float64, err error) {
		if !stream {
			s, err := Load(ctx, url, Options{})
			if err != nil {
				return nil, err
			}
			return s.Values, nil
		}
		s, err := OpenStream(ctx, url, Options{}, nil)
		if err != nil {
			return nil, err
		}
		s.Pass(ctx, func(b block.Block) { values = append(values, b.V...) })
		return values, s.Err()
	}
	broken := 0
	for _, format := range slices.Sorted(maps.Keys(files)) {
		streams := slices.Contains([]string{"csv", "tsv", "quoted", "npy", "csv.gz", "parquet", "arrow"}, format)
		name := "table." + strings.Replace(format, "quoted", "csv", 1)
		for k := range 1 << 4 {
			for _, framing := range []string{"length", "chunk", "chunks", "none"} {
				s := &breaking{data: files[format], protocol: "HTTP/1.1", framing: framing,
					ranges: k&1 != 0, tag: k&2 != 0, zipped: k&4 != 0, cut: k&8 != 0, rng: rng}
				if framing == "none" {
					s.protocol = "HTTP/1.0"
				}
				if s.zipped && format != "csv" && format != "npy" || s.tag && !s.ranges {
					continue // nothing new, only slow
				}
				if s.zipped {
					s.data = pack(s.data)
				}
				server := httptest.NewServer(s)
				for _, stream := range []bool{false, true} {
					what := fmt.Sprintf("%s, framing %s, ranges %v, tag %v, gzip %v, cut %v, stream %v", format, framing, s.ranges, s.tag, s.zipped, s.cut, stream)
					got, err := read(t.Context(), server.URL+"/"+name, stream)
					switch {
					case stream && (!streams || s.zipped && format != "csv"):
						// Formats that are not streamed are refused elsewhere.
					case stream && !s.ranges:
						if err == nil || !strings.Contains(err.Error(), "not a regular file") {
							t.Errorf("%s: %v", what, err)
						}
					case !s.cut || s.ranges:
						if err != nil || !slices.Equal(got, values) {
							t.Errorf("%s: %d values, want %d: %v", what, len(got), len(values), err)
						}
					case framing == "none": // looks whole
					case err == nil || !strings.Contains(err.Error(), "the connection broke off after"):
						t.Errorf("%s: %d values, %v, want that the connection broke off", what, len(got), err)
					default:
						broken++
					}
				}
				server.Close()
			}
		}
	}
	if broken < 40 {
		t.Errorf("%d tables broke off, want more", broken)
	}
}

// TestReaderBreaksOff reads from readers that end as the answers of net/http do that break
// off: with the last bytes comes io.ErrUnexpectedEOF. None passes for a whole table.
func TestReaderBreaksOff(t *testing.T) {
	slow.Test(t)
	const p, n = 15_000, 3
	rng := rand.New(rand.NewPCG(5, 6))
	values := make([]float64, p*n)
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	for format, data := range everyFormat(t, values, p, n) {
		for range 20 {
			r := io.MultiReader(bytes.NewReader(data[:rng.IntN(len(data))]), iotest.ErrReader(io.ErrUnexpectedEOF))
			for _, r := range []io.Reader{r, iotest.DataErrReader(r)} {
				if s, err := Read(t.Context(), r, "", strings.Replace(format, "quoted", "csv", 1), Options{}); err == nil {
					t.Errorf("%s: %d observations, want an error", format, s.P)
				}
			}
		}
	}
}
