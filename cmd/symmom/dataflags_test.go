package main

import (
	"testing"

	"symmom/symmom"
)

// A command may load a table again, as info does to drop rows with missing values: the flags
// that were right are so again.
func TestFlagsAreCheckedAgain(t *testing.T) {
	d := dataFlags{load: symmom.LoadOptions{Spark: "sc://localhost:1"}}
	for _, missing := range []string{"error", "drop"} {
		if d.load.Missing = missing; d.checkData() != nil || d.stream || !d.stays() {
			t.Errorf("--missing %s: %v", missing, d.checkData())
		}
	}
	if d.load.Missing = "mean"; d.checkData() == nil {
		t.Error("--spark with --missing mean was not refused")
	}
}
