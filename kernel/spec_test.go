package kernel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInstall(t *testing.T) {
	prefix := t.TempDir()
	place := Place{Prefix: prefix}
	dir, err := Install(place, Spec{Program: "/usr/bin/symmom"})
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(prefix, "share", "jupyter", "kernels", "symmom"); dir != want {
		t.Errorf("%s, want %s", dir, want)
	}
	data, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	var spec struct {
		Argv      []string
		Language  string
		Interrupt string `json:"interrupt_mode"`
		Display   string `json:"display_name"`
	}
	if err := json.Unmarshal(data, &spec); err != nil {
		t.Fatal(err)
	}
	if strings.Join(spec.Argv, " ") != "/usr/bin/symmom kernel run -f {connection_file}" || spec.Language != "go" || spec.Interrupt != "message" {
		t.Errorf("%+v", spec)
	}
	for name, size := range map[string]int{"logo-32x32.png": 32, "logo-64x64.png": 64} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if p, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || p.Width != size || p.Height != size {
			t.Errorf("%s: %+v %v", name, p, err)
		}
	}
	// Again, with a different program and everything permitted.
	if _, err := Install(place, Spec{Program: "/opt/symmom", Unrestricted: true}); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "kernel.json")); err != nil || !strings.Contains(string(data), "--unrestricted") || !strings.Contains(string(data), "/opt/symmom") {
		t.Errorf("%s %v", data, err)
	}
	if _, err := Uninstall(place, Spec{}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the directory is still there")
	}
	if _, err := Uninstall(place, Spec{}); err == nil || !strings.Contains(err.Error(), "no kernel is installed in") {
		t.Error(err)
	}
	if _, err := Install(place, Spec{Program: "symmom"}); err == nil {
		t.Error("a relative path was taken")
	}
}

func TestPlaces(t *testing.T) {
	t.Setenv("VIRTUAL_ENV", "/env")
	t.Setenv("JUPYTER_DATA_DIR", "/data")
	for place, want := range map[Place]string{
		{}:                              "/data/kernels/symmom",
		{SysPrefix: true}:               "/env/share/jupyter/kernels/symmom",
		{Prefix: "/usr/local"}:          "/usr/local/share/jupyter/kernels/symmom",
		{SysPrefix: true, Prefix: "/x"}: "",
	} {
		if got, err := place.directory(Spec{}); got != filepath.FromSlash(want) || (err == nil) != (want != "") {
			t.Errorf("%+v: %s %v, want %s", place, got, err, want)
		}
	}
}

