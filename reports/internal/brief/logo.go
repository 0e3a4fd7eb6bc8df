package brief

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

// Bounds of what a sender may give.
const (
	MaxLogo = 200 << 10 // bytes of the file
	maxName = 80        // characters
)

// logoTypes are the types of pictures that a brief can show. A picture of SVG runs no script, since
// browsers run none in an image.
var logoTypes = []string{"image/png", "image/jpeg", "image/svg+xml"}

// Logo returns the content of a file with a picture as a URL of the scheme data.
func Logo(file []byte) (string, error) {
	kind := http.DetectContentType(file)
	if bytes.Contains(file[:min(len(file), 1<<10)], []byte("<svg")) {
		kind = "image/svg+xml"
	}
	for _, known := range logoTypes {
		if kind == known {
			return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(file), nil
		}
	}
	return "", errors.New("this is no picture. Expected PNG, JPEG or SVG")
}

// Or returns the sender with what it does not say itself taken from another.
func (s Sender) Or(other Sender) Sender {
	return Sender{cmp.Or(s.Name, other.Name), cmp.Or(s.Logo, other.Logo)}
}

// Check returns an error if a name is too long, or a logo is not what Logo returns: it may come
// from the file of another run.
func (s Sender) Check() error {
	if utf8.RuneCountInString(s.Name) > maxName {
		return fmt.Errorf("the name of the brief has more than %d characters", maxName)
	}
	if s.Logo == "" {
		return nil
	}
	for _, known := range logoTypes {
		data, ok := strings.CutPrefix(s.Logo, "data:"+known+";base64,")
		if !ok {
			continue
		}
		if file, err := base64.StdEncoding.DecodeString(data); err == nil && len(file) <= MaxLogo {
			return nil
		}
	}
	return fmt.Errorf("the logo of the brief is no picture of at most %d KB", MaxLogo>>10)
}
