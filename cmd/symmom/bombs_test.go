package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"symmom/internal/test/slow"
	"symmom/internal/test/torture"
	"symmom/symmom"
)

// Limits for a small file. Memory is that of the process, 50 MB of which it has before it
// reads anything; time, which make torture judges, that of a processor.
const (
	bombMemory = 300 << 20
	bombTime   = 3 * time.Second
)

// gzipped compresses text, repeated to about so many bytes.
func gzipped(text string, size int) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	piece := []byte(strings.Repeat(text, max(1, (1<<16)/len(text))))
	for n := 0; n < size; n += len(piece) {
		_, _ = z.Write(piece) // into memory
	}
	_ = z.Close()
	return b.Bytes()
}

// row is n fields with the delimiter between them.
func row(n int, delimiter string, field func(j int) string) string {
	var b strings.Builder
	for j := range n {
		if j > 0 {
			b.WriteString(delimiter)
		}
		b.WriteString(field(j))
	}
	return b.String() + "\n"
}

func same(s string) func(int) string { return func(int) string { return s } }

func named(s string) func(int) string { return func(j int) string { return s + fmt.Sprint(j) } }

func numpy(descr, shape string, fortran bool, data []byte) []byte {
	order := "False"
	if fortran {
		order = "True"
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, order, shape)
	head += strings.Repeat(" ", 63-(len(head)+10)%64) + "\n"
	return append(binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(head))), append([]byte(head), data...)...)
}

// archive makes an NPZ of arrays.
func archive(arrays ...[]byte) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(arrays); i += 2 {
		w, err := z.Create(string(arrays[i]) + ".npy")
		if err == nil {
			_, _ = w.Write(arrays[i+1])
		}
	}
	_ = z.Close()
	return b.Bytes()
}

func scipy(p, n int64, indptr []byte) []byte {
	return archive([]byte("format"), numpy("|S3", "()", false, []byte("csr")),
		[]byte("shape"), numpy("<i8", "(2,)", false, binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(p)), uint64(n))),
		[]byte("indptr"), numpy("<i4", fmt.Sprintf("(%d,)", len(indptr)/4), false, indptr),
		[]byte("indices"), numpy("<i4", "(0,)", false, nil), []byte("data"), numpy("<f8", "(0,)", false, nil))
}

// element is one of a MATLAB file, of version 5 to 7.
func element(kind uint32, data []byte) []byte {
	b := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, kind), uint32(len(data)))
	return append(append(b, data...), make([]byte, -len(data)&7)...)
}

func matlab(elements ...[]byte) []byte {
	b := append([]byte(fmt.Sprintf("%-124s", "MATLAB 5.0 MAT-file")), 0, 1, 'I', 'M')
	return append(b, bytes.Join(elements, nil)...)
}

func matrix(class uint32, p, n int32, name string, rest ...[]byte) []byte {
	u := binary.LittleEndian.AppendUint32
	return element(14, bytes.Join(append([][]byte{element(6, u(u(nil, class), 0)), element(5, u(u(nil, uint32(p)), uint32(n))), element(1, []byte(name))}, rest...), nil))
}

func deflated(data []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write(data)
	_ = z.Close()
	return append(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, 15), uint32(b.Len())), b.Bytes()...)
}

// nested is a cell array in a cell array, and so on.
func nested(depth int) []byte {
	inner := matrix(6, 1, 1, "", element(9, make([]byte, 8)))
	for range depth {
		inner = matrix(1, 1, 1, "", inner)
	}
	return inner
}

// market is a file of Matrix Market.
func market(kind, rest string) []byte { return []byte("%%MatrixMarket matrix " + kind + "\n" + rest) }

