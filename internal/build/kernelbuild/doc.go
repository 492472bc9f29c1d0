// Package kernelbuild builds a symmom with third-party packages compiled in, for import
// in its kernel and sessions: symmom kernel build. xcaddy does the same for caddy.
//
// Build works in a temporary directory, which it removes. It copies the source of symmom
// there (embedded, or from a checkout), has the go command add the modules to go.mod
// and resolve versions, finds the packages of these modules that cells can import, and
// writes the data for sessions into package with: the tables of the interpreter, made by
// its own extractor; types, as export data; and source text, for the documentation and
// for generic code, which the tables lack. Then it builds the command.
package kernelbuild
