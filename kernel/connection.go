package kernel

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strconv"
)

// Connection is what a Jupyter client says in the connection file: where the
// kernel is to listen, and the key that both sign their messages with.
type Connection struct {
	Transport       string `json:"transport"` // tcp or ipc
	IP              string `json:"ip"`        // an address, or with ipc the beginning of the paths
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

// ports in the order of the channels.
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

// listen binds one address of the connection file, and nothing else.
func (c *Connection) listen(port int) (net.Listener, error) {
	if c.Transport == "ipc" {
		return net.Listen("unix", c.IP+"-"+strconv.Itoa(port))
	}
	return net.Listen("tcp", net.JoinHostPort(c.IP, strconv.Itoa(port)))
}
