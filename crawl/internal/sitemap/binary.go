package sitemap

import (
	"bufio"
	"bytes"
	"strings"
)

// binaryMarks are the first bytes of files that are not text, and what these files are.
var binaryMarks = [...]struct{ mark, what string }{
	{"PK\x03\x04", "a ZIP archive"}, // also of Office
	{"PK\x05\x06", "a ZIP archive"}, // an empty one
	{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{"Rar!\x1a\x07", "a RAR archive"},
	{"BZh", "compressed with bzip2"},
	{"\xfd7zXZ\x00", "compressed with xz"},
	{"\x28\xb5\x2f\xfd", "compressed with zstd"},
	{"\x1f\x9d", "compressed with compress"},
	{"%PDF-", "a PDF document"},
	{"\xd0\xcf\x11\xe0", "an Office document"},
	{"\x89PNG\r\n", "an image"},
	{"GIF8", "an image"},
	{"\xff\xd8\xff", "an image"}, // JPEG
	{"RIFF", "an image"},         // WebP
	{"\x00\x00\x01\x00", "an image"},
}

// tarMark is the mark of a tar archive, at tarOffset.
const (
	tarMark   = "ustar"
	tarOffset = 257
)

// binaryKind says what a file is that begins with a mark; "" = perhaps a sitemap. A file that begins as sitemaps
// do is not waited for.
func binaryKind(r *bufio.Reader) string {
	head, _ := r.Peek(8)
	for _, m := range binaryMarks {
		if bytes.HasPrefix(head, []byte(m.mark)) {
			return m.what
		}
	}
	if len(head) == 0 || strings.IndexByte("<\xef\xfe\xff\x00"+space, head[0]) >= 0 || IsWeb(append(bytes.Clone(head), ' ')) {
		return ""
	}
	if head, _ = r.Peek(tarOffset + len(tarMark)); len(head) > tarOffset && string(head[tarOffset:]) == tarMark {
		return "a tar archive"
	}
	return ""
}
