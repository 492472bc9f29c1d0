package kernel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

// Connection is the content of a connection file of a Jupyter client: the addresses
// that the kernel must listen on, and the key with which both sign their messages.
type Connection struct {
	Transport       string `json:"transport"` // tcp or ipc
	IP              string `json:"ip"`        // an address, or for ipc the prefix of the paths
	ShellPort       int    `json:"shell_port"`
	IOPubPort       int    `json:"iopub_port"`
	StdinPort       int    `json:"stdin_port"`
	ControlPort     int    `json:"control_port"`
	HeartbeatPort   int    `json:"hb_port"`
	SignatureScheme string `json:"signature_scheme"`
	Key             string `json:"key"` // "": messages are not signed
}

// ReadConnection reads a connection file.
func ReadConnection(path string) (Connection, error) {
	var c Connection
	data, err := os.ReadFile(path)
	if err != nil {
		return c, fmt.Errorf("kernel: %w", err)
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("kernel: connection file %s: %w", path, err)
	}
	if err := c.check(); err != nil {
		return c, fmt.Errorf("kernel: connection file %s: %w", path, err)
	}
	return c, nil
}

// ports returns the ports by channel.
func (c *Connection) ports() map[string]int {
	return map[string]int{"shell_port": c.ShellPort, "iopub_port": c.IOPubPort, "stdin_port": c.StdinPort,
		"control_port": c.ControlPort, "hb_port": c.HeartbeatPort}
}

func (c *Connection) check() error {
	seen := map[int]string{}
	for name, p := range c.ports() {
		if p < 1 || p > 65535 {
			return fmt.Errorf("%s is %d, want a port from 1 to 65535", name, p)
		}
		if other := seen[p]; other != "" {
			return fmt.Errorf("%s and %s are both %d, want five different ports", min(name, other), max(name, other), p)
		}
		seen[p] = name
	}
	switch c.Transport {
	case "", "tcp":
		c.Transport = "tcp"
		if net.ParseIP(c.IP) == nil {
			return fmt.Errorf("ip is %q, want an IP address such as 127.0.0.1", c.IP)
		}
	case "ipc":
		if c.IP == "" {
			return fmt.Errorf("ip is empty, want the beginning of the sockets' paths")
		}
	default:
		return fmt.Errorf("transport is %q, want tcp or ipc", c.Transport)
	}
	_, err := newSigner(c.SignatureScheme, c.Key)
	return err
}

// warnings say who else can run cells in the kernel.
func (c *Connection) warnings() (w []string) {
	near := c.Transport == "ipc" || net.ParseIP(c.IP).IsLoopback()
	if c.Key == "" {
		who := "every program of this machine"
		switch {
		case c.Transport == "ipc":
			who = "every program of this user"
		case !near:
			who = "everyone who reaches this machine over the network"
		}
		w = append(w, fmt.Sprintf("the key in the connection file is empty, so messages are not signed and %s can run cells; let Jupyter make a key", who))
	}
	if !near {
		w = append(w, fmt.Sprintf("the ip in the connection file is %s, so the kernel is reached over the network, without encryption; want 127.0.0.1, and a tunnel (ssh -L) from elsewhere", c.IP))
	}
	return w
}

// maxPath is the length of a socket's path that all systems accept.
const maxPath = 103

// listen binds one address of the connection file, and nothing else.
func (c *Connection) listen(port int) (net.Listener, error) {
	if c.Transport == "ipc" {
		return listenPrivately(c.IP + "-" + strconv.Itoa(port))
	}
	return net.Listen("tcp", net.JoinHostPort(c.IP, strconv.Itoa(port)))
}

// listenPrivately creates a socket that no other user can connect to. If a killed
// kernel has left one, it is replaced: Jupyter starts the next kernel with the same
// connection file.
func listenPrivately(path string) (net.Listener, error) {
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, err
	case len(path) > maxPath:
		return nil, fmt.Errorf("the path has %d bytes, and a socket's may have %d: set JUPYTER_RUNTIME_DIR to a shorter directory", len(path), maxPath)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 && info.Mode()&os.ModeSticky == 0:
		return nil, fmt.Errorf("others may write to the directory of the sockets, %s: chmod 700 it", dir)
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
		c, err := net.Dial("unix", path)
		if err == nil {
			c.Close()
			return nil, fmt.Errorf("%s is in use", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	// The socket is bound in a directory that no other user can enter, and closed to
	// others before it is renamed.
	private, err := os.MkdirTemp(dir, ".s")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(private)
	return bindIn(private, path)
}

func bindIn(private, path string) (net.Listener, error) {
	bound := filepath.Join(private, "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: bound, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	if err = os.Chmod(bound, 0o600); err == nil {
		err = os.Rename(bound, path)
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	return &namedListener{l, path}, nil
}

// namedListener removes its socket when it is closed.
type namedListener struct {
	net.Listener
	path string
}

func (l *namedListener) Close() error {
	err := l.Listener.Close()
	if removed := os.Remove(l.path); err == nil && !errors.Is(removed, fs.ErrNotExist) {
		err = removed
	}
	return err
}
