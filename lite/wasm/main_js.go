// The kernel as a program for a browser, run by a web worker of the page; see
// lite/README.md.
//
// The worker provides the object symmomHost with the function
//
//	send(channel, header, parent, metadata, content)
//
// whose arguments are strings, all but the first of them JSON, and is given the object
// symmomKernel with the functions receive(channel, header, content), interrupt() and
// print(stream, bytes). Then the program calls symmomHost.ready().
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall/js"

	"symmom/kernel"
	"symmom/lab"
	"symmom/repl"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// warm runs a first cell where nobody sees it, while the page is still being built: a
// browser compiles a function when it is first called, which makes a first cell slow.
func warm() {
	s, err := repl.New(repl.Config{Library: lab.Library(), Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard, Display: func(repl.Display) {}})
	if err != nil {
		return // the kernel's own session tells why
	}
	r, err := s.Eval(context.Background(), "datasets.Uniform(4, 100, 1).Moment(3).Decompose(2)")
	if err == nil {
		r.Quick()
	}
}

func run() error {
	warm()
	host := js.Global().Get("symmomHost")
	k, err := kernel.NewInProcess(kernel.Config{Library: lab.Library(), Version: "in the browser"}, func(channel, header, parent, metadata, content string) {
		host.Call("send", channel, header, parent, metadata, content)
	})
	if err != nil {
		return err
	}
	js.Global().Set("symmomKernel", map[string]any{
		"receive": js.FuncOf(func(_ js.Value, args []js.Value) any {
			k.Receive(args[0].String(), args[1].String(), args[2].String())
			return nil
		}),
		"interrupt": js.FuncOf(func(js.Value, []js.Value) any {
			k.Interrupt()
			return nil
		}),
		"print": js.FuncOf(func(_ js.Value, args []js.Value) any {
			text := make([]byte, args[1].Length())
			js.CopyBytesToGo(text, args[1])
			_, err := k.Print(args[0].String()).Write(text)
			return err == nil
		}),
	})
	host.Call("ready")
	return k.Run(context.Background())
}
