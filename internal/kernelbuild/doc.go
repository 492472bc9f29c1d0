// Package kernelbuild builds a symmom with packages of other people compiled in, whose
// kernel and sessions can then import them: symmom kernel build. xcaddy does the same
// for caddy.
//
// Build works in a temporary directory, which it removes. It puts the source of symmom
// there (package sourcecode, or a checkout), has the go command add the modules to its
// go.mod, and so resolve versions, finds the packages of these modules that cells can
// import, and writes what sessions need of them into package with: the tables of the
// interpreter, made by its own extractor; types, as export data; and source text, for
// the documentation and because the tables have nothing generic. Then it builds the
// command.
package kernelbuild
