package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"symmom/internal/data/describe"
	"symmom/internal/data/formats"
	"symmom/internal/data/load"
	"symmom/internal/estimate/modelfile"
)

var dataExtensions = append(formats.Extensions(), "txt", "db", "sqlite", "gz")

// modelExtensions are those of files that hold a model, modelNames says them in help.
var (
	modelExtensions = append([]string{".json"}, modelfile.Extensions()...)
	modelNames      = ".json, or " + strings.Join(modelfile.Extensions(), ", ")
)

// completeWords offers the words of a flag that is one of a few.
func completeWords(cmd *cobra.Command, flag string, words ...string) {
	complete(cmd, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// completeList offers those words of a flag for several that the list does not have yet.
func completeList(cmd *cobra.Command, flag string, words ...string) {
	complete(cmd, flag, func(_ *cobra.Command, _ []string, typed string) (out []cobra.Completion, _ cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		for _, w := range words {
			if !slices.Contains(strings.Split(before, ","), w) {
				out = append(out, before+w)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	})
}

// completeColumns offers the names of the columns of the table that was given, unless it takes
// long to read; of a flag for several, those that the list does not have yet.
func completeColumns(cmd *cobra.Command, flag string, several bool) {
	complete(cmd, flag, func(_ *cobra.Command, args []string, typed string) (out []cobra.Completion, _ cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		before := ""
		if several {
			before = typed[:strings.LastIndex(typed, ",")+1]
		}
		ctx, stop := context.WithTimeout(context.Background(), completing)
		defer stop()
		names, _ := describe.Names(ctx, args[0], load.Options{})
		for _, name := range names {
			if whole := before + name; strings.HasPrefix(whole, typed) && !slices.Contains(strings.Split(before, ","), name) {
				out = append(out, whole)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	})
}

// completing is how long a person waits for names after a Tab.
const completing = 500 * time.Millisecond

// completeFiles offers files with one of the extensions.
func completeFiles(cmd *cobra.Command, flag string, extensions ...string) {
	var bare []string
	for _, ext := range extensions {
		bare = append(bare, strings.TrimPrefix(ext, "."))
	}
	complete(cmd, flag, cobra.FixedCompletions(bare, cobra.ShellCompDirectiveFilterFileExt))
}

func complete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	// It fails only for a flag that is not there: a mistake in this package,
	// that every test of the command line meets.
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}

// completeData offers tables for the one argument.
var completeData = completeTables(1)

// completeTables offers tables for so many arguments.
func completeTables(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return dataExtensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

// completeInit offers the words of --init and the model files.
func completeInit(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var out []string
		for _, w := range words {
			if strings.HasPrefix(w, typed) {
				out = append(out, w)
			}
		}
		for _, ext := range modelExtensions {
			models, err := filepath.Glob(typed + "*" + ext)
			if err == nil { // else what was typed reads as a bad pattern
				out = append(out, models...)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}
