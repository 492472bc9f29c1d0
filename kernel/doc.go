// Package kernel implements a Jupyter kernel for Go sessions, with version 5.5 of the
// Jupyter messaging protocol.
//
//	c, err := kernel.ReadConnection("connection.json")
//	err = kernel.Run(ctx, kernel.Config{Connection: c})
//
// The package handles messages, not Go: package repl runs and completes cells and
// shows values. Cells have the packages of any session of package repl, and those of
// Config.Library. [Install] registers the kernel with Jupyter.
//
// A message takes the following path, one step per file: five sockets (socket.go)
// listen on the addresses of the connection file (connection.go). Each peer has its
// own queue (peer.go), behind a guard that rejects hostile frames (guard.go); other
// users of the machine are refused (owner_linux.go). Frames become messages whose
// signatures are verified (message.go). Requests of a shell wait in a queue (shell.go)
// while those of the control socket are answered at once (kernel.go). Cells run and show
// values (execute.go), print (output.go, capture_unix.go), read (stdin.go) and
// report their progress (progress.go). The other requests are answered by the
// session (ask.go) and the history (history.go). Controls are comms (comm.go) of models
// in the client (models.go); their functions run between cells, or beside one (interaction.go). The
// message of a kernel that dies is in lastwords.go.
//
// # Sockets
//
// Of the ZeroMQ library only the handshake and the framing are used. A peer is a
// connection with its own queue, so one that does not read delays nobody; the
// library's sockets find peers by the identity that they claim, and write to all of
// them under one lock. Memory is allocated for bytes that have arrived, not for
// announced ones. Output waits for a subscriber that reads at least 4 MB a second,
// and half a second for one that has stopped, which then loses output and gets a
// message that counts the loss; statuses and everything on the control socket are
// sent at once. Over TCP on Linux the kernel looks up the user of a connection
// (owner_linux.go), because iopub has no key. The kernel listens before it creates
// its session: ZeroMQ clients that find nobody listening retry only after 100 ms.
//
// # Subshells
//
// A subshell answers its requests beside the main shell: cells, completion, and the
// messages of widgets, which JupyterLab sends to one. Its cells run in the same session
// (repl.Beside), as if in a goroutine of the main shell's cell: they have its variables,
// and need a mutex or a channel where both use one at the same time. What a cell prints,
// shows, reads and reports belongs to its own request, in goroutines that it starts, too;
// what compiled code writes to file descriptors 1 and 2 belongs to the main shell's cell.
//
// An interrupt ends what runs in all shells. The request names none, a cell that nothing
// could end would cost the session, and the interpreter can only be stopped as a whole.
// For the same reason a cell that exhausts the stack or the memory, or whose goroutine
// calls os.Exit, interrupts those beside it; a panic and os.Exit in the cell itself do not.
//
// Requests of the main shell that only ask, such as those for completion, are answered
// beside a cell that takes longer than a moment: a page that is loaded again connects
// while a fit runs.
//
// # Output
//
// Cells print through writers of the kernel, compiled code into pipes in place of file
// descriptors 1 and 2. The pipes are drained before anything else is sent, which keeps
// one order.
//
// # A kernel that dies
//
// A dying kernel cannot inform its client. So it notes the running cell in a file next
// to the connection file, to which the Go runtime adds its last message; the next
// kernel with that connection file, which Jupyter starts, reports it. File descriptor 2
// remains the log, to which the runtime prints the error.
//
// # Without sockets
//
// A client in the same process passes messages in and out ([InProcess]), and the rest is
// the same. A page in a browser is one, where there are neither sockets nor processes, and
// so is package notebook, which runs notebooks without Jupyter.
//
// # Not supported
//
// There is no debugger: yaegi's steps through lowered code,
// not the cell's source, and searches the tree at each step; mapping both back would
// cost more than Show in a cell saves. Nor does yaegi report which statement a
// function had reached when a panic passed through it: a frame is identified by the
// line at which its body begins. kernel_info does not offer one, so no
// client asks for it.
package kernel
