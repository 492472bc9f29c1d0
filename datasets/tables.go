package datasets

import (
	"bytes"
	"embed"
	"fmt"

	"symmom/symmom"
)

// data/README.md has the sources and the licences.
//
//go:embed data/iris.csv data/wine.csv
var tables embed.FS

// Iris returns the lengths and widths, in cm, of the sepals and petals of 150 irises, 50
// of each of three species, which are the labels (Fisher 1936; UCI Machine Learning
// Repository, CC BY 4.0).
func Iris() *symmom.Session { return table("iris", "species") }

// Wine returns 13 chemical measurements of 178 wines of three cultivars, which are the
// labels: 59 of Barolo, 71 of Grignolino and 48 of Barbera (Aeberhard and Forina 1991;
// UCI Machine Learning Repository, CC BY 4.0). The units differ: standardize first.
func Wine() *symmom.Session { return table("wine", "cultivar") }

// CSV returns the file that Iris or Wine reads, given "iris" or "wine".
func CSV(name string) ([]byte, error) {
	file, err := tables.ReadFile("data/" + name + ".csv")
	if err != nil {
		return nil, fmt.Errorf("datasets: no table %q, want iris or wine", name)
	}
	return file, nil
}

func table(name, labels string) *symmom.Session {
	file, err := CSV(name)
	if err != nil {
		return symmom.Failed(err)
	}
	return symmom.Read(named{bytes.NewReader(file), name}, "csv", symmom.LoadOptions{Labels: labels})
}
