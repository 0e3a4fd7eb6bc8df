package disk

import (
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path"
	"slices"
)

// Castagnoli is the polynomial of all our checksums (CRC-32C): processors have
// an instruction for it, and damage by chance is what it is to find.
var Castagnoli = crc32.MakeTable(crc32.Castagnoli)

// FormatSum is a CRC-32C as it is written.
func FormatSum(sum uint32) string { return fmt.Sprintf("%08x", sum) }

// Sum returns the checksum of a file's bytes, or of what a folder holds: names,
// in their order, with the checksums of the files. buf is what they are read into.
func Sum(name string, buf []byte) (uint32, error) {
	f, info, err := openAny(name, os.O_RDONLY)
	if f != nil {
		defer f.Close()
	}
	switch {
	case err != nil:
		return 0, err
	case !info.IsDir():
		return sumOfFile(f, name, info, buf)
	}
	names, err := f.Readdirnames(-1)
	if err != nil {
		return 0, err
	}
	slices.Sort(names)
	sum := uint32(0)
	for _, file := range names {
		of, err := sumIn(path.Join(name, file), buf)
		if err != nil {
			return 0, err
		}
		sum = addToFolder(sum, file, of)
	}
	return sum, nil
}

// sumIn returns the checksum of a file in a folder; there are no folders in it.
func sumIn(name string, buf []byte) (uint32, error) {
	f, info, err := openAny(name, os.O_RDONLY)
	if f != nil {
		defer f.Close()
	}
	if err != nil {
		return 0, err
	}
	return sumOfFile(f, name, info, buf)
}

func sumOfFile(f *os.File, name string, info fs.FileInfo, buf []byte) (sum uint32, err error) {
	if err := CheckRegular(name, info); err != nil {
		return 0, err
	}
	for left := info.Size(); left > 0; {
		n, err := f.Read(buf)
		if err != nil {
			return 0, err
		}
		sum = crc32.Update(sum, Castagnoli, buf[:n])
		left -= int64(n)
	}
	return sum, nil
}

// addToFolder adds a file to the checksum of a folder.
func addToFolder(sum uint32, file string, of uint32) uint32 {
	return crc32.Update(sum, Castagnoli, fmt.Appendf(nil, "%s\x00%s\n", file, FormatSum(of)))
}
