// Command symmom decomposes the higher-order moments of tables of data from
// the command line: symmetric low-rank decomposition of the d-th moment of p
// observations of n variables, without forming the tensor.
//
//	symmom demo                                  see it work on real data
//	symmom decompose DATA --order 3 --rank 5     the main call
//	symmom help                                  all commands, with examples
//
// Each command has a file of its own. They read flags and print; the work is
// done by package symmom/symmom.
//
// Exit codes: 0; 1 for an error (one line on stderr); 2 for wrong usage; 130
// when interrupted (SIGINT), 143 when terminated (SIGTERM) and 129 when hung up
// (SIGHUP), after printing and saving the best fit found until then. A second
// signal ends the process at once.
package main

import (
	"os"

	"symmom/spark"
)

func main() {
	code := run(os.Args[1:], os.Stdout, os.Stderr)
	spark.Close()
	os.Exit(code)
}
