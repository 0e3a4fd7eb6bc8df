package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"robots-audit/reports/internal/disk"
)

// seal puts in front of a JSON object's keys the checksum of what it was
// without: {"a":1} becomes {"checksum":"d0a3…","a":1}. pretty is for a text
// that is indented by two spaces.
func seal(object []byte, pretty bool) []byte {
	head := `{"checksum":"%s",`
	if pretty {
		head = "{\n  \"checksum\": \"%s\","
	}
	sealed := fmt.Appendf(nil, head, disk.FormatSum(crc32.Checksum(object, disk.Castagnoli)))
	return append(sealed, object[1:]...)
}

// errSeal is that a sealed object is not what was written.
var errSeal = errors.New("it is not as it was written: its checksum does not fit")

// unseal decodes an object that seal has written. One without a checksum is of
// a version before there were any, and may hold no key that was not known then:
// else a checksum could hide behind a damaged key.
func unseal(text []byte, v any) error {
	return unsealPart(text, "", v)
}

// unsealPart is unseal for those who want the first keys of a sealed object alone, as end
// follows them: a comma, a quoted key and a colon, which stand together in no JSON string.
func unsealPart(text []byte, end string, v any) error {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return errors.New("it is empty")
	}
	var sum struct{ Checksum string }
	first, rest, more := bytes.Cut(text, []byte{','})
	if more && json.Unmarshal(append(bytes.Clone(first), '}'), &sum) == nil && sum.Checksum != "" {
		crc := crc32.Update(crc32.Checksum([]byte{'{'}, disk.Castagnoli), disk.Castagnoli, rest)
		if disk.FormatSum(crc) != sum.Checksum {
			return errSeal
		}
		if at := bytes.Index(rest, []byte(end)); at > 0 {
			rest = append(bytes.Clone(rest[:at]), '}')
		}
		return json.Unmarshal(append([]byte{'{'}, rest...), v)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if d.InputOffset() != int64(len(text)) {
		return errors.New("something follows its end")
	}
	return nil
}
