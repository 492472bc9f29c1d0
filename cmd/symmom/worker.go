package main

import (
	"github.com/spf13/cobra"

	"symmom/spark"
)

const workerLong = `Worker makes passes over parts of a table for a remote fit: it reads lines from
standard input, each a message and the number of a part, and answers each with
one line. Spark starts it on its executors, as the script of a query (--spark of
other commands), and to add up the answers; it is not for interactive use.

It uses one processor, and the credentials for stores of its machine.`

func newWorker(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "worker",
		Short:   "Make passes over parts of a table (started by a cluster)",
		Long:    workerLong,
		Example: "  # it ends with its input\n  symmom worker </dev/null",
		Args:    noArguments,
	}
	return a.command(cmd, func(*cobra.Command, []string) error {
		ctx, release := a.interruptible()
		defer release()
		return spark.Serve(ctx)
	})
}
