// Package extracted makes the interpreter's tables of packages, with its own extractor.
package extracted

import (
	"bytes"
	"errors"
	"go/format"
	"go/types"
	"regexp"
	"strconv"
	_ "unsafe" // for go:linkname

	"github.com/traefik/yaegi/extract"
)

// Table returns the source of a function with the given name that returns the table of
// a package: what it exports, except what is generic and the names that exclude
// matches. Other than Extract it takes types that are known already, which saves
// checking the package and all that it imports once more.
func Table(pkg *types.Package, name string, exclude []string, dest string) ([]byte, error) {
	code, err := genContent(&extract.Extractor{Dest: dest, Exclude: exclude}, pkg.Path(), pkg)
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(code, []byte(pkg.Name()+".")) { // untyped constants alone, which are literals in the table
		code = bytes.Replace(code, []byte(strconv.Quote(pkg.Path())), []byte("_ "+strconv.Quote(pkg.Path())), 1)
	}
	return AsFunction(code, name)
}

//go:linkname genContent github.com/traefik/yaegi/extract.(*Extractor).genContent
func genContent(e *extract.Extractor, importPath string, p *types.Package) ([]byte, error)

var (
	initFunc = regexp.MustCompile(`func init\(\) \{\n\tSymbols\["[^"]*"\] = `)
	goBuild  = regexp.MustCompile(`(?m)^//(go:build| \+build).*\n`)
)

// AsFunction turns the init function that the extractor writes into one that is called
// when a session begins, so that other commands do not pay for it, and removes the
// build constraint, which the extractor adds when it takes a path without a dot for
// one of the standard library.
func AsFunction(code []byte, name string) ([]byte, error) {
	if len(initFunc.FindAll(code, -1)) != 1 {
		return nil, errors.New("the extractor's output has another form than expected")
	}
	code = goBuild.ReplaceAll(code, nil)
	code = initFunc.ReplaceAll(code, []byte("func "+name+"() map[string]reflect.Value {\n\treturn "))
	return format.Source(code)
}
