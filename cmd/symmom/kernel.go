package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/kernel"
	"symmom/lab"
	"symmom/repl/terminal"
)

const kernelLong = `Kernel makes symmom a Jupyter kernel: notebooks, consoles and programs that run
notebooks then have a Go session in which symmom, datasets, charts, widgets,
gonum's mat, fmt and math are available without an import.`

func newKernel(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "kernel",
		Short:   "Work in Jupyter: install, build, uninstall or run the kernel",
		Long:    kernelLong,
		Example: "  symmom kernel install\n  jupyter lab",
	}
	cmd.AddCommand(newKernelInstall(a), newKernelBuild(a), newKernelUninstall(a), newKernelRun(a))
	parent(cmd)
	return cmd
}

// placeFlags are the flags that select the kernel and its place.
func placeFlags(fs *pflag.FlagSet, p *kernel.Place, s *kernel.Spec, user *bool) {
	fs.BoolVar(&s.Gophernotes, "gophernotes", false, "another kernel: gophernotes with symmom inside, which notebooks/gophernotes/build.sh builds")
	fs.StringVar(&s.Name, "name", "", "`NAME` of the kernel in Jupyter (default: symmom and the compiled packages)")
	fs.BoolVar(user, "user", false, "in your own directory (the default)")
	fs.BoolVar(&p.SysPrefix, "sys-prefix", false, "in the active Python environment")
	fs.StringVar(&p.Prefix, "prefix", "", "below `DIR`, in share/jupyter/kernels")
}

func newKernelInstall(a *app) *cobra.Command {
	var place kernel.Place
	var spec kernel.Spec
	var user bool
	var transport string
	transports := []string{"tcp", "ipc"}
	cmd := &cobra.Command{
		Use:   "install [flags]",
		Short: "Make the kernel known to Jupyter",
		Long: `Install writes a kernelspec that starts this binary, by its absolute path: if
the binary moves, install it again. The Jupyter of a virtual environment prefers
its own kernel to yours of the same name, others prefer yours; there is a
warning if another kernel takes precedence.

By default Jupyter talks to kernels over TCP. On Linux the kernel then refuses
other users of the machine; elsewhere any of them can read the output of cells.
--transport ipc makes JupyterLab and the notebook use sockets in a directory of
your own, for all their kernels, by an entry in Jupyter's jupyter_config.json in
the same place. Kernels that only support TCP, such as gophernotes, do not start
there then; --transport tcp reverts it.`,
		Example: "  symmom kernel install\n\n  # in the environment that jupyter runs in\n  symmom kernel install --sys-prefix\n\n  # over sockets of your own, not TCP\n  symmom kernel install --transport ipc",
		Args:    noArguments,
	}
	flagGroup(cmd, "Where", func(fs *pflag.FlagSet) { placeFlags(fs, &place, &spec, &user) })
	flagGroup(cmd, "The session", func(fs *pflag.FlagSet) {
		fs.BoolVar(&spec.Unrestricted, "unrestricted", false, "cells can import os/exec, net/http/cgi, syscall and unsafe, and change the environment of the process")
		fs.StringVar(&spec.DisplayName, "display-name", "", "the `TEXT` that Jupyter shows for the kernel")
		fs.Var(flags.Choice(&transport, transports), "transport", "how JupyterLab talks to all its kernels: tcp or ipc; default: as configured")
		fs.BoolVar(&spec.AnyUser, "any-user", false, "accept other users of this machine, for a client that runs as one")
	})
	completeWords(cmd, "transport", transports...)
	cmd.MarkFlagsMutuallyExclusive("user", "sys-prefix", "prefix")
	cmd.MarkFlagsMutuallyExclusive("gophernotes", "unrestricted")
	cmd.MarkFlagsMutuallyExclusive("gophernotes", "transport")
	cmd.MarkFlagsMutuallyExclusive("gophernotes", "any-user")
	cmd.MarkFlagsMutuallyExclusive("gophernotes", "name")
	cmd.MarkFlagsMutuallyExclusive("gophernotes", "display-name")
	return a.command(cmd, func(*cobra.Command, []string) error {
		err := ownName(&spec)
		if err != nil {
			return err
		}
		if spec.Program, err = kernelProgram(spec.Gophernotes); err != nil {
			return err
		}
		dir, err := kernel.Install(place, spec)
		if err != nil {
			return err
		}
		configured := ""
		if transport != "" {
			file, err := kernel.SetTransport(place, transport)
			if err != nil {
				return err
			}
			configured = fmt.Sprintf("JupyterLab talks to all its kernels over %s from now on: %s\n", transport, file)
		}
		if other, remedy := kernel.Instead(place, spec); other != "" {
			a.tell(fmt.Sprintf("symmom: warning: Jupyter starts the kernel in %s instead of this one: %s", other, remedy))
		}
		return a.write(fmt.Sprintf("installed in %s\n%stry: jupyter lab, or jupyter console --kernel %s\n", dir, configured, filepath.Base(dir)))
	})
}

