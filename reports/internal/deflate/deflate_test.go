package deflate

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// rows are n rows as a sheet has them.
func rows(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<row r="%d"><c r="A%[1]d"><v>%d</v></c><c t="inlineStr" r="B%[1]d"><is><t>https://example.com/page-%d?a=&amp;b=%x</t></is></c></row>`, i+2, i, i*i, i*7919)
	}
	return b.String()
}

// unpack reads a stream as others do, to its very end.
func unpack(t testing.TB, packed []byte) string {
	t.Helper()
	in := bytes.NewReader(packed)
	text, err := io.ReadAll(flate.NewReader(in))
	if err != nil {
		t.Fatalf("after %d bytes: %v", len(text), err)
	}
	if in.Len() > 0 {
		t.Fatalf("%d bytes follow the stream", in.Len())
	}
	return string(text)
}

// testPieces are pieces of these texts, in the order of a stream.
func testPieces(c *Code, start, after, head, text, tail string) *Pieces {
	return &Pieces{Start: c.NewStretch([]byte(start)), After: []byte(after), Head: c.NewHead([]byte(head)), Text: []byte(head + text), Tail: c.NewStretch([]byte(tail))}
}

// check holds a stream of all these texts, and one of the text alone, to what other readers
// make of it.
func check(t testing.TB, c *Code, start, after, head, text, tail string) (size int) {
	t.Helper()
	p := testPieces(c, start, after, head, text, tail)
	packed := c.Append([]byte("before"), p)
	if got, want := unpack(t, packed[len("before"):]), start+after+head+text+tail; got != want {
		t.Fatalf("%d bytes come back for %d:\n%.200q\n%.200q", len(got), len(want), got, want)
	}
	if got := unpack(t, c.Append(nil, &Pieces{Text: []byte(text)})); got != text {
		t.Fatalf("%d bytes come back for %d", len(got), len(text))
	}
	if again := c.Append([]byte("before"), testPieces(c, start, after, head, text, tail)); !bytes.Equal(again, packed) {
		t.Fatal("the same text gives other bytes")
	}
	return len(packed) - len("before")
}

func TestAppend(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	noise := make([]byte, 20000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	deep := make([]byte, 0, MaxText) // the bytes occur so often that a code would be too long
	for symbol, a, b := byte('a'), 1, 1; len(deep)+b < 40000; symbol, a, b = symbol+1, b, a+b {
		deep = append(deep, bytes.Repeat([]byte{symbol}, b)...)
	}
	random.Shuffle(len(deep), func(i, k int) { deep[i], deep[k] = deep[k], deep[i] })
	codes := map[string]*Code{"rows": NewCode(NewSample([]byte(rows(30)))), "nothing": NewCode(), "one byte": NewCode(NewSample([]byte("a"))), "deep": NewCode(NewSample(deep))}
	for name, c := range codes {
		for _, text := range []string{
			"", "a", "ab", strings.Repeat("a", 15), strings.Repeat("a", 16), strings.Repeat("a", 17), strings.Repeat("ab", 300), rows(1), rows(3), rows(400), string(noise[:100]), string(noise), string(deep),
			strings.Repeat(string(noise[:300])+rows(2), 200)[:MaxText-40], strings.Repeat("x", MaxText-40), "Правила для роботов", "\x00\xff",
		} {
			t.Run(fmt.Sprintf("%s/%d", name, len(text)), func(t *testing.T) {
				check(t, c, "", "", "", text, "")
				check(t, c, "<start", "64", `<c t="inlineStr" r="`, text, `</t></is></c><end>`)
				check(t, c, "", "1", "", text, rows(2))
			})
		}
	}
	if longest := codes["deep"].sizes; bytes.ContainsFunc(longest[:], func(r rune) bool { return r > maxBits }) {
		t.Errorf("codes of %d bits", longest)
	}
}

func TestBest(t *testing.T) {
	for _, text := range []string{"", "a", "\x00\xff", "aaaaaaaaaaaaaaaaaaaaaaaa", rows(1), rows(30)} {
		packed := Best([]byte(text))
		if got := unpack(t, packed); got != text {
			t.Errorf("%d bytes come back for %d", len(got), len(text))
		}
		var plain bytes.Buffer
		w, _ := flate.NewWriter(&plain, flate.BestCompression)
		io.WriteString(w, text)
		w.Close()
		if len(packed) > 10+plain.Len()*103/100 {
			t.Errorf("%d bytes for %d, %d of a general compressor", len(packed), len(text), plain.Len())
		}
	}
}

// A stream is about as large as that of a general compressor, which takes its time; but its
// code is told in 80 bytes, and not made for it alone.
func TestSize(t *testing.T) {
	const start, head, tail = `<?xml version="1.0" encoding="UTF-8"?><worksheet><dimension ref="A1:B`, `"/><sheetData><row r="1"><c t="inlineStr" r="A1"><is><t>No.</t></is></c><c t="inlineStr" r="B1"><is><t>URL</t></is></c></row>`, `</sheetData><pageMargins left="0.4" right="0.4"/></worksheet>`
	c := NewCode(NewSample([]byte(start+head)), NewSample([]byte(tail)), NewSample([]byte(rows(30))))
	for _, n := range []int{0, 1, 5, 30, 100, 300} {
		var plain bytes.Buffer
		w, _ := flate.NewWriter(&plain, 6)
		io.WriteString(w, start+"7"+head+rows(n)+tail)
		w.Close()
		if got := check(t, c, start, "7", head, rows(n), tail); got > 80+plain.Len()*112/100 {
			t.Errorf("%d rows: %d bytes, %d of a general compressor", n, got, plain.Len())
		}
	}
}

// A table says where a head has its texts: the text that follows is matched with them.
func TestHead(t *testing.T) {
	c := NewCode(NewSample([]byte(rows(5))))
	sentence := "a sentence that stands in the head"
	head := c.NewHead([]byte(rows(1) + sentence))
	with := c.Append(nil, &Pieces{Head: head, Text: []byte(rows(1) + sentence + sentence)})
	without := c.Append(nil, &Pieces{Head: head, Text: []byte(rows(1) + sentence)})
	if len(with) > len(without)+5 {
		t.Errorf("%d bytes for a text that the head has, %d without it", len(with), len(without))
	}
}

func FuzzAppend(f *testing.F) {
	f.Add("", "", "", uint16(1), "")
	f.Add("<start", "12", rows(1), uint16(40), "<end")
	f.Add("\x00", "\xff", "abcabcabc", uint16(5000), "abc")
	codes := []*Code{NewCode(NewSample([]byte(rows(20)))), NewCode()}
	f.Fuzz(func(t *testing.T, start, after, text string, times uint16, tail string) {
		if len(start)+len(after)+len(tail) > MaxText {
			return
		}
		long := strings.Repeat(text, min(int(times), MaxText/2/max(1, len(text))))
		for _, c := range codes {
			check(t, c, start, after, text[:len(text)/2], long, tail)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	text := []byte(rows(100))
	c := NewCode(NewSample([]byte(rows(30))))
	var dst []byte
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		dst = c.Append(dst[:0], &Pieces{Text: text})
	}
}
