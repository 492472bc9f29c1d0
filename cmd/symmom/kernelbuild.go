package main

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/cmd/symmom/internal/overwrite"
	"symmom/internal/build/kernelbuild"
	"symmom/kernel"
	"symmom/repl/with"
	"symmom/symmom"
)

const kernelBuildLong = `Build makes another symmom with third-party packages compiled in, which cells of
its kernel and its repl can import. It needs Go, and downloads the modules as go
get does (GOPROXY, GOPRIVATE and the like apply).

It includes all importable packages of a module except those that need C (cgo).
Generic functions and types run from source, like those that cells declare;
everything else is compiled. The selected versions are printed, and shown by
symmom version of the new binary.

The first build compiles all of symmom, which takes some minutes; later ones
use Go's build cache.`

func newKernelBuild(a *app) *cobra.Command {
	var modules []string
	o := kernelbuild.Options{Release: version(), Commit: commit, Date: date}
	cmd := &cobra.Command{
		Use:   "build --with MODULE[@VERSION]... [flags]",
		Short: "Make a symmom whose cells can import other packages",
		Long:  kernelBuildLong,
		Example: `  symmom kernel build --with github.com/samber/lo --with gonum.org/v1/plot
  ./symmom-kernel kernel install

  # given versions, and a name
  symmom kernel build --with gonum.org/v1/plot@v0.16.0 --output symmom-plot

  # a module of your own, from a directory
  symmom kernel build --with example.org/me/tools=../tools`,
		Args: noArguments,
	}
	o.Output = "symmom-kernel"
	if runtime.GOOS == "windows" {
		o.Output += ".exe"
	}
	flagGroup(cmd, "What to build", func(fs *pflag.FlagSet) {
		fs.StringArrayVar(&modules, "with", nil, "compile in `MODULE[@VERSION]` (default: its latest version), or MODULE=DIR; may be repeated")
		fs.VarP(overwrite.Writes(&o.Output), "output", "o", "write the binary to `FILE`")
		fs.StringVar(&o.Source, "source", "", "build from a checkout of symmom in `DIR`; default: the source in this binary")
	})
	require(cmd, "with")
	return a.command(cmd, func(*cobra.Command, []string) error {
		for _, text := range modules {
			r, err := kernelbuild.ParseRequest(text)
			if err != nil {
				return usagef("--with: %v", err)
			}
			o.With = append(o.With, r)
		}
		o.Notice = a.tell
		ctx, release := a.interruptible()
		defer release()
		built, err := kernelbuild.Build(ctx, o)
		if ctx.Err() != nil {
			return fmt.Errorf("%w: no kernel was built", symmom.ErrInterrupted)
		}
		if err != nil {
			return err
		}
		for _, left := range built.Left {
			a.tell(fmt.Sprintf("symmom: warning: package %s; it is left out", left))
		}
		program := built.Output
		if !strings.ContainsRune(program, os.PathSeparator) {
			program = "." + string(os.PathSeparator) + program
		}
		fmt.Fprintf(a.out, "built %s with\n", built.Output)
		for _, m := range built.Modules {
			fmt.Fprintf(a.out, "  %s %s\n", m.Path, m.Version)
		}
		_, err = fmt.Fprintf(a.out, "try: %s kernel install, or %[1]s repl\n", program)
		return err
	})
}

// compiledIn is a line for each module that was compiled in.
func compiledIn() string {
	var b strings.Builder
	for _, m := range with.Modules() {
		fmt.Fprintf(&b, "with %s %s\n", m.Path, m.Version)
	}
	return b.String()
}

// ownName gives the kernel of a binary with other packages a name of its own, so that
// it does not take the place of the one without.
func ownName(spec *kernel.Spec) error {
	if strings.Trim(spec.Name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != "" || spec.Name != "" && strings.Trim(spec.Name, ".") == "" { // dots alone are other folders
		return usagef("--name: got %q, want letters, digits, dots, underscores and dashes, as Jupyter does", spec.Name)
	}
	titles := with.Title(with.Modules())
	if len(titles) > 0 && !spec.Gophernotes {
		spec.Name = cmp.Or(spec.Name, strings.ToLower("symmom-"+strings.Join(titles, "-")))
		spec.DisplayName = cmp.Or(spec.DisplayName, "Go (symmom + "+strings.Join(titles, ", ")+")")
	}
	return nil
}
