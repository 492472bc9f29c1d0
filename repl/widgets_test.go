package repl_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"symmom/repl"
	"testing"
)

func TestTmp(t *testing.T) {
	s, err := repl.New(repl.Config{})
	if err != nil {
		t.Fatal(err)
	}
	src, _ := os.ReadFile("/tmp/w1.go")
	for _, l := range strings.Split(string(src), "\n") {
		r, err := s.Eval(context.Background(), l)
		fmt.Println("> ", l)
		fmt.Println(r.String())
		if err != nil {
			if e, ok := err.(*repl.Error); ok {
				fmt.Println(e.Report())
			} else {
				fmt.Println(err)
			}
		}
	}
}
