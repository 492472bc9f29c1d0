package charts

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"os"
	"strings"
	"testing"
)

func TestEmbeddedScriptIsTheRelease(t *testing.T) {
	sum := sha256.Sum256([]byte(echartsScript))
	if got := hex.EncodeToString(sum[:]); got != echartsSHA256 {
		t.Errorf("sha256 of echarts.min.js is %s, want %s", got, echartsSHA256)
	}
	if !strings.Contains(echartsScript, `version="`+echartsVersion+`"`) {
		t.Errorf("echarts.min.js does not say that it is version %s", echartsVersion)
	}
	readme, err := os.ReadFile("echarts/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{echartsVersion, echartsSHA256} {
		if !strings.Contains(string(readme), want) {
			t.Errorf("echarts/README.md does not name %s", want)
		}
	}
	for _, name := range []string{"echarts/LICENSE", "echarts/NOTICE", "echarts/licenses/LICENSE-d3"} {
		if b, err := os.ReadFile(name); err != nil || len(b) == 0 {
			t.Errorf("%s must stand beside the script: %v", name, err)
		}
	}
}

// A script that holds </script or <!-- would end or change its element.
func TestScriptsFitIntoAPage(t *testing.T) {
	for name, s := range map[string]string{"echarts": echartsScript, "draw": drawScript, "unpack": unpackScript} {
		for _, bad := range []string{"</script", "<!--", "<script"} {
			if strings.Contains(strings.ToLower(s), bad) {
				t.Errorf("%s contains %s", name, bad)
			}
		}
	}
}

func TestPackedScript(t *testing.T) {
	raw, err := base64.StdEncoding.DecodeString(packedScript())
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(z)
	if err != nil || string(got) != echartsScript {
		t.Errorf("the packed script is not the script: %d of %d bytes, %v", len(got), len(echartsScript), err)
	}
}

func TestEveryColourHasOneForDarkPages(t *testing.T) {
	for _, c := range append([]string{grey, inkColor, pageColor, faintColor}, palette...) {
		if !strings.Contains(drawScript, `"`+c+`":`) {
			t.Errorf("page/draw.js has no dark counterpart of %s", c)
		}
	}
}
