package datasets

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"strconv"
	"strings"

	"symmom/symmom"
)

// data/README.md has the source and the licence, data/godocs.go writes it.
//
//go:embed data/godocs.gz
var goDocs []byte

// GoDocs returns real documents: how often each word is in the doc comments of a package of Go's standard
// library, which is the label. Words are those of three packages or more, up to three in ten of
// them, without the stop words of English, as Texts of package symmom counts them.
func GoDocs() *symmom.Session {
	z, err := gzip.NewReader(bytes.NewReader(goDocs))
	if err != nil {
		return symmom.Failed(err)
	}
	file, err := io.ReadAll(z)
	if err != nil {
		return symmom.Failed(err)
	}
	lines := strings.Split(strings.TrimSpace(string(file)), "\n")
	words := strings.Fields(lines[0])
	var packages, texts []string
	for _, line := range lines[1:] {
		fields := strings.Fields(line)
		var text strings.Builder
		at := -1
		for _, f := range fields[1:] {
			step, times, several := strings.Cut(f, ":")
			n, count := whole(step), 1
			if several {
				count = whole(times)
			}
			at += n
			text.WriteString(strings.Repeat(words[at]+" ", count))
		}
		packages, texts = append(packages, fields[0]), append(texts, text.String())
	}
	return symmom.Texts("Go documentation", symmom.TextOptions{Documents: texts, Vocabulary: words}).WithLabels("package", packages)
}

// whole reads a number of a file that is part of the program.
func whole(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic("datasets: embedded data: " + err.Error()) // the build is broken
	}
	return n
}
