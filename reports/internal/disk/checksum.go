package disk

import (
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path"
)

// Castagnoli is the polynomial of all our checksums (CRC-32C): processors have an instruction for
// it, and it finds accidental damage.
var Castagnoli = crc32.MakeTable(crc32.Castagnoli)

// FormatSum formats a CRC-32C.
func FormatSum(sum uint32) string { return fmt.Sprintf("%08x", sum) }

// Sum returns the checksum of a file's bytes, or of a folder's content: names, in their order, with
// the checksums of the files. buf is a buffer for reading.
func Sum(of FS, name string, buf []byte) (uint32, error) {
	info, err := of.Lstat(name)
	if err != nil || !info.IsDir() {
		return sumOfFile(of, name, buf)
	}
	files, err := of.ReadDir(name)
	if err != nil {
		return 0, err
	}
	sum := uint32(0)
	for _, file := range files { // it contains no folders
		of, err := sumOfFile(of, path.Join(name, file.Name()), buf)
		if err != nil {
			return 0, err
		}
		sum = addToFolder(sum, file.Name(), of)
	}
	return sum, nil
}

func sumOfFile(of FS, name string, buf []byte) (sum uint32, err error) {
	f, err := of.Open(name, os.O_RDONLY)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for {
		n, err := f.Read(buf)
		sum = crc32.Update(sum, Castagnoli, buf[:n])
		if err == io.EOF {
			return sum, nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// addToFolder adds a file to the checksum of a folder.
func addToFolder(sum uint32, file string, of uint32) uint32 {
	return crc32.Update(sum, Castagnoli, fmt.Appendf(nil, "%s\x00%s\n", file, FormatSum(of)))
}
