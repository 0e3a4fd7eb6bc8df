package assist

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"robots-audit/engine/escape"
)

// InputError says that the input is not the Model Context Protocol, and what it is.
type InputError struct{ is string }

func (e *InputError) Error() string {
	return "the input is not the Model Context Protocol: " + e.is + ". An assistant must start this command. See robots-audit help mcp, or the guide assistants"
}

// input keeps the first line of what is read, for an InputError.
type input struct {
	io.Reader
	first []byte // of the first read only: later ones happen while others may use it
}

func (in *input) Read(p []byte) (int, error) {
	n, err := in.Reader.Read(p)
	if in.first == nil && n > 0 {
		line, _, _ := bytes.Cut(p[:n], []byte("\n"))
		in.first = bytes.Clone(line[:min(len(line), 2*maxFirst)])
	}
	return n, err
}

// maxFirst limits the bytes of the input that an InputError shows.
const maxFirst = 60

// wrong is the error for an error of reading after some messages. The SDK's words are about its own types. The end of
// the input and errors of the system stay as they are.
func (in *input) wrong(err error, messages int) error {
	switch {
	case err == io.EOF || errors.As(err, new(*os.PathError)):
		return err
	case messages > 0:
		return &InputError{fmt.Sprintf("message %d is something else, or has more than 16 MB", messages+1)}
	}
	return &InputError{"it begins with " + escape.Quoted(string(in.first), maxFirst)}
}
