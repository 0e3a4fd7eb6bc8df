package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"robots-audit/audit"
)

// tailFrames are the numbers of frames at the end of a file of records in which its access logs are looked for.
// They come after the URLs, and are mostly in the last ones.
var tailFrames = []int{2, 64}

// maxFrameHead is the number of bytes in which the header of a frame and of its first block end.
const maxFrameHead = 18 + 3

// tailLogs finds the record of access logs at the end of a file of records, without unpacking the rest of it. The bytes
// of the whole file must be those that the run recorded. nil = it is not found, or in doubt: read the records.
func (s StoredSite) tailLogs() *audit.Logs {
	if s.facts.sum == "" {
		return nil
	}
	file, err := s.disk.Open(s.records, os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer file.Close()
	var read countedBytes
	frames := frameStarts(io.TeeReader(file, &read), tailFrames[len(tailFrames)-1])
	if read.size != s.facts.size {
		return nil
	}
	if _, err := s.facts.compare(&read, s.facts.ended); err != nil {
		return nil
	}
	name, err := json.Marshal(s.Name)
	if err != nil {
		return nil
	}
	begin := fmt.Appendf(nil, "\n{\"domain\":%s,\"logs\":", name) // as audit.Encode writes it; no string in JSON has a line feed
	z := decoders.Get(newDecoder)
	defer decoders.Put(z)
	defer z.Reset(nil)
	for _, n := range tailFrames {
		if n > len(frames) {
			return nil
		}
		start := frames[len(frames)-n]
		if z.Reset(io.NewSectionReader(file, start, read.size-start)) != nil {
			return nil
		}
		text, err := io.ReadAll(io.LimitReader(z, int64(n)*recordChunk))
		if err != nil {
			return nil
		}
		if at := bytes.LastIndex(text, begin); at >= 0 {
			line, _, _ := bytes.Cut(text[at+1:], []byte("\n"))
			for rec, err := range audit.Decode(bytes.NewReader(line)) {
				if err == nil {
					return rec.Logs
				}
			}
			return nil
		}
	}
	return nil
}

// frameStarts are the offsets of the last frames of a file. It reads the file to its end. nil = it has other frames than
// those of recordWriter, of one block each.
func frameStarts(file io.Reader, most int) (starts []int64) {
	in := bufio.NewReaderSize(file, 64<<10)
	for at := int64(0); ; {
		head, err := in.Peek(maxFrameHead)
		if len(head) == 0 && err == io.EOF {
			return starts
		}
		var h zstd.Header
		if h.Decode(head) != nil || !h.FirstBlock.OK || !h.FirstBlock.Last {
			return nil
		}
		length := h.HeaderSize + 3 + h.FirstBlock.CompressedSize
		if h.HasCheckSum {
			length += 4
		}
		if _, err := in.Discard(length); err != nil {
			return nil
		}
		starts, at = append(starts[max(0, len(starts)-most+1):], at), at+int64(length)
	}
}
