package audit

import (
	"bytes"
	"testing"

	"robots-audit/engine"
)

// DecodeOthers yields what Decode yields, without URLs in any spelling.
func TestDecodeOthers(t *testing.T) {
	text := Encode(nil, Record{Domain: "a.example", Site: &Site{Name: "a.example"}})
	text = Encode(text, Record{Domain: "a.example", URLs: &URLs{List: []URL{{Loc: "https://a.example/1", Verdicts: []engine.Verdict{1}, Lines: []int32{0}}, {Loc: "https://a.example/2", Verdicts: []engine.Verdict{1}, Lines: []int32{0}}}}})
	text = append(text, ` {"url": {"v": "a", "loc": "https://a.example/3"}}`+"\n"...)
	text = Encode(text, Record{Domain: "a.example", Problem: &Problem{Detail: "x"}})
	kinds := func(all bool) (got string) {
		records := DecodeOthers(bytes.NewReader(text))
		if all {
			records = Decode(bytes.NewReader(text))
		}
		for rec, err := range records {
			switch {
			case err != nil:
				t.Fatal(err)
			case rec.Site != nil:
				got += "site "
			case rec.URLs != nil:
				got += "urls "
			case rec.Problem != nil:
				got += rec.Domain + " problem "
			}
		}
		return got
	}
	checkEqual(t, "all", kinds(true), "site urls a.example problem ")
	checkEqual(t, "others", kinds(false), "site a.example problem ")
}
