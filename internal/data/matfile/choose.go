package matfile

import (
	"fmt"
	"strings"

	"symmom/internal/text/words"
)

// ChoiceError says that there are several matrices, of which a name has to choose.
type ChoiceError struct{ Matrices []string }

func (e *ChoiceError) Error() string {
	return fmt.Sprintf("has %d matrices, choose one: %s", len(e.Matrices), listed(e.Matrices))
}

// listed joins what a message can carry.
func listed(parts []string) string {
	const most = 8
	if more := len(parts) - most; more > 0 {
		return strings.Join(parts[:most], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(parts, ", ")
}

// Choose finds the variable of a name, or the only matrix of numbers if the name is
// empty, beside others then. It refuses what is no matrix of numbers, and says what to
// do in MATLAB.
func (f *File) Choose(name string) (v *Variable, others []string, err error) {
	var found, named []*Variable
	var matrices, all []string
	for _, v := range f.Variables {
		all = append(all, v.String())
		if v.Numeric() {
			found, matrices = append(found, v), append(matrices, v.String())
		} else {
			others = append(others, v.String())
		}
		if v.Name == name {
			named = append(named, v)
		}
	}
	switch {
	case len(f.Variables) == 0:
		return nil, nil, fail("holds no variable; want a matrix, observations x variables")
	case len(named) == 1:
		return named[0], nil, named[0].usable()
	case name != "":
		return nil, nil, fail("has %s of the name %s; its variables are %s", words.Plural(len(named), "variable"), words.Quote(name), listed(all))
	case len(f.Variables) == 1:
		return f.Variables[0], nil, f.Variables[0].usable()
	case len(found) == 0:
		return nil, nil, fail("has no matrix of real numbers; its variables are %s", listed(all))
	case len(found) > 1:
		return nil, nil, &ChoiceError{matrices}
	}
	return found[0], others, nil
}

// usable refuses variables that are not real matrices.
func (v *Variable) usable() error {
	how := "save a matrix of numbers, observations x variables"
	switch {
	case v.Numeric():
		return nil
	case v.Complex:
		how = "save [real(X) imag(X)], or one of the two"
	case v.Class == "cell":
		how = "save cell2mat(X)"
	case v.Class == "struct":
		how = "save one of its fields, or struct2array(X)"
	case v.Class == "object":
		how = "of a table save table2array(X)"
	case len(v.Dims) > 2:
		how = "save reshape(X, size(X, 1), [])"
	}
	return fail("%s is not a real matrix; %s", v, how)
}
