// Package kernel lets Jupyter talk to a Go session: it is a kernel of the
// Jupyter messaging protocol, version 5.4.
//
//	c, err := kernel.ReadConnection("connection.json")
//	err = kernel.Run(ctx, kernel.Config{Connection: c})
//
// The package knows messages, not Go: what a cell means, what completes it and
// how a value shows itself is asked of package repl. [Install] makes the
// kernel known to Jupyter.
//
// A message takes this way, one step a file: five sockets (socket.go) on the
// addresses of the connection file (connection.go), each peer with a queue of its
// own (peer.go) behind a guard that keeps hostile frames out (guard.go), and other
// users of the machine refused (owner_linux.go); frames become
// messages whose signatures are verified (message.go); requests of the shell
// wait in a queue while those of the control socket are answered at once
// (kernel.go); cells run and show (execute.go), print (output.go, capture_unix.go),
// read (stdin.go) and tell how far they are (progress.go); the other requests
// ask the session (ask.go), the history (history.go) and the comms (comm.go). What
// a kernel says that dies is in lastwords.go.
package kernel
