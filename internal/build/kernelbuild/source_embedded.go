//go:build source

package kernelbuild

import _ "embed"

//go:embed zz_source.zip
var embedded []byte
