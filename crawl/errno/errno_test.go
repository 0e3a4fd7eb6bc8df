package errno

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Real errors of the system, as far as they can be caused.
func TestErrnoOfSystem(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, taken := net.Listen("tcp", l.Addr().String())
	broken := resetBy(t, l)
	for try := 1; broken == nil && runtime.GOOS == "windows" && try < 20; try++ {
		broken = resetBy(t, l) // Wine sometimes returns the end of the text instead
	}
	l.Close()
	_, nobody := net.Dial("tcp", l.Addr().String())
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, long := os.Stat(filepath.Join(filepath.Dir(name), strings.Repeat("x", 300)))
	for what, c := range map[string]struct {
		is  func(error) bool
		err error
	}{
		"an address that is taken":     {AddressInUse, taken},
		"a connection that is reset":   {Reset, broken},
		"an address without a server":  {Refused, nobody},
		"a name that is too long":      {func(err error) bool { return NoName(err) || errors.Is(err, fs.ErrNotExist) }, long}, // Wine returns the latter
		"the same in another error":    {Refused, fmt.Errorf("asked: %w", nobody)},
		"a folder that is not there":   {func(err error) bool { return !NoName(err) && !DiskFull(err) }, os.Remove(name + "2")},
		"an address, asked for a disk": {func(err error) bool { return err != nil && !DiskFull(err) && !OtherDisk(err) && !HeldOpen(err) }, taken},
	} {
		if !c.is(c.err) {
			t.Errorf("%s: %v (%#v)", what, c.err, c.err)
		}
	}
	for _, is := range all {
		if is(nil) || is(io.EOF) {
			t.Error("nothing, or the end of a file, is taken for an error of the system")
		}
	}
}

// resetBy returns the system's error for a connection whose other end was reset; nil = it just
// ended.
func resetBy(t *testing.T, l net.Listener) error {
	t.Helper()
	resets := make(chan error)
	go func() {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			resets <- err
			return
		}
		_, err = io.ReadAll(c)
		c.Close()
		resets <- err
	}()
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	c.(*net.TCPConn).SetLinger(0)
	c.Close()
	return <-resets
}

var all = []func(error) bool{DiskFull, ReadOnly, Protected, HeldOpen, OtherDisk, NoName, TooManyFiles, AddressInUse, Refused, Reset, Gone, TimedOut}