// kernelProgram finds the binary that Jupyter will start: this one, or the
// gophernotes next to it. A gophernotes elsewhere would not contain symmom.
func kernelProgram(gophernotes bool) (string, error) {
	program, err := os.Executable()
	if err == nil {
		program, err = filepath.EvalSymlinks(program)
	}
	if err != nil {
		return "", fmt.Errorf("kernel: where this binary is cannot be found out: %w", err)
	}
	if gophernotes {
		program = filepath.Join(filepath.Dir(program), "gophernotes")
		if info, err := os.Stat(program); err != nil || info.IsDir() {
			return "", fmt.Errorf("kernel: there is no %s; build it with notebooks/gophernotes/build.sh in symmom's source", program)
		}
	}
	return program, nil
}

func newKernelUninstall(a *app) *cobra.Command {
	var place kernel.Place
	var spec kernel.Spec
	var user bool
	cmd := &cobra.Command{
		Use:     "uninstall [flags]",
		Short:   "Remove the kernel from Jupyter",
		Example: "  symmom kernel uninstall",
		Args:    noArguments,
	}
	flagGroup(cmd, "Where", func(fs *pflag.FlagSet) { placeFlags(fs, &place, &spec, &user) })
	cmd.MarkFlagsMutuallyExclusive("user", "sys-prefix", "prefix")
	cmd.MarkFlagsMutuallyExclusive("gophernotes", "name")
	return a.command(cmd, func(*cobra.Command, []string) error {
		if err := ownName(&spec); err != nil {
			return err
		}
		dir, err := kernel.Uninstall(place, spec)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(a.out, "removed %s\n", dir)
		return err
	})
}

func newKernelRun(a *app) *cobra.Command {
	var file string
	config := kernel.Config{Version: version(), History: terminal.StateFile("kernel-history"), OwnProcess: true}
	cmd := &cobra.Command{
		Use:   "run -f CONNECTION.json [flags]",
		Short: "Run the kernel (called by Jupyter)",
		Long: `Run listens at the addresses in a connection file and serves a session until
shutdown. SIGINT interrupts the running cell.`,
		Example: "  symmom kernel run -f connection.json",
		Args:    noArguments,
	}
	flagGroup(cmd, "The kernel", func(fs *pflag.FlagSet) {
		fs.VarP(overwrite.Reads(&file), "connection-file", "f", "`FILE` with the addresses to listen on, and the key")
		fs.BoolVar(&config.Unrestricted, "unrestricted", false, "cells can import os/exec, net/http/cgi, syscall and unsafe, and change the environment of the process")
		fs.BoolVar(&config.AnyUser, "any-user", false, "let other users of this machine connect")
	})
	require(cmd, "connection-file")
	return a.command(cmd, func(*cobra.Command, []string) error {
		var err error
		if config.Connection, err = kernel.ReadConnection(file); err != nil {
			return err
		}
		config.File, config.Library = file, lab.Library()
		return kernel.Run(context.Background(), config)
	})
}
