package hosts

import (
	"slices"
	"strings"
	"testing"
)

func TestKindOf(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]Kind{
		"localhost": Local, "shop.localhost": Local, "127.0.0.1": Local, "127.8.8.8": Local, "0.0.0.0": Local, "[::1]": Local, "[::ffff:127.0.0.1]": Local, "shop.ddev.site": Local,
		"10.0.0.1": Private, "172.16.0.9": Private, "192.168.1.1": Private, "169.254.169.254": Private, "[fe80::1]": Private, "[fd00::1]": Private,
		"web": Private, "shop.local": Private, "nas.home.arpa": Private,
		"shop.test": Reserved, "www.example.com": Reserved, "example.com": Reserved,
		"shop.vercel.app": Deployed, "abc.ngrok-free.app": Deployed,
		"staging.shop.de": Test, "www.staging.shop.de": Test, "shop-staging.agency.de": Test,
		"stage.shop.co.uk": Maybe, "dev.shop.de": Maybe, "test.shop.de": Maybe, "preview.shop.de": Maybe,
		"shop.de": Public, "www.shop.de": Public, "dev-blog.shop.de": Public, "staging.de": Public, "test.de": Public, "www.test.de": Public, "stages.shop.de": Public,
		"myexample.com": Public, "thelocal.se": Public, "8.8.8.8": Public, "local.shop.de": Public, "vercel.com": Public,
	} {
		if got := KindOf(host); got != want {
			t.Errorf("%s: %q, want %q", host, got, want)
		}
	}
}

// TestTable checks that each row has a kind and a reason, once.
func TestTable(t *testing.T) {
	t.Parallel()
	kinds := []string{"local", "private", "reserved", "deployed", "test", "maybe"}
	rows := 0
	for row := range strings.Lines(table) {
		if row[0] == '#' {
			continue
		}
		cells := strings.Split(strings.TrimSpace(row), "\t")
		if rows++; len(cells) != 3 || !slices.Contains(kinds, cells[1]) || strings.HasSuffix(cells[0], "-") != (cells[1] == "test" || cells[1] == "maybe") {
			t.Errorf("%q", row)
		}
	}
	if rows != len(suffixes)+len(words) {
		t.Errorf("%d rows, %d suffixes, %d words", rows, len(suffixes), len(words))
	}
}
