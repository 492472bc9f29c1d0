package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// syncMethods are the methods of package sync that wait for another goroutine, which
// an interrupt could not end within compiled code, and methods that end the process,
// some if misused or if they are to make too much.
var syncMethods = map[string]string{
	"(*sync.Mutex).Lock":      "Lock",
	"(*sync.RWMutex).Lock":    "Lock",
	"(*sync.RWMutex).RLock":   "RLock",
	"(*sync.WaitGroup).Wait":  "Wait",
	"(*sync.Cond).Wait":       "CondWait",
	"(*sync.Mutex).Unlock":    "Unlock",
	"(*sync.RWMutex).Unlock":  "UnlockWrite",
	"(*sync.RWMutex).RUnlock": "UnlockRead",
	"(*sync.WaitGroup).Go":    "WaitGroupGo", // a panic must not end the process
	"(sync.Locker).Unlock":    "UnlockLocker",
	"(*testing.B).Run":        "BenchmarkRun",
	"(*log.Logger).Fatal":     "LogFatal",
	"(*log.Logger).Fatalf":    "LogFatalf",
	"(*log.Logger).Fatalln":   "LogFatalln",
	"(*flag.FlagSet).Init":    "FlagInit",

	// These are called for each line or byte, see support/streams.go.
	"(*bufio.Scanner).Scan":        "ScannerScan",
	"(*bufio.Reader).ReadByte":     "ReaderReadByte",
	"(*bufio.Reader).ReadString":   "ReaderReadString",
	"(*bufio.Reader).ReadBytes":    "ReaderReadBytes",
	"(*bufio.Reader).Read":         "ReaderRead",
	"(*bufio.Writer).Flush":        "WriterFlush",
	"(*bufio.Writer).WriteByte":    "WriterWriteByte",
	"(*bufio.Writer).WriteRune":    "WriterWriteRune",
	"(*bufio.Writer).WriteString":  "WriterWriteString",
	"(*bufio.Writer).Write":        "WriterWrite",
	"(*encoding/csv.Reader).Read":  "CSVRead",
	"(*encoding/csv.Writer).Write": "CSVWrite",
	"(*os.File).Read":              "FileRead",
	"(*os.File).Write":             "FileWrite",
	"(*os.File).WriteString":       "FileWriteString",
	"(net.Conn).Read":              "ConnRead",
	"(net.Conn).Write":             "ConnWrite",

	// These may allocate much more than they are given, see support/sizes.go.
	"(*gonum.org/v1/gonum/mat.Dense).Mul":          "DenseMul",
	"(*gonum.org/v1/gonum/mat.Dense).Outer":        "DenseOuter",
	"(*gonum.org/v1/gonum/mat.Dense).Kronecker":    "DenseKronecker",
	"(*gonum.org/v1/gonum/mat.Dense).Grow":         "DenseGrow",
	"(*gonum.org/v1/gonum/mat.Dense).Product":      "DenseProduct",
	"(*gonum.org/v1/gonum/mat.Dense).Solve":        "DenseSolve",
	"(*gonum.org/v1/gonum/mat.SymDense).SymOuterK": "SymOuterK",
	"(*gonum.org/v1/gonum/mat.SVD).Factorize":      "SVDFactorize",
	"(*gonum.org/v1/gonum/mat.QR).QTo":             "QRQTo",
	"(*gonum.org/v1/gonum/mat.LQ).QTo":             "LQQTo",
	"(*math/big.Int).Lsh":                          "BigLsh",
	"(*math/big.Int).SetBit":                       "BigSetBit",
	"(*math/big.Int).Exp":                          "BigExp",
	"(*bytes.Buffer).Grow":                         "BufferGrow",
	"(*strings.Builder).Grow":                      "BuilderGrow",
}

// mayEnd reports whether a method of an interface of a cell may be one of those in
// syncMethods that end the process: of a logger, a mutex or a set of flags.
func mayEnd(f *types.Func) bool {
	sig := f.Signature()
	if sig.Recv() == nil || !types.IsInterface(sig.Recv().Type()) || !gofront.Interpreted(f) || sig.Results().Len() > 0 {
		return false
	}
	switch f.Name() {
	case "Unlock", "RUnlock":
		return sig.Params().Len() == 0
	case "Init":
		return sig.Params().Len() == 2 && types.TypeString(sig.Params().At(1).Type(), nil) == "flag.ErrorHandling"
	case "Fatal", "Fatalf", "Fatalln":
		return sig.Variadic() && repr.IsEmpty(sig.Params().At(sig.Params().Len()-1).Type().(*types.Slice).Elem())
	}
	return false
}

// synchronized lowers a call of a method in syncMethods; otherwise it returns nil.
func (l *Lowering) synchronized(x *ast.CallExpr) ast.Expr {
	fun, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	sel := l.info.Selections[fun]
	if sel == nil || sel.Kind() != types.MethodVal {
		return nil
	}
	f, ok := sel.Obj().(*types.Func)
	if !ok || syncMethods[f.FullName()] == "" || len(sel.Index()) > 1 && f.Name() == "Go" {
		return nil
	}
	p := syntax.At(x.Pos())
	// The receiver is x or a field embedded in x.
	recv, t := l.expr(fun.X), l.info.TypeOf(fun.X)
	index := sel.Index()
	for _, i := range index[:len(index)-1] {
		field := repr.StructOf(t).Field(i)
		if !gofront.InterpretedField(t, field) {
			return nil
		}
		recv, t = p.Sel(recv, l.FieldName(t, field)), field.Type()
	}
	if _, pointer := t.Underlying().(*types.Pointer); !pointer && !types.IsInterface(t) {
		recv = p.Unary(token.AND, recv)
	}
	args := l.arguments(x)
	out := p.Support(syncMethods[f.FullName()], append([]ast.Expr{recv}, args...)...)
	out.Ellipsis = x.Ellipsis
	return out
}
