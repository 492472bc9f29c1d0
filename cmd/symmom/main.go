// Command symmom decomposes the higher-order moments of tables of data from
// the command line: symmetric low-rank decomposition of the d-th moment of p
// observations of n variables, without forming the tensor.
//
//	symmom demo                                  see it work on real data
//	symmom decompose DATA --order 3 --rank 5     the main call
//	symmom help                                  all commands, with examples
//
// Each command has its own file. They parse flags and print; package
// symmom/symmom does the work.
//
// Exit codes: 0; 1 for an error (one line on stderr); 2 for wrong usage; 130
// after SIGINT, 143 after SIGTERM and 129 after SIGHUP, once the best fit so far
// is printed and saved. A second signal ends the process at once.
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
