package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"symmom/lab"
)

// processMain runs a kernel in its own process.
func processMain(file string) {
	c, err := ReadConnection(file)
	if err == nil {
		err = Run(context.Background(), Config{Connection: c, Library: lab.Library(), File: file, OwnProcess: true})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// kernelProcess starts such a process.
func kernelProcess(t *testing.T, c Connection, file string) (cmd *exec.Cmd, log *safeBuffer) {
	t.Helper()
	cmd, log = exec.Command(os.Args[0]), &safeBuffer{}
	cmd.Env = append(os.Environ(), "KERNEL_RUN="+file)
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // most have ended already
		_ = cmd.Wait()
	})
	return cmd, log
}

// When a kernel dies, its stderr says why, and the next one at the same addresses
// tells the client with its first cell.
func TestDeathIsReported(t *testing.T) {
	c := freeConnection(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "kernel-1.json")
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(dir, "kernel-0"+lastWordsEnd) // its connection file is gone
	if err := os.WriteFile(left, fmt.Appendf(nil, "%-*s\n", stateBytes-1, "no cell ran"), 0o600); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(dir, "mine"+lastWordsEnd) // which no kernel wrote
	if err := os.WriteFile(mine, []byte(strings.Repeat("my notes\n", 20)), 0o600); err != nil {
		t.Fatal(err)
	}
	before := ""
	for _, x := range []struct{ code, log, last string }{
		{"import (\"reflect\"; \"sync\")\nm := reflect.ValueOf(new(sync.Mutex))\nm.MethodByName(\"Unlock\").Call(nil)",
			"fatal error: sync: unlock of unlocked mutex",
			"died: a mutex was unlocked that was not locked, which cannot be recovered (cell 2 ran, line 3)"},
		{"import (\"net\"; \"net/http\")\ntype L struct{ net.Listener }\nfunc (L) Accept() (net.Conn, error) { return nil, nil }\nl, _ := net.Listen(\"tcp\", \"127.0.0.1:0\")\nhttp.Serve(L{l}, nil)",
			"nil pointer dereference",
			"died: panic: runtime error: invalid memory address or nil pointer dereference, in compiled code or a callback of it (cell 2 ran, line 5)"},
		// Clearing takes long enough to be caught in by the other, on one processor too.
		{"m := map[int]int{}\ngo func() {\n\tfor {\n\t\tm[-1]++\n\t}\n}()\nfor {\n\tfor k := range 1 << 20 {\n\t\tm[k]++\n\t}\n\tclear(m)\n}",
			"fatal error: concurrent map",
			"used a map at once"},
		{"", "",
			"ended without a message: it was killed, or compiled code has ended the process (no cell ran, the last was 1)"},
	} {
		cmd, log := kernelProcess(t, c, file)
		k := connect(t, c)
		_, shown := k.run("1 + 1")
		if got := printed(shown, "stderr"); !strings.Contains(got, before) || (got == "") != (before == "") {
			t.Errorf("the first cell prints %q, want %q", got, before)
		}
		if x.code == "" {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		} else {
			k.send(k.shell, "execute_request", dict{"code": x.code})
		}
		if err := cmd.Wait(); err == nil {
			t.Fatalf("%s: the kernel lives", x.code)
		}
		if !strings.Contains(log.String(), x.log) {
			t.Errorf("the log has %q, want %q", log, x.log)
		}
		before = x.last
	}
	// A kernel that ends normally leaves no message.
	for _, last := range []string{before, ""} {
		cmd, log := kernelProcess(t, c, file)
		k := connect(t, c)
		_, shown := k.run("1 + 1")
		if got := printed(shown, "stderr"); !strings.Contains(got, last) || (got == "") != (last == "") || !strings.Contains(log.String(), last) {
			t.Errorf("the first cell prints %q, the log %q, want %q", got, log, last)
		}
		k.send(k.control, "shutdown_request", dict{"restart": false})
		if err := cmd.Wait(); err != nil {
			t.Error(err, log)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v are left, want the connection file and the notes", entries, err)
	}
}

// The death of a kernel that the system killed for its memory is reported as such.
func TestKilledForMemory(t *testing.T) {
	words := []byte(fmt.Sprintf("%-63s\n7\n", "cell 3 ran"))
	if got := obituary(words, 7); strings.Contains(got, "memory") || !strings.Contains(got, "compiled code has ended the process (cell 3 ran)") {
		t.Error(got)
	}
	if got := obituary(words, 8); !strings.Contains(got, "want of memory") {
		t.Error(got)
	}
}

func TestCauses(t *testing.T) {
	for trace, want := range map[string]string{
		"panic: odd\n\ngoroutine 5 [running]:\nmain.f()\n":                                "panic: odd, in compiled code",
		"\ngoroutine 5 [running]:\ninternal/sync.(*Mutex).unlockSlow(0x1)\n":              "unlocked",
		"\ngoroutine 5 [running]:\ninternal/runtime/maps.fatal({0x1, 0x2})\nx.f()\n":      "used a map at once",
		"\ngoroutine 5 [running]:\nruntime.mapassign_faststr(0x1)\n":                      "used a map at once",
		"\ngoroutine 5 [running]:\nruntime.throw()\nruntime.newstack()\n":                 "stack was too deep",
		"\ngoroutine 5 [running]:\nruntime.throw()\n\ngoroutine 6:\nruntime.newstack()\n": "an error of Go's runtime",
	} {
		if got := obituary([]byte(fmt.Sprintf("%-63s\n7\n", "cell 3 ran")+trace), 8); !strings.Contains(got, want) || !strings.Contains(got, "(cell 3 ran)") {
			t.Errorf("%q: %s, want %s", trace, got, want)
		}
	}
}
