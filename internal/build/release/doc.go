// Command release lists the modules linked into the binary, with their licences for
// NOTICE, and writes the software bill of materials (SBOM) of an archive.
//
//	release notice                                writes NOTICE
//	release sbom BINARY FILE                      a bill of materials, as CycloneDX
//	release source                                the archive that binaries hold, for package kernelbuild
//	release publish -module example.org/o/symmom  a copy of the module under a path that go get
//	                                              can fetch, and a module proxy to try it with
//
// Releases are built by goreleaser v2.16.0 (2026), the newest version whose modules can
// all be built with the Go version in go.mod; it is run, not imported. NOTICE is
// committed, and a test compares it with the linked modules. SBOMs come from the build
// information of the binaries and have neither times nor random numbers, unlike those of
// the usual tools. The module path has no host; publish rewrites it in a copy
// and regenerates the session's tables.
package main
