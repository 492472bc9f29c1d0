package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strconv"
	"strings"

	"symmom/repl/internal/syntax"
)

// literal lowers a constant.
func (l *Lowering) literal(p syntax.At, v constant.Value, t types.Type) ast.Expr {
	b, ok := t.Underlying().(*types.Basic)
	if !ok { // a type parameter or an interface
		b = types.Default(untyped(v)).(*types.Basic)
		t = b
	}
	if b.Info()&types.IsUntyped != 0 {
		t = types.Default(t)
		b, _ = t.Underlying().(*types.Basic)
	}
	convert := func(x ast.Expr) ast.Expr { return p.Call(l.ParenType(p, t), x) }
	plain := types.Unalias(t) == types.Type(b)
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		x := ast.Expr(p.ID(strconv.FormatBool(constant.BoolVal(v))))
		if !plain {
			x = convert(x)
		}
		return x
	case info&types.IsString != 0:
		x := ast.Expr(p.Quoted(constant.StringVal(v)))
		if !plain {
			x = convert(x)
		}
		return x
	case info&types.IsInteger != 0:
		text := constant.ToInt(v).ExactString()
		x := number(p, text, token.INT)
		if !plain || b.Kind() != types.Int {
			x = convert(x)
		}
		return x
	case info&types.IsFloat != 0:
		x := floatLiteral(p, v)
		if !plain || b.Kind() != types.Float64 {
			x = convert(x)
		}
		return x
	case info&types.IsComplex != 0:
		v = constant.ToComplex(v)
		x := ast.Expr(p.Call(p.ID("complex"), floatLiteral(p, constant.Real(v)), floatLiteral(p, constant.Imag(v))))
		if !plain || b.Kind() != types.Complex128 {
			x = convert(x)
		}
		return x
	}
	l.Fail(p, "the session cannot write the constant %v", v)
	return p.Int(0)
}

func untyped(v constant.Value) types.Type {
	switch v.Kind() {
	case constant.Bool:
		return types.Typ[types.UntypedBool]
	case constant.String:
		return types.Typ[types.UntypedString]
	case constant.Int:
		return types.Typ[types.UntypedInt]
	case constant.Float:
		return types.Typ[types.UntypedFloat]
	}
	return types.Typ[types.UntypedComplex]
}

func floatLiteral(p syntax.At, v constant.Value) ast.Expr {
	f, _ := constant.Float64Val(constant.ToFloat(v))
	if math.IsInf(f, 0) {
		f = math.Copysign(math.MaxFloat64, f)
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return number(p, text, token.FLOAT)
}

func number(p syntax.At, text string, kind token.Token) ast.Expr {
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		return p.Paren(p.Unary(token.SUB, &ast.BasicLit{ValuePos: token.Pos(p), Kind: kind, Value: rest}))
	}
	return &ast.BasicLit{ValuePos: token.Pos(p), Kind: kind, Value: text}
}
