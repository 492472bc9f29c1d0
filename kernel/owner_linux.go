package kernel

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// owner returns the user whose process is at the other end of a connection, if the
// system reports it: for sockets of this machine.
func owner(c net.Conn) (uid int, known bool) {
	if u, is := c.(*net.UnixConn); is {
		return unixOwner(u)
	}
	here, is := c.LocalAddr().(*net.TCPAddr)
	there, alsoIs := c.RemoteAddr().(*net.TCPAddr)
	if !is || !alsoIs || !there.IP.IsLoopback() {
		return 0, false
	}
	// Reading a list while it changes may miss a line.
	for range 3 {
		for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
			if uid, known := listedOwner(name, there.AddrPort(), here.AddrPort()); known {
				return uid, true
			}
		}
	}
	// If this end is listed, the other was on this machine as well, and is gone.
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		if _, known := listedOwner(name, here.AddrPort(), there.AddrPort()); known {
			return -1, true
		}
	}
	return 0, false
}

func unixOwner(c *net.UnixConn) (uid int, known bool) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, false
	}
	_ = raw.Control(func(fd uintptr) {
		var u *unix.Ucred
		if u, err = unix.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED); err == nil {
			uid, known = int(u.Uid), true
		}
	})
	return uid, known
}

// listedOwner looks for the socket from one address to another in one of the
// kernel's lists, proc_pid_net(5).
func listedOwner(list string, from, to netip.AddrPort) (uid int, known bool) {
	f, err := os.Open(list)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := bytes.Fields(lines.Bytes())
		if len(fields) < 8 || listed(fields[1]) != unmapped(from) || listed(fields[2]) != unmapped(to) {
			continue
		}
		uid, err := strconv.Atoi(string(fields[7]))
		return uid, err == nil
	}
	return 0, false
}

func unmapped(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap().WithZone(""), a.Port())
}

// listed parses an address of such a list: words in the byte order of the
// processor, a colon, and the port.
func listed(field []byte) netip.AddrPort {
	address, number, _ := bytes.Cut(field, []byte(":"))
	b := make([]byte, hex.DecodedLen(len(address)))
	var port uint16
	if _, err := hex.Decode(b, address); err != nil || len(b)%4 != 0 {
		return netip.AddrPort{}
	}
	if _, err := fmt.Sscanf(string(number), "%x", &port); err != nil {
		return netip.AddrPort{}
	}
	for i := 0; i < len(b); i += 4 {
		binary.BigEndian.PutUint32(b[i:], binary.NativeEndian.Uint32(b[i:]))
	}
	a, _ := netip.AddrFromSlice(b)
	return netip.AddrPortFrom(a.Unmap(), port)
}
