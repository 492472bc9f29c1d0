package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"symmom/internal/test/slow"
)

// TestNotice: every module that is linked in on some platform has its licence
// in NOTICE, and nothing else is there.
func TestNotice(t *testing.T) {
	slow.Test(t)
	modules, err := Linked("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(modules) < 20 {
		t.Fatalf("only %d modules: this test looks at nothing", len(modules))
	}
	notice, err := os.ReadFile("../../../NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules {
		if !bytes.Contains(notice, []byte("\n"+m.Path+" "+m.Version+": ")) {
			t.Errorf("NOTICE lacks %s %s; go generate ./internal/build/release", m.Path, m.Version)
		}
	}
	want, err := Notice("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(notice, want) {
		t.Error("NOTICE is not current; go generate ./internal/build/release")
	}
}

// TestSBOM looks at the list of this test's own binary.
func TestSBOM(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := SBOM(self)
	if err != nil {
		t.Fatal(err)
	}
	var b bom
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	if b.Format != "CycloneDX" || len(b.Components) == 0 || !strings.HasPrefix(b.Components[0].PURL, "pkg:golang/stdlib@1.") {
		t.Errorf("%s", text)
	}
	if again, err := SBOM(self); err != nil || !bytes.Equal(text, again) {
		t.Errorf("two lists of one binary differ: %v", err)
	}
	if _, err := SBOM("release.go"); err == nil {
		t.Error("a list of what is no binary")
	}
}
