// The kernel as a program for a browser, which a worker of the page runs: lite/README.md
// says how.
//
// The worker provides the object symmomHost with the function
//
//	send(channel, header, parent, metadata, content)
//
// whose arguments are strings, all but the first of them JSON, and is given the object
// symmomKernel with the functions receive(channel, header, content), interrupt() and
// print(stream, bytes).
package main

import (
	"context"
	"fmt"
	"os"
	"syscall/js"

	"symmom/kernel"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	host := js.Global().Get("symmomHost")
	k, err := kernel.NewBrowser(kernel.Config{Version: "in the browser"}, func(channel, header, parent, metadata, content string) {
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
	return k.Run(context.Background())
}
