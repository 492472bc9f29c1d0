package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"symmom/internal/math/linalg"
)

// Set when a release is built: -ldflags "-X main.release=1.2.3 -X main.commit=..."
var release, commit, date string

func newVersion(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "version",
		Short:   "Print the version and build information",
		Example: "  symmom version",
		Args:    noArguments,
	}, func(*cobra.Command, []string) error {
		source := ""
		if commit != "" {
			source = fmt.Sprintf("commit %s of %s\n", commit, date)
		}
		_, err := fmt.Fprintf(a.out, "symmom %s\n%s%s%s %s/%s, kernels %s\n",
			version(), compiledIn(), source, runtime.Version(), runtime.GOOS, runtime.GOARCH, linalg.Kernels())
		return err
	})
}

// version returns the release, or what the build recorded about the source.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	v := "devel"
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			v += " " + s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			v += " with local changes"
		}
	}
	return v
}
