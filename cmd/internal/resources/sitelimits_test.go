package resources

import "testing"

func TestSiteLimits(t *testing.T) {
	for _, tt := range []struct {
		files                          int
		memory                         int64
		asked, working, waiting, extra int
	}{
		{0, 0, 16, 16, -1, 0}, {1, 0, 16, 1, -1, 0}, {64, 0, 16, 16, 5, 11}, {64, 0, 200, 16, 5, 11}, {256, 0, 16, 16, 69, 43}, {1024, 0, 200, 200, 397, 299}, {1024, 0, 2000, 448, 149, 299},
		{20_000, 0, 16, 16, 10_000, 9_856}, {20_000, 0, 200, 200, 10_000, 9_672}, {1 << 30, 0, 16, 16, 10_000, 0},
		{1 << 30, 8 << 30, 4, 4, 10_000, 0}, {1 << 30, 512 << 20, 4, 4, 3276, 0}, {1 << 30, 1 << 20, 4, 4, 64, 0}, {256, 512 << 20, 16, 16, 69, 43},
	} {
		working, waiting, extra := SiteLimits(tt.files, tt.memory, tt.asked)
		if working != tt.working || waiting != tt.waiting || extra != tt.extra {
			t.Errorf("%d files, %d workers: %d, %d and %d, want %d, %d and %d", tt.files, tt.asked, working, waiting, extra, tt.working, tt.waiting, tt.extra)
		}
	}
	for files := 4; files < 50_000; files += 7 {
		for _, asked := range []int{1, 16, 200, 3000, 40_000} {
			working, waiting, extra := SiteLimits(files, 0, asked)
			sites := working + max(0, waiting)
			if extra == 0 {
				extra = sites // each site may have a second
			}
			if own := min(128, files/2); working < 1 || working > asked || sites+extra > files-own {
				t.Fatalf("%d files, %d workers: %d sites and %d descriptors more", files, asked, sites, extra)
			}
		}
	}
	if n := OpenFiles(); n < 16 {
		t.Errorf("%d open files are allowed", n)
	}
}