// Other contents of Jupyter's configuration are kept.
func TestSetTransport(t *testing.T) {
	prefix := t.TempDir()
	place := Place{Prefix: prefix}
	dir := filepath.Join(prefix, "etc", "jupyter")
	path := filepath.Join(dir, "jupyter_config.json")
	for _, x := range []struct{ before, transport, want string }{
		{"", "ipc", `{"AsyncIOLoopKernelManager":{"transport":"ipc"}}`},
		{`{"AsyncIOLoopKernelManager":{"ip":"::1","transport":"ipc"},"A":{"b":1}}`, "tcp",
			`{"A":{"b":1},"AsyncIOLoopKernelManager":{"ip":"::1","transport":"tcp"}}`},
	} {
		if x.before != "" {
			if err := os.WriteFile(path, []byte(x.before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := SetTransport(place, x.transport); err != nil || got != path {
			t.Fatalf("%s, %v", got, err)
		}
		data, err := os.ReadFile(path)
		var b bytes.Buffer
		if err == nil {
			err = json.Compact(&b, data)
		}
		if err != nil || b.String() != x.want {
			t.Errorf("%s, %v; want %s", b.String(), err, x.want)
		}
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := SetTransport(place, "ipc"); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a configuration that cannot be read: %v", err)
	}
	if _, err := SetTransport(place, "udp"); err == nil || !strings.Contains(err.Error(), "want tcp or ipc") {
		t.Errorf("udp: %v", err)
	}
}

func TestConnectionFile(t *testing.T) {
	good := `{"transport":"tcp","ip":"127.0.0.1","shell_port":1,"iopub_port":2,"stdin_port":3,"control_port":4,"hb_port":5,"signature_scheme":"hmac-sha256","key":"k"}`
	for text, want := range map[string]string{
		good: "",
		strings.Replace(good, `"hb_port":5`, `"hb_port":0`, 1):      "hb_port is 0, want a port from 1 to 65535",
		strings.Replace(good, `"hb_port":5`, `"hb_port":4`, 1):      "control_port and hb_port are both 4",
		strings.Replace(good, `127.0.0.1`, `localhost`, 1):          `ip is "localhost", want an IP address`,
		strings.Replace(good, `"tcp"`, `"udp"`, 1):                  `transport is "udp", want tcp or ipc`,
		strings.Replace(good, `hmac-sha256`, `md5`, 1):              `signature_scheme is "md5", want hmac-sha256`,
		strings.Replace(good, `"hb_port":5`, `"hb_port":"five"`, 1): "hb_port",
		"not JSON": "invalid character",
	} {
		path := filepath.Join(t.TempDir(), "connection.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadConnection(path)
		if want == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// The signature of RFC 4231, test case 2: HMAC-SHA256 of this text, here in four
// parts, with this key.
func TestSignature(t *testing.T) {
	s, err := newSigner("hmac-sha256", "Jefe")
	if err != nil {
		t.Fatal(err)
	}
	parts := [][]byte{[]byte("what do ya "), []byte("want "), []byte("for "), []byte("nothing?")}
	want := "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
	if got := string(s.sign(parts)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// Old signatures are forgotten one by one.
	for i := range remembered + 10 {
		if err := s.remember([]byte{byte(i), byte(i >> 8), byte(i >> 16)}); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.seen) != remembered || s.remember([]byte{0, 0, 0}) != nil || s.remember([]byte{20, 0, 0}) != errReplayed {
		t.Errorf("%d are remembered", len(s.seen))
	}
}

// A warning names the other users who can run cells.
func TestConnectionWarnings(t *testing.T) {
	for _, c := range []struct {
		Connection
		want string
	}{
		{Connection{Transport: "tcp", IP: "127.0.0.1", Key: "k"}, ""},
		{Connection{Transport: "tcp", IP: "::1", Key: "k"}, ""},
		{Connection{Transport: "ipc", IP: "/run/x", Key: "k"}, ""},
		{Connection{Transport: "ipc", IP: "/run/x"}, "every program of this user"},
		{Connection{Transport: "tcp", IP: "127.0.0.1"}, "every program of this machine"},
		{Connection{Transport: "tcp", IP: "0.0.0.0", Key: "k"}, "the ip in the connection file is 0.0.0.0"},
		{Connection{Transport: "tcp", IP: "0.0.0.0"}, "everyone who reaches this machine"},
	} {
		if got := strings.Join(c.warnings(), "; "); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.Connection, got, c.want)
		}
	}
}

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "history")
	first := openHistory(path)
	for _, code := range []string{"a := 1", "b", "a := 1"} {
		n := first.begin(true, code)
		if err := first.end(true, n, "out "+code); err != nil || n == 0 {
			t.Fatal(n, err)
		}
	}
	first.begin(false, "silent")
	if err := first.end(false, 3, ""); err != nil {
		t.Fatal(err)
	}
	h := openHistory(path)
	n, other := h.begin(true, "c/d"), h.begin(true, "beside")
	for _, ended := range []int{other, n} {
		if err := h.end(true, ended, "of "+fmt.Sprint(ended)); err != nil {
			t.Fatal(err)
		}
	}
	if e := h.entries[len(h.entries)-2]; e.Output != "of 1" {
		t.Errorf("the output of the first cell is %q", e.Output)
	}
	h.entries, h.count = h.entries[:len(h.entries)-1], 1
	two, one := 2, 1
	for _, c := range []struct {
		r    historyRequest
		want string
	}{
		{historyRequest{Access: "tail", N: &two}, "1.3 2.1"},
		{historyRequest{Access: "range", Session: -1, Start: 2}, "1.2 1.3"},
		{historyRequest{Access: "range", Session: 1, Start: 1, Stop: &two}, "1.1"},
		{historyRequest{Access: "range", Start: 0}, "2.1"},
		{historyRequest{Access: "search", Pattern: "a*"}, "1.1 1.3"},
		{historyRequest{Access: "search", Pattern: "a*", Unique: true}, "1.3"},
		{historyRequest{Access: "search", Pattern: "*", N: &one}, "2.1"},
		{historyRequest{Access: "search", Pattern: "c?d"}, "2.1"},
		{historyRequest{Access: "search", Pattern: "[a-z]"}, ""},
	} {
		var got []string
		for _, e := range h.find(c.r) {
			got = append(got, string(rune('0'+e.Session))+"."+string(rune('0'+e.Line)))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %v, want %s", c.r, got, c.want)
		}
	}
	// A file that is too long is put aside, with the last of its cells still found.
	long := strings.Repeat(strings.Repeat("x", 999)+"\n", mostHistory/1000+1) + "{\"session\":4,\"line\":1,\"input\":\"last\"}\n"
	if err := os.WriteFile(path, []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		h := openHistory(path)
		if found := h.find(historyRequest{Access: "search", Pattern: "last"}); len(found) != 1 || h.session < 5 {
			t.Errorf("found %v, session %d", found, h.session)
		}
		if err := h.end(true, h.begin(true, "next"), ""); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Size() > 1000 {
		t.Errorf("%v, %v: the file is not begun anew", info, err)
	}
	if err := os.Remove(path + older); err != nil {
		t.Fatal(err)
	}
	// The readable lines of a damaged file are kept.
	if err := os.WriteFile(path, []byte("{\"session\":7,\"line\":1,\"input\":\"x\"}\nnonsense\n\n{\"session\":8,"), 0o600); err != nil {
		t.Fatal(err)
	}
	if h := openHistory(path); len(h.entries) != 1 || h.session != 8 {
		t.Errorf("%+v", h)
	}
}
