package disk

// WriteFile writes a file so that it appears whole or not at all, after a power
// cut too. temp is a name on the same file system, for as long as it is written.
func WriteFile(fs FS, name, temp string, text []byte) error {
	f, err := fs.Create(temp)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return Commit(fs, f, name, temp, err)
}

// Commit closes a temporary file, once it is on the disk, and renames it to name. If
// err, an error of writing it, is not nil, the file is removed and err returned.
func Commit(fs FS, f File, name, temp string, err error) error {
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = fs.Rename(temp, name)
	}
	if err != nil {
		fs.Remove(temp) // best effort: the folder of such files is emptied at the end
	}
	return err
}