// bombs writes small files that announce much, or become much, to the directory that is its
// argument. It is a command: the system counts the memory of who starts a process to that one.
func bombs() {
	const large = 300_000_000
	zeros := make([]byte, 100_000_000)
	ones := bytes.Repeat([]byte{1}, 9_000_000)
	all := map[string][]byte{
		"columns.csv":       []byte(row(1_000_000, ",", named("c")) + row(1_000_000, ",", same("1"))),
		"numbers.csv":       []byte(row(1_000_000, ",", same("1")) + row(1_000_000, ",", same("2"))),
		"decimals.csv":      []byte(row(1_000_000, ",", same("1.5")) + row(1_000_000, ",", same("2.5"))),
		"empty.csv":         []byte(row(1_000_000, ",", same("")) + row(1_000_000, ",", same(""))),
		"texts.csv":         []byte(row(1_000_000, ",", named("a")) + row(1_000_000, ",", same("b"))),
		"onename.csv":       []byte(row(1_000_000, ",", same("a")) + row(1_000_000, ",", same("1"))),
		"days.csv":          []byte(row(400_000, ",", named("a")) + row(400_000, ",", same("2020-01-01"))),
		"columns.tsv":       []byte(row(1_000_000, "\t", named("c")) + row(1_000_000, "\t", same("1"))),
		"spaces.csv":        []byte(row(1_000_000, " ", same("1")) + row(1_000_000, " ", same("2"))),
		"allowed.csv":       []byte(row(130_000, ",", named("c")) + row(130_000, ",", same("1")) + row(130_000, ",", same("2"))),
		"distinct.csv":      []byte("a,b\n" + strings.TrimSuffix(row(600_000, "\n", func(j int) string { return fmt.Sprintf("%d,x%d", j, j) }), "\n")),
		"name.csv":          []byte(strings.Repeat("a", 9_000_000) + ",b\n1,2\n2,3\n"),
		"number.csv":        []byte("a,b\n" + strings.Repeat("1", 9_000_000) + ",2\n"),
		"quoted.csv":        []byte("a,b\n\"" + strings.Repeat("\n", 9_000_000) + "\",2\n"),
		"ragged.csv":        []byte("a,b\n" + strings.Repeat("1,2\n", 2_000_000) + "1,2,3\n"),
		"narrow.csv":        []byte(strings.Repeat("1\n", 4_500_000)),
		"missing.csv":       []byte("a,b\n" + strings.Repeat(",\n", 4_500_000)),
		"times.csv":         []byte("a,b\n" + strings.Repeat("2020-01-01T00:00:00,1\n", 400_000)),
		"newlines.csv.gz":   gzipped("\n", large),
		"returns.csv.gz":    gzipped("\r\n", large),
		"blanks.csv.gz":     gzipped(" \n", large),
		"oneline.csv.gz":    gzipped(" ", large),
		"comments.csv.gz":   gzipped("#\n", large),
		"between.csv.gz":    gzipped("1\n"+strings.Repeat("\n", 60_000), large),
		"ones.csv.gz":       gzipped("1\n", large),
		"na.csv.gz":         gzipped("NA\n", large),
		"quotes.csv.gz":     gzipped("\"\"\n", large),
		"words.csv.gz":      gzipped("abc,def\n", large),
		"wide.csv.gz":       gzipped(row(130_000, ",", same("1")), large),
		"members.csv.gz":    bytes.Repeat(gzipped("1\n", 0), 300_000),
		"zeros.npy.gz":      append(gzipped(string(numpy("|b1", "(300000, 1000)", false, nil)), 1), gzipped("\x00", large)...),
		"pairs.svmlight.gz": gzipped("1 1:0\n", large),
		"rows.svmlight.gz":  gzipped("1\n", large),
		"announced.npy":     numpy("<f8", "(1099511627776, 3)", false, nil),
		"wide.npy":          numpy("|b1", "(1, 9000000)", false, ones),
		"fortran.npy":       numpy("|i1", "(9, 1000000)", true, ones),
		"tall.npy":          numpy("|b1", "(9000000, 1)", false, ones),
		"deep.npy":          numpy("<f8", strings.Repeat("(", 5000)+strings.Repeat(")", 5000), false, nil),
		"header.npy":        append(binary.LittleEndian.AppendUint32([]byte("\x93NUMPY\x02\x00"), 9_000_000), bytes.Repeat([]byte("("), 9_000_000)...),
		"nothing.npy":       numpy("<f8", "(0, 4000000000)", false, nil),
		"tall.npz":          archive([]byte("a"), numpy("|b1", "(100000, 1000)", false, zeros)),
		"wide.npz":          archive([]byte("a"), numpy("|b1", "(100, 1000000)", false, zeros)),
		"header.npz":        archive([]byte("a"), append(binary.LittleEndian.AppendUint32([]byte("\x93NUMPY\x02\x00"), 100_000_000), zeros...)),
		"scipy.npz":         scipy(2147483646, 2147483646, zeros[:8]),
		"scipyrows.npz":     scipy(10_000_000, 10, zeros[:40_000_004]),
		"scipycolumns.npz":  scipy(100, 320_000, zeros[:404]),
		"announced.mtx":     market("coordinate real general", "4000000 8 1\n1 1 1\n"),
		"columns.mtx":       market("coordinate real general", "8 4000000 1\n1 1 1\n"),
		"rows.mtx":          market("coordinate real general", "11000000 1 1\n1 1 1\n"),
		"square.mtx":        market("coordinate pattern symmetric", "3000000 3000000 1\n1 1\n"),
		"entries.mtx":       market("coordinate real general", "10 10 2147483647\n1 1 1\n"),
		"array.mtx":         market("array real general", "5700 5700\n1\n"),
		"most.mtx":          market("coordinate real general", "2147483647 2147483647 1\n1 1 1\n"),
		"dense.mtx":         market("coordinate real general", "1000000 200 0\n"),
		"percents.mtx":      market("coordinate real general", strings.Repeat("%\n", 4_500_000)+"1 1 0\n"),
		"most.svmlight":     []byte("1 2147483647:1\n"),
		"column.svmlight":   []byte("1 4000000:1\n"),
		"line.svmlight":     []byte("1 " + strings.TrimSuffix(row(1_000_000, " ", func(j int) string { return fmt.Sprintf("%d:1", j+1) }), "\n") + "\n"),
		"labels.svmlight":   []byte(strings.Repeat("1\n", 4_500_000)),
		"entries.svmlight":  []byte(strings.Repeat("1 1:1\n", 1_500_000)),
		"most.ldac":         []byte("1 2147483647:1\n"),
		"column.ldac":       []byte("1 4000000:1\n"),
		"documents.ldac":    []byte(strings.Repeat("0\n", 4_500_000)),
		"entries.ldac.gz":   gzipped("1 0:1\n", large),
		"zeros.mat":         matlab(deflated(matrix(6, 1000, 100_000, "x", element(2, zeros)))),
		"announced.mat":     matlab(deflated(append(matrix(6, 500_000_000, 1, "x")[:0:0], matrix(6, 500_000_000, 1, "x")...))),
		"variables.mat":     matlab(bytes.Repeat(matrix(6, 1, 1, "x", element(9, zeros[:8])), 90_000)),
		"compressed.mat":    matlab(bytes.Repeat(deflated(matrix(6, 1, 1, "x", element(9, zeros[:8]))), 90_000)),
		"nested.mat":        matlab(nested(3000)),
		"wide.mat":          matlab(matrix(6, 1, 9_000_000, "x", element(2, ones))),
		"sparse.mat":        matlab(matrix(5, 10, 2_000_000, "x", element(5, zeros[:4]), element(5, zeros[:8_000_004]), element(9, zeros[:8]))),
		"sparsez.mat":       matlab(deflated(matrix(5, 10, 2_000_000, "x", element(5, zeros[:4]), element(5, zeros[:8_000_004]), element(9, zeros[:8])))),
		"deep.json":         bytes.Repeat([]byte("["), 9_000_000),
		"objects.json":      bytes.Repeat([]byte(`{"a":`), 1_500_000),
		"lambda.json":       []byte(`{"format":"symmom-model","version":1,"order":3,"n":1,"rank":1,"lambda":[` + strings.Repeat("1,", 3_000_000) + "1]}"),
		"keys.json":         []byte("{" + strings.TrimSuffix(row(600_000, ",", func(j int) string { return fmt.Sprintf(`"k%d":1`, j) }), "\n") + "}"),
		"announced.ktns":    []byte("ktensor\n3\n1000000000 1000000000 1000000000\n1000000000\n"),
		"order.ktns":        []byte("ktensor\n1000000000\n" + strings.Repeat("2 ", 4_000_000) + "\n"),
	}
	dir := os.Args[1]
	for name, data := range all {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			log.Fatal(err)
		}
	}
	wide := symmom.FromRows([][]float64{make([]float64, 20_000), make([]float64, 20_000)})
	for _, name := range []string{"wide.parquet", "wide.arrow", "wide.feather"} {
		if err := wide.Save(filepath.Join(dir, name)); err != nil {
			log.Fatal(err)
		}
	}
}

