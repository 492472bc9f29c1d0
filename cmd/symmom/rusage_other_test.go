//go:build !linux

package main

import "os"

// maxRSS returns 0: the system does not report it here.
func maxRSS(*os.ProcessState) int64 { return 0 }
