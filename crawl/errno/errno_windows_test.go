package errno

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/windows"
)

// The numbers are from Microsoft's list of system error codes.
func TestErrnoNumbers(t *testing.T) {
	t.Parallel()
	for number, is := range map[syscall.Errno]func(error) bool{
		39: DiskFull, 112: DiskFull, 1295: DiskFull, 5: ReadOnly, 19: ReadOnly, 32: HeldOpen, 33: HeldOpen, 1224: HeldOpen,
		17: OtherDisk, 123: NoName, 206: NoName, 4: TooManyFiles, 10024: TooManyFiles, 10048: AddressInUse,
		10061: Refused, 10053: Reset, 10054: Reset, 109: Gone, 232: Gone, 10058: Gone, 10060: TimedOut, 121: TimedOut,
	} {
		if !is(&fs.PathError{Op: "write", Path: "x", Err: number}) {
			t.Errorf("%d, %v, is not known", number, number)
		}
	}
}

// A file that another program has open, such as a spreadsheet, can be neither replaced nor
// removed.
func TestErrnoHeldOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name, next := filepath.Join(dir, "a.xlsx"), filepath.Join(dir, "next")
	for _, file := range []string{name, next} {
		if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h, err := windows.CreateFile(windows.StringToUTF16Ptr(name), windows.GENERIC_READ|windows.GENERIC_WRITE, windows.FILE_SHARE_READ, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer windows.CloseHandle(h)
	if err := os.Remove(name); !HeldOpen(err) {
		t.Errorf("removed: %v", err)
	}
	// Windows may report "access denied" if a new name replaces it.
	if err := os.Rename(next, name); !HeldOpen(err) && !os.IsPermission(err) {
		t.Errorf("replaced: %v", err)
	}
}
