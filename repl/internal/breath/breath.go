// Package breath lets the rest of a program run while a cell computes, where Go has
// one thread and does not preempt what runs on it: in a browser. There the page's
// messages, an interrupt among them, wait until the program is idle, and timers and
// other goroutines wait until the running one gives way. So lowered code and the
// context of a cell take a breath now and then: they give way to other goroutines, and
// some thirty times a second to the page. Deep recursion needs it, too: each time a
// goroutine gives way, its part of the browser's small stack is released.
//
// Elsewhere nothing is needed and nothing happens.
package breath
