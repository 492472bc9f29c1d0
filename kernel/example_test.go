package kernel_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-zeromq/zmq4"

	"symmom/kernel"
)

// A kernel of plain Go in the program itself. Jupyter would start a program with the
// connection in a file, which ReadConnection reads.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "kernel")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error)
	c := kernel.Connection{Transport: "ipc", IP: filepath.Join(dir, "k"), ShellPort: 1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HeartbeatPort: 5}
	go func() { done <- kernel.Run(ctx, kernel.Config{Connection: c}) }()

	shell := zmq4.NewDealer(ctx)
	if err := shell.Dial("ipc://" + c.IP + "-1"); err != nil {
		fmt.Println(err)
		return
	}
	const request = `{"code": "words := strings.Fields(\"a b c\")", "user_expressions": {"n": "len(words)"}}`
	for _, cell := range []string{`{"code": "import \"strings\""}`, request} {
		header := `{"msg_id": "1", "msg_type": "execute_request", "session": "s", "version": "5.4"}`
		if err := shell.Send(zmq4.NewMsgFrom([]byte("<IDS|MSG>"), nil, []byte(header), []byte("{}"), []byte("{}"), []byte(cell))); err != nil {
			fmt.Println(err)
			return
		}
		reply, err := shell.Recv()
		if err != nil {
			fmt.Println(err)
			return
		}
		var content struct {
			Status string
			Values map[string]struct{ Data map[string]any } `json:"user_expressions"`
		}
		if err := json.Unmarshal(reply.Frames[len(reply.Frames)-1], &content); err != nil {
			fmt.Println(err)
		}
		fmt.Println(content.Status, content.Values["n"].Data["text/plain"])
	}
	cancel()
	fmt.Println(<-done)
	// Output:
	// ok <nil>
	// ok 3
	// <nil>
}
