package syntax

import "github.com/traefik/yaegi/interp"

// BaseName is the base name of the file of each cell: yaegi's own default.
const BaseName = interp.DefaultSourceName
