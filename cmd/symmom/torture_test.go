package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"symmom/internal/test/slow"
	"symmom/internal/test/torture"
)

// must runs the command in a directory.
func must(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("symmom", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("symmom %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// good creates files of every format that the command reads.
func good(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	must(t, dir, "generate", "gmm", "--n", "6", "--components", "2", "--per-component", "20", "--out", "data.npy")
	for _, name := range []string{"model.json", "model.mat", "model.ktns"} {
		must(t, dir, "decompose", "data.npy", "-d", "3", "-r", "2", "--save", name)
	}
	npy := read(t, filepath.Join(dir, "data.npy"))
	var csv, packed, npz bytes.Buffer
	csv.WriteString("a,b,\"c, d\",e,w\n")
	for i := range 40 {
		fmt.Fprintf(&csv, "%d,%g,%d,-%d.5e-1,%d\n", i, float64(i)/3, i*i, i, 1+i%3)
	}
	z := gzip.NewWriter(&packed)
	_, err := z.Write(csv.Bytes())
	if e := z.Close(); err != nil || e != nil {
		t.Fatal(err, e)
	}
	archive := zip.NewWriter(&npz)
	for _, name := range []string{"x.npy", "y.npy"} {
		w, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(npy); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"x.npy": npy, "x.csv": csv.Bytes(), "x.tsv": bytes.ReplaceAll(csv.Bytes(), []byte(","), []byte("\t")),
		"x.csv.gz": packed.Bytes(), "x.npz": npz.Bytes(), "x.json": read(t, filepath.Join(dir, "model.json")),
		"x.mat": read(t, filepath.Join(dir, "model.mat")), "x.ktns": read(t, filepath.Join(dir, "model.ktns"))}
}

// trouble matches what Go prints when a process dies.
var trouble = regexp.MustCompile(`(?m)^(panic:|fatal error:|goroutine \d+)|runtime error`)

// Randomly damaged files are read or rejected, in time and without taking all
// memory of the machine.
func TestTortureFiles(t *testing.T) {
	slow.Test(t)
	dir := t.TempDir()
	files := good(t, dir)
	names := []string{"x.npy", "x.csv", "x.tsv", "x.csv.gz", "x.npz", "x.json", "x.mat", "x.ktns"}
	deadline := time.Now().Add(torture.Duration(t))
	r := torture.Source(t)
	var tried, taken atomic.Int64
	var mu sync.Mutex // guards what follows
	var slowest time.Duration
	var largest int64
	one := func(r *rand.Rand, own string) bool {
		name := names[r.IntN(len(names))]
		data := torture.Mutate(r, files[name])
		path := filepath.Join(own, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Error(err)
			return false
		}
		args := [][]string{
			{"info", path}, {"decompose", path, "-d", "3", "-r", "2", "--starts", "2", "--max-iters", "20"},
			{"decompose", path, "-d", "4", "-r", "3", "--starts", "1", "--max-iters", "5",
				"--stream"}, {"sweep", path, "-d", "3", "--ranks", "1..2", "--max-iters", "5"},
		}[r.IntN(4)]
		if name == "x.json" || name == "x.ktns" || name == "x.mat" && r.IntN(2) == 0 { // this one is a table, too
			args = [][]string{{"evaluate", filepath.Join(dir, "data.npy"), "--model", path}, {"decompose", filepath.Join(dir, "data.npy"), "-d", "3", "-r", "2", "--init", path}}[r.IntN(2)]
		}
		// A process that hangs is recognized by its processor time; others may have
		// taken all of it.
		ctx, cancel := context.WithTimeout(t.Context(), 30*torture.Hang)
		defer cancel()
		cmd := exec.CommandContext(ctx, "symmom", args...)
		var out bytes.Buffer
		cmd.Stderr = &out
		begin := time.Now()
		err := cmd.Run()
		took, memory := time.Since(begin), maxRSS(cmd.ProcessState)
		tried.Add(1)
		if err == nil {
			taken.Add(1)
		}
		mu.Lock()
		slowest, largest = max(slowest, took), max(largest, memory)
		mu.Unlock()
		code := cmd.ProcessState.ExitCode()
		cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		if code < 0 || code > 2 || trouble.Match(out.Bytes()) || cpu > torture.Hang*slowdown || memory > torture.Memory*slowdown {
			kept := keep(t, data, name)
			t.Errorf("symmom %s with %s: exit code %d after %v (%v of a processor), %d MB\n%.2000s", strings.Join(args, " "), kept, code, took, cpu, memory>>20, out.Bytes())
		}
		return true
	}
	var workers sync.WaitGroup
	for i := range runtime.NumCPU() {
		own := t.TempDir()
		source := rand.New(rand.NewPCG(r.Uint64(), uint64(i)))
		workers.Go(func() {
			for time.Now().Before(deadline) && one(source, own) {
			}
		})
	}
	workers.Wait()
	torture.Report(t, "%d damaged files, %d of them taken; the slowest %v, the most memory %d MB", tried.Load(), taken.Load(), slowest.Round(time.Millisecond), largest>>20)
	if tried.Load() == 0 {
		t.Error("nothing was tried")
	}
}

// keep saves a file that caused trouble.
func keep(t *testing.T, data []byte, name string) string {
	t.Helper()
	f, err := os.CreateTemp("", "torture-*-"+name)
	if err == nil {
		_, err = f.Write(data)
		if e := f.Close(); err == nil {
			err = e
		}
	}
	if err != nil {
		t.Error(err)
		return "a file that cannot be kept"
	}
	return f.Name()
}
