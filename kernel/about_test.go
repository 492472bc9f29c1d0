package kernel

import (
	"os"
	"testing"
)

func TestAbout(t *testing.T) {
	c := connect(t, start(t).connection)
	if r := c.ask("connect", dict{}); r["status"] != "ok" || r["shell_port"] == nil || r["shell_port"] == r["hb_port"] {
		t.Errorf("connect_reply %v", r)
	}
	c.send(c.control, "usage_request", dict{})
	u := c.expect(c.controls, "usage_reply").content
	if u["status"] != "ok" || u["pid"] != float64(os.Getpid()) || u["kernel_memory"].(float64) < 1<<20 || u["cpu_count"].(float64) < 1 {
		t.Errorf("usage_reply %v", u)
	}
}
