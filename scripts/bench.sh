#!/bin/sh
# Writes pages of measurements into bench, one into paper, each on a quiet machine:
#
#	peers       against NumPy and SciPy, in turns: the page of this processor in bench/results,
#	            and the targets of all pages, RESULTS.md; 20 minutes
#	pace        the automatic choice of form and solver beside all others, on random tables,
#	            PACE.md; five minutes
#	kernel      the Jupyter kernel and ipykernel, in turns, KERNEL.md; two minutes
#	estimates   how often the standard errors of estimated ||X||^2 hold, ESTIMATES.md; 20
#	            minutes
#	fits        random tables in random files, their fits checked from file to number, FITS.md;
#	            searches of small tables beside many starts, SMALL.md; an hour
#	tables      how tables of text, as people's programs write them, are read, TABLES.md, and by
#	            pandas with the options of each dialect; a minute
#	advice      what warnings and errors advise, followed, ADVICE.md; three minutes
#	ranks       how often suggested ranks are right, RANKS.md; three hours
#	mixtures    Gaussian mixtures beside scikit-learn, MIXTURES.md, and with more starts,
#	            LADDER.md; an hour, most of it scikit-learn's
#	topics      topic models beside scikit-learn, gensim and tomotopy, TOPICS.md; the peers are
#	            those of bench/topics.txt; a night, nearly all of it the peers'
#	literature  methods of others on their own experiments, paper/LITERATURE.md; MEITD too, if
#	            SYMMOM_MEITD names the directory of its program, whose version the page gives;
#	            40 minutes
set -eu
cd "$(dirname "$0")/.."
[ $# != 0 ] || {
	sed -n 's/^#//p' "$0" | sed 1d
	exit 2
}
export SYMMOM_PYTHON="$PWD/.venv/bin/python"

for page; do
	case $page in
	peers)
		scripts/setup.sh
		go run ./bench
		;;
	pace)
		go run ./bench/fits -pace -last 120
		;;
	kernel)
		scripts/setup.sh
		make build
		.venv/bin/python bench/kernel.py bin/symmom --write
		;;
	estimates)
		go run ./bench/estimates
		;;
	fits)
		go run ./bench/fits
		go run ./bench/fits -small
		;;
	tables)
		scripts/setup.sh
		go run ./bench/tables
		rm -rf build/tables
		mkdir -p build/tables
		go run ./bench/tables -files build/tables
		.venv/bin/python bench/tables/peer.py build/tables
		;;
	advice)
		go run ./bench/advice
		;;
	ranks)
		go run ./bench/ranks -only '^[^s]'
		go run ./bench/ranks -seeds 40 -only '^small'
		;;
	mixtures)
		scripts/setup.sh
		go run ./bench gmm
		go run ./bench ladder
		;;
	topics)
		scripts/setup.sh
		.venv/bin/python -m pip install --quiet --disable-pip-version-check -r bench/topics.txt
		go run ./bench topics
		;;
	literature)
		scripts/setup.sh
		# MEITD imports them.
		[ -z "${SYMMOM_MEITD-}" ] ||
			.venv/bin/python -m pip install --quiet --disable-pip-version-check qpsolvers==4.13.0 quadprog==0.1.14
		go run ./bench literature
		;;
	*)
		echo "bench: there is no page $page" >&2
		exit 2
		;;
	esac
done
