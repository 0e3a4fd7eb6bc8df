package main

import "testing"

func TestRoom(t *testing.T) {
	for _, tt := range []struct{ files, asked, working, waiting int }{
		{0, 16, 16, -1}, {1, 16, 1, -1}, {64, 16, 16, -1}, {64, 200, 16, -1}, {256, 16, 16, 48}, {1024, 200, 200, 248}, {1024, 2000, 448, -1},
		{20_000, 200, 200, 9_736}, {1 << 30, 16, 16, 10_000},
	} {
		if working, waiting := room(tt.files, tt.asked); working != tt.working || waiting != tt.waiting {
			t.Errorf("%d files, %d workers: %d and %d, want %d and %d", tt.files, tt.asked, working, waiting, tt.working, tt.waiting)
		}
	}
	if n := openFiles(); n < 16 {
		t.Errorf("%d open files are allowed", n)
	}
}
