// Package spark makes LoadOptions.Spark available: the executors of an Apache Spark
// cluster make the passes over a table too large for one machine. Import it for its
// side effect:
//
//	import _ "symmom/spark"
//
// The command symmom includes it. Your own program must act as the worker, too, or name
// one: it is sent to the executors and started there as "symmom worker", so call Worker
// first in main, or set LoadOptions.SparkWorker to the path of the command symmom on the
// executors. See docs/howto/spark.md.
package spark

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"symmom/internal/cluster/passes"
)

// Worker does a worker's work and ends the program if it was started as "NAME worker",
// as Spark starts it on an executor; otherwise it returns at once.
func Worker() {
	if len(os.Args) != 2 || os.Args[1] != "worker" {
		return
	}
	if err := Serve(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// workerMemory is the memory limit of a worker's garbage collector: executors
// give scripts no share of their own memory.
const workerMemory = 512 << 20

// Serve answers the lines of standard input, each a pass over one split, on one
// processor, which is what a task of Spark has.
func Serve(ctx context.Context) error {
	runtime.GOMAXPROCS(1)
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(workerMemory)
	}
	return passes.Serve(ctx, os.Stdin, os.Stdout, 1)
}

// Close ends the sessions of this program on all clusters. Otherwise Spark ends them,
// an hour after they were last used.
func Close() { passes.Disconnect() }
