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
//
// # Sockets
//
// Of the ZeroMQ library only the handshake and the framing are used. A peer is a
// connection with a queue of its own, so one that does not read holds up nobody; sockets
// find peers by the identity that these claim, and write to all of them under one lock.
// Memory is taken for bytes that have arrived, not for those that are announced. Output
// waits for a subscriber that reads at least 4 MB a second, and half a second for one
// that has stopped; then that one loses output and is told how much, while statuses and
// everything on the control socket are sent at once. Over TCP on Linux the kernel looks
// up which user a connection belongs to (owner_linux.go), because iopub has no key. The
// kernel listens before it creates its session: ZeroMQ clients that find nobody try
// again only after 100 ms.
//
// # Output
//
// Cells print through writers of the kernel, compiled code into pipes in place of file
// descriptors 1 and 2. The pipes are drained before anything else is sent, which keeps
// one order.
//
// # A kernel that dies
//
// It cannot tell its client. So it keeps a note next to the connection file of what was
// running, into which Go writes its last words; the next kernel with that file, which
// Jupyter starts, reports it. File descriptor 2 stays the log's, where Go prints the
// error itself.
//
// # What is not here
//
// There are no subshells. All cells share one interpreter, whose frames, globals and run
// number belong to the cell that runs; a second cell at the same time would need a
// second session, without the variables of the first, which are what a person wants to
// look at. There is no debugger either: yaegi's steps through lowered code, not what was
// typed, and searches the tree at each step; mapping both back would cost more than Show
// in a cell saves. Nor does yaegi report at which statement a function was when a panic
// passed through it: a frame is named with the line at which its body begins.
// kernel_info does not offer them, so no client asks.
package kernel
