package symmom_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/slow"
	"symmom/symmom"
)

// TestShardFormats writes the parts of a table in each format: read together they are
// the table, whole, some columns of it, as float32 and standardized.
func TestShardFormats(t *testing.T) {
	slow.Test(t)
	rng := rand.New(rand.NewPCG(8, 2))
	const p, n = 90, 300
	start, index, values, dense := drawCSR(rng, p, n, .02)
	cuts := []int{0, 20, 21, 90}
	for _, format := range []string{"csv", "tsv", "npy", "parquet", "feather", "arrow", "mtx"} {
		dir := t.TempDir()
		for k, to := range cuts[1:] {
			from, path := cuts[k], filepath.Join(dir, fmt.Sprintf("part%d.%s", k, format))
			if format != "mtx" {
				if err := symmom.FromMatrix(dense.Slice(from, to, 0, n)).Save(path); err != nil {
					t.Fatal(err)
				}
				continue
			}
			var b strings.Builder
			fmt.Fprintf(&b, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", to-from, n, start[to]-start[from])
			for l := from; l < to; l++ {
				for e := start[l]; e < start[l+1]; e++ {
					fmt.Fprintf(&b, "%d %d %v\n", l-from+1, index[e]+1, values[e])
				}
			}
			if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for _, o := range []symmom.LoadOptions{{}, {Columns: []string{"7", "3-5"}}, {Float32: true}} {
			got := symmom.Load(dir, o)
			if got.Err() != nil {
				t.Errorf("%s, %+v: %v", format, o, got.Err())
				continue
			}
			want := symmom.FromMatrix(dense)
			if o.Columns != nil {
				want = want.Select(o.Columns...)
			}
			if a, b := got.Matrix(), want.Matrix(); o.Float32 && !mat.EqualApprox(a, b, 1e-6) || !o.Float32 && !mat.Equal(a, b) {
				t.Errorf("%s, %+v: other values", format, o)
			}
			if s := got.Summary().Shards; len(s) != 3 || s[2].Rows != 69 || !strings.Contains(got.String(), "from 3 files") {
				t.Errorf("%s: %v %v", format, s, got)
			}
			if sparse := got.Density() < 1; sparse != (format == "mtx") {
				t.Errorf("%s, %+v: density %g", format, o, got.Density())
			}
		}
		stream := symmom.Stream(dir, symmom.LoadOptions{Columns: []string{"7", "3-5"}})
		// The sums of squares are added in other orders.
		a, err := stream.Moment(3).NormSquared()
		b, _ := symmom.FromMatrix(dense).Select("7", "3-5").Moment(3).NormSquared()
		if err != nil || !(math.Abs(a.Value-b.Value) <= 1e-13*b.Value) || len(stream.Summary().Shards) != 3 || stream.Fingerprint() != symmom.Load(dir, symmom.LoadOptions{Columns: []string{"7", "3-5"}}).Fingerprint() {
			t.Errorf("%s: streamed: %v, %v, want %v", format, err, a, b)
		}
		if z := symmom.Load(dir).Standardize(); !mat.EqualApprox(z.Matrix(), symmom.FromMatrix(dense).Standardize().Matrix(), 1e-12) {
			t.Errorf("%s: standardized differs", format)
		}
	}
}
