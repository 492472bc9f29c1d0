package texts

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"symmom/internal/data/load"
)

// lists are the stop words of languages, one on a line, from Snowball.
//
//go:embed stop/*.txt
var lists embed.FS

// Languages are those with a list of stop words.
func Languages() (all []string) {
	files, _ := fs.Glob(lists, "stop/*.txt")
	for _, f := range files {
		all = append(all, strings.TrimSuffix(path.Base(f), ".txt"))
	}
	return all
}

// Stop returns the stop words that a list of languages and files of words names: "english",
// "german,french,own.txt".
func Stop(ctx context.Context, list string) (all []string, err error) {
	for _, name := range strings.Split(list, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if lower := strings.ToLower(name); slices.Contains(Languages(), lower) {
			text, _ := lists.ReadFile("stop/" + lower + ".txt")
			all = append(all, strings.Fields(string(text))...)
			continue
		}
		words, err := load.LoadNames(ctx, name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("stop words %w: want a file of them, or a language: %s", err, strings.Join(Languages(), ", "))
		}
		if err != nil {
			return nil, err
		}
		all = append(all, words...)
	}
	return all, nil
}

// StopFiles returns the names in a list that are not those of languages.
func StopFiles(list string) (all []string) {
	for _, name := range strings.Split(list, ",") {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(Languages(), strings.ToLower(name)) {
			all = append(all, name)
		}
	}
	return all
}

// stopSet returns the words of a list as they are found in texts: don't is don.
func stopSet(list []string) map[string]bool {
	if list == nil {
		return nil
	}
	set, t := map[string]bool{}, tokenizer{numbers: true}
	for _, w := range list {
		t.each(w, func() bool { return true }, func(word []byte) { set[string(word)] = true })
	}
	return set
}
