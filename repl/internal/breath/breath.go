// Package breath lets the rest of a program run while a cell computes in a browser, where
// Go has one thread without preemption. There the page's messages, such as interrupts,
// wait until the program is idle, and timers and other goroutines wait until the running
// one yields. So lowered code and the context of a cell yield now and then to other
// goroutines, and some thirty times a second to the page. Deep recursion needs it, too:
// each time a goroutine yields, its part of the browser's small stack is released.
//
// On other systems it does nothing.
package breath
