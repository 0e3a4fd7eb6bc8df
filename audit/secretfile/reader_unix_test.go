//go:build unix

package secretfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A group may read a file that root owns. Any other access for others makes a file open.
func TestReadModes(t *testing.T) {
	const alone, ofRoot, never = "owner alone", "root's", "never"
	modes := map[os.FileMode]string{
		0o600: alone, 0o400: alone, 0o700: alone,
		0o640: ofRoot, 0o440: ofRoot,
		0o644: never, 0o604: never, 0o444: never, 0o620: never, 0o660: never, 0o450: never, 0o602: never, 0o442: never,
	}
	owners := []int{os.Geteuid()}
	if os.Geteuid() == 0 {
		owners = append(owners, 65534)
	}
	name := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(name, []byte("word\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, owner := range owners {
		for mode, who := range modes {
			if err := os.Chown(name, owner, -1); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(name, mode); err != nil {
				t.Fatal(err)
			}
			text, err := Read(name)
			if who == alone || who == ofRoot && owner == 0 {
				if err != nil || string(text) != "word\n" {
					t.Errorf("%04o of user %d: %q, %v", mode, owner, text, err)
				}
				continue
			}
			for _, part := range []string{fmt.Sprintf("mode %04o", mode), name, "chmod 600", "fsGroup"} {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("%04o of user %d: %v, want %s", mode, owner, err, part)
				}
			}
		}
	}
}
