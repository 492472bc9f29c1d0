#!/bin/sh
# coverage.sh PROFILE MIN: fails when the statement coverage of symmom or of
# internal/ is below MIN percent.
set -eu
for part in symmom/symmom symmom/internal; do
	# Each test binary has its own line for a block: one that ran it is enough.
	awk -v part="$part/" -v min="$2" '
		index($1, part) == 1 { size[$1] = $2; if ($3 > 0) ran[$1] = 1 }
		END {
			for (block in size) { n += size[block]; if (block in ran) hit += size[block] }
			if (n == 0) { print "coverage: no statements of " part; exit 1 }
			printf "coverage of %-17s %.1f%% of %d statements (at least %d%%)\n", part, 100 * hit / n, n, min
			exit 100 * hit / n < min
		}' "$1"
done
