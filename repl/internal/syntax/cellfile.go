package syntax

import "github.com/traefik/yaegi/interp"

// BaseName is the base name of every cell's file: yaegi's own default.
const BaseName = interp.DefaultSourceName
