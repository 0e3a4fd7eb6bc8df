package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"robots-audit/reports/internal/disk"
)

// seal adds a checksum of a JSON object as its first key: {"a":1} becomes
// {"checksum":"d0a3…","a":1}. pretty is for a text that is indented by two spaces.
func seal(object []byte, pretty bool) []byte {
	head := `{"checksum":"%s",`
	if pretty {
		head = "{\n  \"checksum\": \"%s\","
	}
	sealed := make([]byte, 0, len(object)+48)
	sealed = fmt.Appendf(sealed, head, disk.FormatSum(crc32.Checksum(object, disk.Castagnoli)))
	return append(sealed, object[1:]...)
}

// errSeal says that a sealed object was changed.
var errSeal = errors.New("it is not as it was written: its checksum does not fit")

// unseal decodes an object that seal has written. An object without a checksum comes from a version
// before there were any, and may have no newer keys: otherwise a checksum could hide behind a
// damaged key.
func unseal(text []byte, v any) error {
	return unsealPart(text, "", v)
}

// unsealPart is unseal for only the first keys of a sealed object. end follows them: a comma, a
// quoted key and a colon, a sequence that is in no JSON string.
func unsealPart(text []byte, end string, v any) error {
	text = bytes.TrimSpace(text)
	object, err := sealedObject(text)
	switch {
	case err != nil:
		return err
	case object != nil:
		defer disk.PutBuffer(object)
		if at := bytes.Index(object, []byte(end)); end != "" && at > 0 {
			object = append(object[:at], '}')
		}
		return json.Unmarshal(object, v)
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

// sealedObject returns a sealed object without its seal, in a borrowed buffer; nil = it has no
// seal.
func sealedObject(text []byte) (object []byte, err error) {
	if len(text) == 0 {
		return nil, errors.New("it is empty")
	}
	var sum struct{ Checksum string }
	first, rest, more := bytes.Cut(text, []byte{','})
	if !more || json.Unmarshal(append(bytes.Clone(first), '}'), &sum) != nil || sum.Checksum == "" {
		return nil, nil
	}
	object = append(append(disk.GetBuffer(), '{'), rest...)
	if disk.FormatSum(crc32.Checksum(object, disk.Castagnoli)) != sum.Checksum {
		disk.PutBuffer(object)
		return nil, errSeal
	}
	return object, nil
}
