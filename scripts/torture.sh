#!/bin/sh
# Attacks symmom for a given time: damaged files, files that announce much, kills, interrupts, a kernel under hostile
# messages, connections, interrupts and cells, and all fuzz targets. What was
# tried and what survived is in the report; the corpus of the fuzz targets stays
# in Go's cache, so that the next run goes on from it.
#
#	scripts/torture.sh 8h torture.txt
set -u
cd "$(dirname "$0")/.."
time=${1:?usage: scripts/torture.sh TIME REPORT, such as 30m torture.txt}
report=$PWD/${2:?usage: scripts/torture.sh TIME REPORT}

case $time in
*h) seconds=$((${time%h} * 3600)) ;;
*m) seconds=$((${time%m} * 60)) ;;
*s) seconds=${time%s} ;;
*)
	echo "torture: the time is $time, want hours, minutes or seconds: 8h, 30m, 90s" >&2
	exit 2
	;;
esac

failed=0
# attack SHARE COMMAND...: runs a command with SHARE percent of the time.
attack() {
	share=$1
	shift
	SYMMOM_TORTURE_FOR=$((seconds * share / 100))s SYMMOM_TORTURE_REPORT=$report "$@" || {
		echo "FAILED: $*" >>"$report"
		failed=1
	}
}

echo "torture for $time, $(date -u '+%Y-%m-%d %H:%M') UTC, $(git describe --always --dirty 2>/dev/null || echo no revision)" >"$report"
attack 15 go test ./cmd/symmom -count=1 -timeout 0 -run '^TestTortureFiles$'
attack 5 go test ./cmd/symmom -count=1 -timeout 0 -run '^TestFilesTakeWhatTheyJustify$'
attack 10 go test ./cmd/symmom -count=1 -timeout 0 -run '^TestTortureKills$'
attack 5 go test ./cmd/symmom -count=1 -timeout 0 -run '^TestTortureInterrupts$'
attack 30 go test ./kernel -count=1 -timeout 0 -run '^TestTortureKernel$'
attack 1 go test ./kernel -count=1 -timeout 0 -v -run '^TestSilentSubscribers$' >torture.log 2>&1
grep -E '150 MB|interrupt was answered' torture.log >>"$report"

targets=$(grep -rhE --include='*_test.go' --exclude-dir='.?*' '^func Fuzz' . | wc -l)
each=$((seconds * 33 / 100 / targets))
if ! scripts/fuzz.sh "${each}s" >torture.log 2>&1; then
	failed=1
	grep -E -A 20 '^ *--- FAIL|^Failing input' torture.log >>"$report"
fi
# The last count of each target.
awk '/^fuzz Fuzz/ { name = $2 }
	/^fuzz: elapsed: .* execs: / { match($0, /execs: [0-9]+/); n[name] = substr($0, RSTART + 7, RLENGTH - 7); if (!(name in seen)) { seen[name] = 1; order[++k] = name } }
	END { for (i = 1; i <= k; i++) { print order[i] ": " n[order[i]] " inputs"; sum += n[order[i]] } print "inputs fuzzed: " sum }' torture.log >>"$report"
rm -f torture.log
if [ $failed = 0 ]; then
	echo "all survived" >>"$report"
else
	echo "NOT all survived: see above" >>"$report"
fi
cat "$report"
exit $failed
