// Package source embeds the source of the public packages, so that sessions can
// show their documentation and code.
package source

import "embed"

// Files are symmom/*.go, datasets/*.go, charts/*.go, widgets/*.go and paper/*.go without
// the tests: of the names that end in "t.go", those that end in "st.go", and of those
// the ones in "est.go" are left out, as far as a pattern has something to match.
//
//go:embed symmom/*[^t].go symmom/*[^s]t.go
//go:embed datasets/*[^t].go
//go:embed charts/*[^t].go charts/*[^s]t.go charts/*[^e]st.go
//go:embed widgets/*[^t].go widgets/*[^s]t.go
//go:embed paper/*[^t].go paper/*[^s]t.go paper/*[^e]st.go
var Files embed.FS
