package cli

import "io"

// Exit codes. Scripts rely on them.
const (
	ExitDone     = 0
	ExitFindings = 1
	ExitUsage    = 2
	ExitUnknown  = 3
	ExitFailed   = 4
	ExitSignal   = 130
)

// Streams are the command's standard streams. Tests replace them.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Command is one of the program's commands.
type Command struct {
	Name    string
	Group   string // under which help lists it; "" = help only names it
	Shown   string // name in the list, if different
	Summary string
	Run     func(args []string, std Streams) (code int)
	Operand Operand // type of its arguments, for completion
}

// Operand is the type of a command's arguments that are not flags.
type Operand int

// The kinds of arguments.
const (
	None Operand = iota // none, or arguments that cannot be listed
	File
	Folder
	CommandName
	ShellName
)
