package repl

// assistant says what could stand at a cursor, and what stands there. It asks
// what cells have declared, evaluates nothing and never waits for a cell that
// runs.
type assistant struct {
	library  *library
	ledger   *ledger
	commands commandHelp
	value    func(name string) string // what a variable shows of itself, "" where that is not known
}

// newAssistant makes one for a session in which nothing is declared.
func newAssistant(l *library, commands commandHelp, value func(name string) string) *assistant {
	return &assistant{l, newLedger(), commands, value}
}

// commandHelp is what an assistant knows of the commands of a session.
type commandHelp struct {
	Complete func(source string, cursor int) (Completions, bool)
	Inspect  func(name string) (Inspection, bool)
}
