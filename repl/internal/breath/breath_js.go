package breath

import (
	"context"
	"runtime"
	"syscall/js"
	"time"
)

// Needed reports whether code has to take breaths.
const Needed = true

// every is the time between two breaths in which the page's messages are received.
// One takes a fraction of a millisecond.
const every = 30 * time.Millisecond

var (
	last    = time.Now()
	waiting []chan struct{} // goroutines that wait for the page
	post    func()          // makes the page call woken after the messages that wait
)

// Take gives way to other goroutines, and to the page if it has waited long enough.
func Take() {
	runtime.Gosched()
	giveWay()
}

// giveWay lets the page deliver its messages if it has waited long enough.
func giveWay() {
	if time.Since(last) < every {
		return
	}
	if post == nil {
		open()
	}
	c := make(chan struct{})
	waiting = append(waiting, c)
	if len(waiting) == 1 {
		post()
	}
	<-c
}

// open prepares post. A message that the program sends to itself comes after those
// that wait already, and at once, while timers of a page wait for 4 ms and more.
func open() {
	woken := js.FuncOf(func(js.Value, []js.Value) any {
		last = time.Now()
		for _, c := range waiting {
			close(c)
		}
		waiting = nil
		return nil
	})
	if soon := js.Global().Get("setImmediate"); soon.Type() == js.TypeFunction { // Node
		post = func() { soon.Invoke(woken) }
		return
	}
	channel := js.Global().Get("MessageChannel").New()
	channel.Get("port1").Set("onmessage", woken)
	to := channel.Get("port2")
	post = func() { to.Call("postMessage", 0) }
}

// Context returns ctx with breaths: who asks whether it was cancelled takes one.
func Context(ctx context.Context) context.Context { return breathing{ctx} }

type breathing struct{ context.Context }

func (c breathing) Err() error {
	giveWay()
	return c.Context.Err()
}
