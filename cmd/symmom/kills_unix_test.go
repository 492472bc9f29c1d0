//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"symmom/internal/test/slow"
	"symmom/internal/test/torture"
	"symmom/symmom"
)

// target is a file that runs write over until they are killed, of which content is what there
// may be: it is compared as a table or a model, of one of the seeds that were asked for.
type target struct {
	kind, path string
	foreign    []string // files of other people beside it
	uid        int
}

// targets makes one of each kind in directories of their own, beside files that are not ours.
func targets(t *testing.T) (all []*target) {
	t.Helper()
	elsewhere := "/dev/shm" // another file system, where there is one
	for _, kind := range []string{"plain", "hard-linked", "symbolic", "owned by another", "on another file system"} {
		dir := t.TempDir()
		if info, err := os.Stat(elsewhere); kind == "on another file system" && err == nil && info.IsDir() {
			if dir, err = os.MkdirTemp(elsewhere, "symmom-torture-"); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(dir) })
		}
		to := &target{kind: kind, path: filepath.Join(dir, "table.npy")}
		must(t, dir, generated(to.path, 1)...)
		var err error
		switch kind {
		case "hard-linked":
			err = os.Link(to.path, filepath.Join(dir, "other.npy"))
		case "symbolic":
			if err = os.Rename(to.path, filepath.Join(dir, "real.npy")); err == nil {
				err = os.Symlink("real.npy", to.path)
			}
		case "owned by another":
			if os.Getuid() == 0 { // others cannot give a file away
				to.uid = 12345
				err = os.Chown(to.path, to.uid, to.uid)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{".notes.symmom", ".table.npy.symmom", ".table.npy.0123456789abcdeg.symmom", "x-last-words.txt", "table.npy~"} {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
			to.foreign = append(to.foreign, path)
		}
		all = append(all, to)
	}
	return all
}

// generated are arguments that write 500 x 200 numbers.
func generated(path string, seed int) []string {
	return []string{"generate", "uniform", "--n", "200", "--observations", "500", "--out", path, "--seed", fmt.Sprint(seed)}
}

// whole reports whether a file has all the numbers of a seed.
func (to *target) whole(path string, seeds map[string]bool) bool {
	d := symmom.Load(path)
	return d.Err() == nil && seeds[d.Fingerprint()]
}

// check says what a kill has done to the target: nothing, or damage of which all is in the file
// beside it, from which it is made whole again.
func (to *target) check(t *testing.T, seeds map[string]bool) (repaired bool) {
	t.Helper()
	for _, path := range to.foreign {
		if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
			t.Fatalf("%s: %s was touched: %q, %v", to.kind, path, text, err)
		}
	}
	beside := to.path + ".new"
	if _, err := os.Stat(beside); err == nil {
		if to.kind != "hard-linked" || !to.whole(beside, seeds) {
			t.Fatalf("%s: %s is there, and not whole", to.kind, beside)
		}
		// As the message says.
		data := read(t, beside)
		if err := os.WriteFile(to.path, data, 0); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(beside); err != nil {
			t.Fatal(err)
		}
		repaired = true
	}
	if !to.whole(to.path, seeds) {
		t.Fatalf("%s: the table is lost", to.kind)
	}
	info, err := os.Stat(to.path)
	if err != nil {
		t.Fatal(err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	link, err := os.Lstat(to.path)
	switch {
	case err != nil:
		t.Fatal(err)
	case to.kind == "hard-linked" && owner.Nlink != 2, to.kind == "symbolic" && link.Mode()&os.ModeSymlink == 0, int(owner.Uid) != to.uid && to.uid != 0:
		t.Fatalf("%s: the file is another one by now: %d names, %v, of user %d", to.kind, owner.Nlink, link.Mode(), owner.Uid)
	}
	return repaired
}

// Runs killed at any moment leave either the file that they were to replace or the
// new one, intact, nothing of other people is touched, and no other file is there after the next
// run. Of a file with other names, which is written over, all of the new one is beside it.
func TestTortureKills(t *testing.T) {
	slow.Test(t)
	all := targets(t)
	const variants = 4
	seeds := map[string]bool{}
	for seed := 1; seed <= variants; seed++ {
		path := filepath.Join(t.TempDir(), "x.npy")
		must(t, ".", generated(path, seed)...)
		seeds[symmom.Load(path).Fingerprint()] = true
	}
	model := filepath.Join(t.TempDir(), "model.json")
	fit := []string{"decompose", all[0].path, "-d", "3", "-r", "2", "--starts", "1", "--max-iters", "3", "--form", "implicit", "--save", model}
	must(t, ".", fit...)
	deadline := time.Now().Add(torture.Duration(t))
	r := torture.Source(t)
	signals := []syscall.Signal{syscall.SIGKILL, syscall.SIGKILL, syscall.SIGKILL, syscall.SIGKILL, syscall.SIGKILL, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT}
	killed, kinds := map[syscall.Signal]int{}, map[string]int{}
	left, ended, repaired, total := 0, 0, 0, 0
	most := 60 * time.Millisecond // about as long as a run takes
	for ; time.Now().Before(deadline); total++ {
		to := all[r.IntN(len(all))]
		args := generated(to.path, 1+r.IntN(variants))
		if r.IntN(20) == 0 {
			args = fit
		}
		cmd := exec.Command("symmom", args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		s := signals[r.IntN(len(signals))]
		time.Sleep(time.Duration(r.Int64N(int64(most * slowdown))))
		if err := cmd.Process.Signal(s); errors.Is(err, os.ErrProcessDone) {
			ended++
		} else if err != nil {
			t.Fatal(err)
		}
		watchdog := time.AfterFunc(30*torture.Hang, func() {
			t.Errorf("symmom %s goes on after %v", strings.Join(args, " "), s)
			_ = cmd.Process.Kill() // it may just have ended
		})
		_ = cmd.Wait() // the state says how it ended
		watchdog.Stop()
		if cmd.ProcessState.Exited() && r.IntN(2) == 0 {
			most -= most / 64 // so that about as many runs end as are killed
		} else {
			most += most / 128
		}
		killed[s]++
		kinds[to.kind]++
		if m, err := symmom.LoadModel(model); err != nil || m.Rank() != 2 || m.N() != 200 {
			t.Fatalf("the model is lost after %v: %v", s, err)
		}
		if to.check(t, seeds) {
			repaired++
		}
		left += leftovers(t, to)
	}
	must(t, ".", fit...)
	after := 0
	for _, to := range all {
		must(t, ".", generated(to.path, 1)...)
		to.check(t, seeds)
		after += leftovers(t, to)
	}
	torture.Report(t, "%d runs killed (%v; %v), %d of them had ended; nothing lost, %d written over in part with all of the new one beside them; temporary files seen %d times, %d at the end", total, killed, kinds, ended, repaired, left, after)
	if after > 0 || total == 0 {
		t.Errorf("%d temporary files are left after %d runs", after, total)
	}
}

// leftovers counts temporary files.
func leftovers(t *testing.T, to *target) int {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(filepath.Dir(to.path), ".*"))
	if err != nil {
		t.Fatal(err)
	}
	hidden := 0
	for _, path := range to.foreign {
		if strings.HasPrefix(filepath.Base(path), ".") {
			hidden++
		}
	}
	return len(names) - hidden
}
