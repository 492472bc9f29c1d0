//go:build e2e

package symmom

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestAgreementIsScikitLearns has scikit-learn write its data sets with the names of
// their classes, some left out, and compares adjusted_rand_score.
func TestAgreementIsScikitLearns(t *testing.T) {
	python := os.Getenv("SYMMOM_PYTHON")
	if python == "" {
		t.Fatal("SYMMOM_PYTHON is not set: give it the path of a Python that has scikit-learn")
	}
	dir := t.TempDir()
	script := func(code string, args ...string) []byte {
		t.Helper()
		cmd := exec.Command(python, append([]string{"-c", code, dir}, args...)...)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	script(`
import sys, numpy as np
from sklearn import datasets
for name in ["iris", "wine", "breast_cancer"]:
    d = getattr(datasets, "load_" + name)(as_frame=True)
    t = d.data.copy()
    t.insert(1, "kind", np.asarray(d.target_names)[d.target])
    t.loc[t.index % 17 == 3, "kind"] = None
    t.to_csv(f"{sys.argv[1]}/{name}.csv", index=False)
    t.to_parquet(f"{sys.argv[1]}/{name}.parquet", index=False)
`)
	for name, r := range map[string]int{"iris": 3, "wine": 3, "breast_cancer": 2} {
		for _, kind := range []string{".csv", ".parquet"} {
			s := Load(filepath.Join(dir, name+kind), LoadOptions{Labels: "kind"}).Standardize()
			f := s.Mixture(r, MixtureOptions{Covariance: CovarianceTied})
			a := f.Agreement(s)
			if a.Err() != nil {
				t.Fatal(a.Err())
			}
			found, err := f.Predict(s)
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(found)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "found.json"), data, 0o600); err != nil {
				t.Fatal(err)
			}
			var want float64
			out := script(`
import sys, json, pandas
from sklearn.metrics import adjusted_rand_score
t = pandas.read_csv(f"{sys.argv[1]}/{sys.argv[2]}.csv")
t["found"] = json.load(open(f"{sys.argv[1]}/found.json"))
t = t[t["kind"].notna()]
print(adjusted_rand_score(t["kind"], t["found"]))
`, name)
			if err := json.Unmarshal(out, &want); err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(a.AdjustedRand-want) <= 1e-14) { // both count pairs exactly
				t.Errorf("%s%s: %v, scikit-learn has %v", name, kind, a.AdjustedRand, want)
			}
			if want < .5 {
				t.Errorf("%s: an index of %v tells little", name, want)
			}
		}
	}
}
