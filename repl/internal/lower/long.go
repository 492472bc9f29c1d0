package lower

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
	"strings"

	"symmom/repl/internal/syntax"
)

// manyConstants is the number of constants from which on a literal is long: the interpreter
// takes some kilobytes and microseconds for each element.
const manyConstants = 200

// long lowers a literal of a slice of many constants to a text that the session reads when
// it runs:
//
//	[]int{1, 2, 3}   is   __repl.Listedint("1 2 3")
//
// It returns nil for other literals.
func (l *Lowering) long(x *ast.CompositeLit, t types.Type) ast.Expr {
	s, is := types.Unalias(t).(*types.Slice)
	if !is || len(x.Elts) < manyConstants {
		return nil
	}
	b, is := types.Unalias(s.Elem()).(*types.Basic)
	if !is || b.Info()&(types.IsInteger|types.IsFloat|types.IsString) == 0 {
		return nil
	}
	var text strings.Builder
	for _, e := range x.Elts {
		v := l.info.Types[e].Value // nil of a key and its value, too
		if v == nil {
			return nil
		}
		switch info := b.Info(); {
		case info&types.IsString != 0:
			s := constant.StringVal(v)
			text.WriteString(strconv.Itoa(len(s)))
			text.WriteByte(' ')
			text.WriteString(s)
		case info&types.IsInteger != 0:
			text.WriteString(constant.ToInt(v).ExactString())
			text.WriteByte(' ')
		default:
			f, _ := constant.Float64Val(constant.ToFloat(v))
			if b.Kind() == types.Float32 {
				g, _ := constant.Float32Val(constant.ToFloat(v))
				f = float64(g)
			}
			text.WriteString(strconv.FormatFloat(f, 'g', -1, 64))
			text.WriteByte(' ')
		}
	}
	p := syntax.At(x.Pos())
	return p.Support("Listed"+b.Name(), p.Quoted(text.String()))
}
