package cli

import (
	"io"

	"robots-audit/cmd/internal/shell"
)

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
	Name, Summary string
	Run           func(args []string, std Streams) (code int)
	Operand       shell.Operand // what its arguments are, for completion
}
