package terminal

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// edit opens the person's editor with a text, and returns what it leaves.
func (s *session) edit(ctx context.Context, text string) (string, error) {
	editor := strings.Fields(cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi"))
	if len(editor) == 0 {
		return "", fmt.Errorf("EDITOR names no program")
	}
	dir, err := os.MkdirTemp("", "cell")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "cell.go")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, editor[0], append(editor[1:], name)...)
	cmd.Cancel = func() error { return nil } // Ctrl-C is for the editor
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.stdin, s.screen, s.beside
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(editor, " "), err)
	}
	edited, err := os.ReadFile(name)
	return string(edited), err
}
