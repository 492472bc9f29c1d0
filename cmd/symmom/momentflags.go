package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/cmd/symmom/internal/flags"
	"symmom/symmom"
)

// momentFlags say which moment of a table is meant, besides its order.
type momentFlags struct {
	debias   flags.Sigma
	debiased bool // --debias is given
	whiten   int
	cumulant bool
	distinct bool
}

func (m *momentFlags) defineKind(fs *pflag.FlagSet) {
	fs.Var(&m.debias, "debias", "remove spherical noise from the moment; its sigma is estimated unless given, as in --debias=0.3")
	fs.Lookup("debias").NoOptDefVal = flags.Estimated
	fs.Var(flags.Whole(&m.whiten, 1), "whiten", "reduce the data to that many leading coordinates, uncorrelated and of variance 1; factors are in these")
	fs.BoolVar(&m.cumulant, "cumulant", false, "the cumulant of order 3, 4 or 5, about the mean, instead of the moment")
}

// defineDistinct adds --distinct, for the commands that have it.
func (m *momentFlags) defineDistinct(fs *pflag.FlagSet) {
	fs.BoolVar(&m.distinct, "distinct", false, "only the moment's entries whose indices all differ: no noise that is independent between variables is in them, whatever it is in each group")
}

// check takes over what was given, and checks the flags with each other and with the
// table's.
func (m *momentFlags) check(cmd *cobra.Command, d *dataFlags) error {
	m.debiased = cmd.Flags().Changed("debias")
	return refuse(
		contradiction{d.load.Spark != "" && m.whiten > 0, "--spark", "--whiten", "the coordinates of all rows are kept in memory"},
		contradiction{d.load.Spark != "" && m.cumulant, "--spark", "--cumulant", "data that stay on a cluster are not centered: center the file first, and the third cumulant is its moment"},
		contradiction{m.cumulant && m.debiased, "--cumulant", "--debias", ""},
		contradiction{m.distinct && m.debiased, "--distinct", "--debias", "there is no noise to remove from entries of distinct indices"},
		contradiction{m.distinct && m.cumulant, "--distinct", "--cumulant", "the third cumulant is the moment with --center"},
		contradiction{m.distinct && m.whiten > 0, "--distinct", "--whiten", "whitening mixes the variables, and with them the noise of each"},
	)
}

// moment returns the moment of a table, and the table in the coordinates that it is in.
func (m *momentFlags) moment(s *symmom.Session, order int) (*symmom.Session, *symmom.Moment) {
	if m.whiten > 0 {
		s = s.Whiten(m.whiten)
	}
	of := s.Moment(order)
	if m.cumulant {
		of = s.Cumulant(order)
	}
	if m.debiased {
		of = of.Debias(symmom.Noise{Sigma: m.debias.Value})
	}
	if m.distinct {
		of = of.Distinct()
	}
	return s, of
}
