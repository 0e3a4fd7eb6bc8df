package audit

import (
	"runtime"
	"strconv"
	"testing"
)

func TestHashSet(t *testing.T) {
	s := NewHashSet()
	const n = 100_000
	for round := range 2 {
		for i := range n {
			if fresh := s.Add(strconv.Itoa(i)); fresh != (round == 0) {
				t.Fatalf("round %d: %d new: %v", round, i, fresh)
			}
		}
	}
	for i := range n {
		if !s.HasHash(s.Hash(0, []byte(strconv.Itoa(i)))) {
			t.Fatalf("%d was added and is not there", i)
		}
	}
	if s.HasHash(s.Hash(0, []byte("-1"))) || NewHashSet().HasHash(0) {
		t.Error("what was never added is there")
	}
	if !s.AddBytes(1, []byte("7")) || s.AddBytes(1, []byte("7")) {
		t.Error("the class is no part of the key")
	}
}

// TestHashSetMemory checks that the set takes at most 16 bytes a member.
func TestHashSetMemory(t *testing.T) {
	live := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // what pools hold goes with the second time
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	before := live()
	s := NewHashSet()
	const n = 500_000 // as full a table as of four times as many
	var buf [20]byte
	for i := range n {
		s.AddBytes(0, strconv.AppendInt(buf[:0], int64(i), 10))
	}
	if each := (live() - before) / n; each > 16 {
		t.Errorf("%.1f bytes a member, want at most 16", each)
	}
	runtime.KeepAlive(s)
}

func BenchmarkHashSet(b *testing.B) {
	s := NewHashSet()
	var buf [20]byte
	for i := range b.N {
		s.AddBytes(0, strconv.AppendInt(buf[:0], int64(i), 10))
	}
}
