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

// commandHelp is what an assistant knows of the commands of a session.
type commandHelp struct {
	complete func(source string, cursor int) (Completions, bool)
	inspect  func(name string) (Inspection, bool)
}
