//go:build source

package sourcecode

import _ "embed"

//go:embed zz_source.zip
var archive []byte
