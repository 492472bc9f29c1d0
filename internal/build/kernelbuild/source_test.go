package kernelbuild

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"

	"symmom/internal/test/slow"
)

// ARCHITECTURE.md says how large the archive is.
func TestSizeOfTheArchive(t *testing.T) {
	slow.Test(t)
	root := "../../.."
	zip, err := PackSource(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(root + "/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	stated := regexp.MustCompile(`archive of\s+([\d.]+) MB`).FindSubmatch(text)
	if stated == nil {
		t.Fatal("it does not")
	}
	mb, err := strconv.ParseFloat(string(stated[1]), 64)
	if got := float64(len(zip)) / 1e6; err != nil || !(math.Abs(got-mb) <= .075) { // half of the last digit, and half as much for changes until it is written again
		t.Errorf("ARCHITECTURE.md says %s MB, and it has %.2f", stated[1], got)
	}
}
