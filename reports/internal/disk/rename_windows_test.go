package disk

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/windows"
)

// A spreadsheet program that has a workbook open lets others read it, but not write or replace it. It stays
// unchanged.
func TestRenameOpenWorkbook(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name, temp := filepath.Join(dir, "a.xlsx"), filepath.Join(dir, "temp")
	for file, text := range map[string]string{name: "old", temp: "new"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := windows.CreateFile(path, windows.GENERIC_READ|windows.GENERIC_WRITE, windows.FILE_SHARE_READ, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	err = Rename(temp, name)
	if held := new(HeldError); !errors.As(err, &held) || held.Name != name {
		t.Errorf("%v, want that %s is open elsewhere", err, name)
	}
	windows.CloseHandle(file)
	if text, err := os.ReadFile(name); err != nil || string(text) != "old" {
		t.Errorf("%q %v, want what was there", text, err)
	}
	if err := Rename(temp, name); err != nil {
		t.Errorf("when it is closed: %v", err)
	}
}
