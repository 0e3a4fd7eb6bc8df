package job

import (
	"os"
	"path/filepath"
	"testing"

	"robots-audit/crawl"
)

// TestListedCredentials: one reading of the lists has the credentials of all origins. The first list
// with an origin counts, and a list that is gone is no obstacle.
func TestListedCredentials(t *testing.T) {
	dir := t.TempDir()
	var lists []string
	for name, text := range map[string]string{
		"a": "https://ann:one@a.example\nb.example\nhttp://bob:two@c.example:8080\n",
		"b": "https://eve:three@a.example\nhttps://dan:four@d.example\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"gone", "a", "b"} {
		lists = append(lists, filepath.Join(dir, name))
	}
	got := ListedCredentials(lists)
	for origin, user := range map[string]string{"https://a.example": "ann", "http://c.example:8080": "bob", "https://d.example": "dan"} {
		if c := got[origin]; c == nil || *c != (crawl.Credentials{User: user, Password: c.Password}) {
			t.Errorf("%s: %+v", origin, c)
		}
	}
	if len(got) != 3 {
		t.Errorf("%d origins", len(got))
	}
}
