//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"symmom/internal/test/slow"
	"symmom/internal/test/torture"
	"symmom/symmom"
)

// interrupted are commands on a large table, in DIR, and what each writes.
var interrupted = []struct{ command, writes string }{
	{"info big.npy", ""}, {"info big.csv", ""}, {"info big.csv.gz", ""}, {"info big.parquet", ""}, {"info sparse.svmlight", ""},
	{"convert big.npy OUT.csv", "OUT.csv"}, {"convert big.csv OUT.npy", "OUT.npy"}, {"convert big.csv.gz OUT.parquet --stream", "OUT.parquet"}, {"convert big.parquet OUT.csv.gz", "OUT.csv.gz"},
	{"decompose big.npy -d 3 -r 5 --save OUT.json", "OUT.json"}, {"decompose big.csv -d 4 -r 3 --form implicit --save OUT.mat", "OUT.mat"}, {"decompose big.npy -d 3 -r 4 --stream", ""},
	{"decompose big.parquet -d 3 -r 3 --debias --html OUT.html", "OUT.html"}, {"decompose sparse.svmlight -d 3 -r 2", ""}, {"decompose big.npy -d 3 -r 5 --form sampled", ""}, {"decompose big.npy -d 3 -r 3 --cumulant", ""},
	{"evaluate big.npy --model model.json", ""}, {"sweep big.npy -d 3 --ranks 2..6 --html OUT.html", "OUT.html"}, {"rank big.npy -d 3", ""}, {"rank big.csv -d 4 --html OUT.html", "OUT.html"},
	{"mixture big.npy --components 4 --save OUT.json", "OUT.json"}, {"mixture big.csv --components 2..6", ""}, {"mixture big.npy --components 3 --bootstrap 20", ""},
	{"ica big.npy --components 4 --sources OUT.npy", "OUT.npy"}, {"report big.npy -d 3 --ranks 2..4 --html OUT.html", "OUT.html"}, {"serve big.npy --no-open", ""},
	{"generate gmm --n 400 --components 5 --per-component 20000 --out OUT.npy", "OUT.npy"}, {"paper table1 --out OUT", ""}, {"repl -e symmom.Load(`big.npy`).Moment(3).Decompose(6)", ""}, {"demo", ""},
}

// An interrupt at any moment ends every command within a second, and leaves no part of a file.
func TestTortureInterrupts(t *testing.T) {
	slow.Test(t)
	dir := t.TempDir()
	must(t, dir, "generate", "gmm", "--n", "150", "--components", "5", "--per-component", "8000", "--sigma", "0.3", "--out", "big.npy")
	for _, to := range []string{"big.csv", "big.csv.gz", "big.parquet"} {
		must(t, dir, "convert", "big.npy", to)
	}
	must(t, dir, "decompose", "big.npy", "-d", "3", "-r", "5", "--starts", "1", "--save", "model.json")
	if err := os.WriteFile(filepath.Join(dir, "sparse.svmlight"), []byte(strings.Repeat("1 7:1 900:2\n2 40000:1 50000:3\n", 40_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	deadline := time.Now().Add(torture.Duration(t))
	r := torture.Source(t)
	sent, ended := 0, 0
	slowest, whose := time.Duration(0), ""
	for round := 0; time.Now().Before(deadline); round++ {
		c := interrupted[r.IntN(len(interrupted))]
		cmd := exec.Command("symmom", strings.Fields(c.command)...)
		cmd.Dir = dir
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		begin := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		exited := make(chan error, 1)
		go func() { exited <- cmd.Wait() }()
		// By what it has computed: others may have taken the processors.
		for at := time.Duration(r.Int64N(int64(1500*time.Millisecond))) * min(slowdown, 2); computed(cmd.Process.Pid, begin) < at && time.Since(begin) < 2*at && len(exited) == 0; {
			time.Sleep(5 * time.Millisecond)
		}
		before, start := waits(cmd.Process.Pid), time.Now()
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			ended++
		}
		kept := time.Duration(0) // from computing, by a busy machine
		for going := true; going; {
			select {
			case <-exited:
				going = false
			case <-time.After(glance):
				for thread, w := range waits(cmd.Process.Pid) {
					kept = max(kept, w.waited-before[thread].waited)
				}
				if time.Since(start) > time.Minute {
					_ = cmd.Process.Kill() // it may just have ended
				}
			}
		}
		took := time.Since(start) - kept
		if sent++; took > slowest {
			slowest, whose = took, c.command
		}
		code := cmd.ProcessState.ExitCode()
		if took > time.Second*slowdown || code != 130 && code != 0 && code != -1 || trouble.Match(out.Bytes()) {
			t.Errorf("symmom %s: exit code %d, %v after the interrupt\n%.500s", c.command, code, took, out.Bytes())
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			name, path := e.Name(), filepath.Join(dir, e.Name())
			switch {
			case slices.Contains(names, name):
				continue
			case strings.HasPrefix(name, ".") && code == -1: // it was ended before it could take the signal, as a kill does
			case name == "OUT" && e.IsDir(): // the files of the paper, each whole
			case name != c.writes:
				t.Errorf("symmom %s: exit code %d, %s is left", c.command, code, name)
			case !uncut(t, path):
				t.Errorf("symmom %s: exit code %d, %s is not whole", c.command, code, name)
			}
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	torture.Report(t, "%d interrupts in %d commands, %d of them had ended; the slowest ended %v after, without what a busy machine kept: %s", sent, len(interrupted), ended, slowest.Round(time.Millisecond), whose)
	if sent == 0 {
		t.Error("nothing was tried")
	}
}

// uncut reports whether a file is not cut off.
func uncut(t *testing.T, path string) bool {
	t.Helper()
	switch filepath.Ext(path) {
	case ".html":
		return bytes.HasSuffix(bytes.TrimSpace(read(t, path)), []byte("</html>"))
	case ".json", ".mat":
		if _, err := symmom.LoadModel(path); err == nil {
			return true
		}
		_, err := symmom.LoadMixture(path)
		return err == nil
	}
	return symmom.Load(path).Err() == nil
}
