package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// The parts of CycloneDX 1.5 that are written: https://cyclonedx.org/docs/1.5/json/
type bom struct {
	Format     string      `json:"bomFormat"`
	Version    string      `json:"specVersion"`
	Number     int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component  component  `json:"component"`
	Properties []property `json:"properties"`
}

type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	PURL    string `json:"purl,omitempty"`
	Hashes  []sum  `json:"hashes,omitempty"`
}

type sum struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// SBOM returns the parts that a binary of Go was built from, as CycloneDX. There
// is no time and no random number in it: the same binary has the same list.
func SBOM(binary string) ([]byte, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(data)
	b := bom{Format: "CycloneDX", Version: "1.5", Number: 1, Components: []component{{
		Type: "platform", Ref: "go", Name: "stdlib", Version: strings.TrimPrefix(info.GoVersion, "go"),
		PURL: "pkg:golang/stdlib@" + strings.TrimPrefix(info.GoVersion, "go"),
	}}}
	b.Metadata.Component = component{Type: "application", Ref: "symmom", Name: info.Main.Path,
		Hashes: []sum{{"SHA-256", hex.EncodeToString(digest[:])}}}
	b.Metadata.Properties = []property{{"file", strings.TrimSuffix(filepath.Base(binary), ".exe")}}
	for _, s := range info.Settings {
		if s.Key == "GOOS" || s.Key == "GOARCH" || s.Key == "CGO_ENABLED" {
			b.Metadata.Properties = append(b.Metadata.Properties, property{"go:" + s.Key, s.Value})
		}
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		purl := "pkg:golang/" + strings.ToLower(m.Path) + "@" + strings.ReplaceAll(m.Version, "+", "%2B")
		c := component{Type: "library", Ref: purl, Name: m.Path, Version: m.Version, PURL: purl}
		if h, ok := strings.CutPrefix(m.Sum, "h1:"); ok { // a SHA-256 over the module's files
			if raw, err := base64.StdEncoding.DecodeString(h); err == nil {
				c.Hashes = []sum{{"SHA-256", hex.EncodeToString(raw)}}
			}
		}
		b.Components = append(b.Components, c)
	}
	text, err := json.MarshalIndent(b, "", " ")
	return append(text, '\n'), err
}
