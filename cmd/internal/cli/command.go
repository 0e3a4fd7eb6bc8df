package cli

import "io"

// Exit codes. They are a promise to scripts.
const (
	ExitDone     = 0
	ExitFindings = 1
	ExitUsage    = 2
	ExitUnknown  = 3
	ExitFailed   = 4
	ExitSignal   = 130
)

// Streams are the command's standard streams, so that tests can stand in for them.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Command is one of the program's commands.
type Command struct {
	Name    string
	Group   string // under which help lists it; "" = help only names it
	Shown   string // in the list in place of the name
	Summary string
	Run     func(args []string, std Streams) (code int)
	Operand Operand // what its arguments are, for completion
}

// Operand says what the arguments of a command are, apart from flags.
type Operand int

// The kinds of arguments.
const (
	None Operand = iota // or arguments that cannot be listed
	File
	Folder
	CommandName
	ShellName
)
