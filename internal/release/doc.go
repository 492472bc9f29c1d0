// Package release lists the modules linked into the binary, with their licences for
// NOTICE, and the software bill of materials (SBOM) of an archive.
//
// Releases are built by goreleaser v2.16.0 (2026), the newest version whose modules can
// all be built with the Go version in go.mod; it is run, not imported. NOTICE is
// committed, and a test compares it with the linked modules. SBOMs come from the build
// information of the binaries and have neither times nor random numbers, unlike those of
// the usual tools. The module path has no host; package publish rewrites it in a copy
// and regenerates the session's tables.
package release
