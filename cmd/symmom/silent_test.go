package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"symmom/internal/test/slow"
)

// A store that says nothing, be it whether something can be written there or while it is,
// does not hold a command that is interrupted; what was found is printed.
func TestInterruptedBesideASilentStore(t *testing.T) {
	slow.Test(t)
	data := filepath.Join(t.TempDir(), "data.npy")
	if out, err := exec.Command("symmom", "generate", "uniform", "--n", "3", "--observations", "20", "--out", data).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, c := range []struct {
		silent  string // to which requests
		args    string
		out     string
		message string
	}{
		{"GET", "convert DATA s3://b/x.npy", "", "interrupted before there was a result"},
		{"GET", "generate uniform --n 3 --observations 20 --out s3://b/x.npy", "", "interrupted before there was a result"},
		{"PUT", "convert DATA s3://b/x.npy", "", "interrupted; s3://b/x.npy was not written"},
		{"PUT", "generate uniform --n 3 --observations 20 --out s3://b/x.npy", "", "interrupted before s3://b/x.npy was written"},
		{"PUT", "decompose DATA -d 3 -r 2 --save s3://b/x.json", "relative error", "interrupted before s3://b/x.json was written"},
		{"PUT", "decompose DATA -d 3 -r 2 --html s3://b/x.html", "relative error", "interrupted before s3://b/x.html was written"},
		{"PUT", "sweep DATA -d 3 --ranks 1..2 --save s3://b/x.json", "relative error", "interrupted before s3://b/x.json was written"},
		{"PUT", "ica DATA -k 2 --sources s3://b/x.npy", "kurtosis", "--sources: interrupted before s3://b/x.npy was written"},
		{"PUT", "mixture DATA -r 2 --predict s3://b/x.npy", "log-likelihood", "--predict: interrupted before s3://b/x.npy was written"},
	} {
		asked, ended := make(chan bool, 100), make(chan struct{})
		store := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == c.silent {
				asked <- true
				<-ended
				return
			}
			w.Header().Set("Content-Type", "application/xml")
			fmt.Fprint(w, `<ListBucketResult><Name>b</Name><KeyCount>0</KeyCount><IsTruncated>false</IsTruncated></ListBucketResult>`)
		}))
		cmd := exec.Command("symmom", strings.Fields(strings.ReplaceAll(c.args, "DATA", data))...)
		cmd.Env = append(os.Environ(), "AWS_ENDPOINT_URL="+store.URL, "AWS_ACCESS_KEY_ID=a", "AWS_SECRET_ACCESS_KEY=b", "AWS_REGION=us-east-1")
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-asked
		sent := time.Now()
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		end := time.AfterFunc(time.Minute/2, func() { cmd.Process.Kill() })
		_ = cmd.Wait() // the state says how it ended
		end.Stop()
		if took, code := time.Since(sent), cmd.ProcessState.ExitCode(); code != 130 || took > time.Minute/4 { // a second, on a machine that is not busy
			t.Errorf("%s: ended %v after the interrupt with exit code %d", c.args, took, code)
		}
		if !strings.Contains(out.String(), c.out) || !strings.HasSuffix(errs.String(), "symmom: "+c.message+"\n") {
			t.Errorf("%s: printed %q and %q, want %q", c.args, out.String(), errs.String(), c.message)
		}
		close(ended)
		store.Close()
	}
}
