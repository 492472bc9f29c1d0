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

	"symmom/charts/internal/assets"
)

func TestEmbeddedScriptIsTheRelease(t *testing.T) {
	sum := sha256.Sum256([]byte(assets.ECharts))
	if got := hex.EncodeToString(sum[:]); got != assets.SHA256 {
		t.Errorf("sha256 of echarts.min.js is %s, want %s", got, assets.SHA256)
	}
	if !strings.Contains(assets.ECharts, `version="`+assets.Version+`"`) {
		t.Errorf("echarts.min.js does not say that it is version %s", assets.Version)
	}
	readme, err := os.ReadFile("internal/assets/echarts/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{assets.Version, assets.SHA256} {
		if !strings.Contains(string(readme), want) {
			t.Errorf("internal/assets/echarts/README.md does not name %s", want)
		}
	}
	for _, name := range []string{"internal/assets/echarts/LICENSE", "internal/assets/echarts/NOTICE", "internal/assets/echarts/licenses/LICENSE-d3"} {
		if b, err := os.ReadFile(name); err != nil || len(b) == 0 {
			t.Errorf("%s must stand beside the script: %v", name, err)
		}
	}
}

// A script that contains </script or <!-- would end or change its element.
func TestScriptsFitIntoAPage(t *testing.T) {
	for name, s := range map[string]string{"internal/assets/echarts": assets.ECharts, "draw": assets.Draw, "unpack": assets.Unpack} {
		for _, bad := range []string{"</script", "<!--", "<script"} {
			if strings.Contains(strings.ToLower(s), bad) {
				t.Errorf("%s contains %s", name, bad)
			}
		}
	}
}

func TestPackedScript(t *testing.T) {
	raw, err := base64.StdEncoding.DecodeString(assets.Packed())
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(z)
	if err != nil || string(got) != assets.ECharts {
		t.Errorf("the packed script is not the script: %d of %d bytes, %v", len(got), len(assets.ECharts), err)
	}
}

func TestEveryColourHasOneForDarkPages(t *testing.T) {
	for _, c := range append([]string{grey, inkColor, pageColor, faintColor}, palette...) {
		if !strings.Contains(assets.Draw, `"`+c+`":`) {
			t.Errorf("page/draw.js has no dark counterpart of %s", c)
		}
	}
}
