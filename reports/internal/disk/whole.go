package disk

// WriteFile writes a file so that it appears complete or not at all, even after a power cut. temp
// is its name, on the same file system, while it is written.
func WriteFile(fs FS, name, temp string, text []byte) error {
	f, err := fs.Create(temp)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return Commit(fs, f, name, temp, err)
}

// Commit syncs and closes a temporary file, and renames it to name. If err, a write error, is not
// nil, it removes the file and returns err.
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
