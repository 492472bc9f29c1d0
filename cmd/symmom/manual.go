package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// newManual prints all help as one manual page. It is hidden: packages ship the
// page, and --help has the same content.
func newManual(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "manual",
		Short:   "Print the manual page, for man(1)",
		Example: "  symmom manual > symmom.1",
		Args:    noArguments,
		Hidden:  true,
	}, func(cmd *cobra.Command, _ []string) error {
		var b bytes.Buffer
		writeManual(&b, cmd.Root())
		_, err := b.WriteTo(a.out)
		return printing(err)
	})
}

func writeManual(w io.Writer, root *cobra.Command) {
	fmt.Fprintf(w, ".TH SYMMOM 1 \"\" \"symmom %s\" \"User Commands\"\n", roff(version()))
	fmt.Fprintf(w, ".SH NAME\nsymmom \\- %s\n", roff(strings.ToLower(root.Short[:1])+root.Short[1:]))
	fmt.Fprintf(w, ".SH SYNOPSIS\n.B symmom\n.I COMMAND\n[flags]\n")
	fmt.Fprintf(w, ".SH DESCRIPTION\n%s\n", roff(root.Long))
	for _, c := range root.Commands() {
		manualOf(w, c)
	}
	exit := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rootExit), "Exit codes:"))
	fmt.Fprintf(w, ".SH EXIT STATUS\n%s\n", roff(exit))
}

// manualOf writes the help of a command and of its subcommands, unchanged.
func manualOf(w io.Writer, c *cobra.Command) {
	if !c.IsAvailableCommand() {
		return
	}
	c.InitDefaultHelpFlag()
	var help bytes.Buffer
	writeHelp(&help, c, 0)
	fmt.Fprintf(w, ".SH %s\n.nf\n%s\n.fi\n", strings.ToUpper(roff(c.CommandPath())), roff(strings.TrimRight(help.String(), "\n")))
	for _, below := range c.Commands() {
		manualOf(w, below)
	}
}

// roff escapes characters that are special to the formatter.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