// A small file takes little memory and time, or is refused at once, whatever it announces.
func TestFilesTakeWhatTheyJustify(t *testing.T) {
	slow.Test(t)
	dir, out := t.TempDir(), t.TempDir()
	if text, err := exec.Command("bombs", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	good := filepath.Join(out, "good.csv")
	if err := os.WriteFile(good, []byte("1,2\n3,5\n4,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var largest int64
	var slowest time.Duration
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	refused, torturing := 0, os.Getenv("SYMMOM_TORTURE_FOR") != ""
	for _, f := range files {
		name, path := f.Name(), filepath.Join(dir, f.Name())
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		size := info.Size()
		if size > 10_000_000 {
			t.Errorf("%s is not small: %d bytes", name, size)
		}
		runs := [][]string{{"info", path}, {"decompose", path, "-d", "3", "-r", "2", "--starts", "1", "--max-iters", "5"}, {"convert", path, filepath.Join(out, "out.npy")}}
		if ext := filepath.Ext(name); ext == ".json" || ext == ".ktns" {
			runs = [][]string{{"evaluate", good, "--model", path}}
		}
		if !torturing {
			runs = runs[:1] // which takes the most
		}
		for _, args := range runs {
			// A hang is recognized by its processor time; others may have taken all of it.
			ctx, cancel := context.WithTimeout(t.Context(), 30*torture.Hang)
			cmd := exec.CommandContext(ctx, "symmom", args...)
			var stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = io.Discard, &stderr
			err := cmd.Run()
			cancel()
			memory := maxRSS(cmd.ProcessState)
			took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			largest, slowest = max(largest, memory), max(slowest, took)
			if err != nil {
				refused++
			}
			if code := cmd.ProcessState.ExitCode(); code < 0 || code > 1 || trouble.Match(stderr.Bytes()) || memory > bombMemory || torturing && took > bombTime || stderr.Len() > 8000 {
				t.Errorf("symmom %s %s, %d bytes: exit code %d after %v of a processor, %d MB\n%.500s", args[0], name, size, code, took, memory>>20, stderr.Bytes())
			}
		}
	}
	torture.Report(t, "%d small files that announce or become much, %d runs refused; the slowest %v of a processor, the most memory %d MB", len(files), refused, slowest.Round(time.Millisecond), largest>>20)
}
