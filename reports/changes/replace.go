package changes

import (
	"errors"
	"io/fs"

	"robots-audit/reports/internal/disk"
)

// A comparison replaces an older one in three steps. The files on disk show which step was done, so
// a process may be killed at any time:
//
//  1. The old files go to the folder aside.
//  2. The folder is renamed to replaced: from now on files in their places are new ones.
//  3. The new files get their names, and replaced goes among the temporary files.
const (
	aside    = "aside"
	replaced = "replaced"
)

// replace calls commit, which gives new files their names. After an error it restores the old ones.
func replace(folder disk.Folder, commit func() error) error {
	err := folder.FS.Mkdir(folder.Path(hidden, aside))
	for _, name := range files {
		if err == nil {
			err = renameIfThere(folder, folder.Path(name), folder.Path(hidden, aside, name))
		}
	}
	if err == nil {
		err = folder.FS.Rename(folder.Path(hidden, aside), folder.Path(hidden, replaced))
	}
	if err == nil {
		err = commit()
	}
	if err == nil {
		err = folder.FS.Rename(folder.Path(hidden, replaced), folder.TempPath(replaced))
	}
	if err != nil {
		return errors.Join(err, mend(folder))
	}
	return nil
}

// mend restores the files of an older comparison whose replacement was interrupted. It may be
// interrupted itself: it removes new files before it restores the first old one.
func mend(folder disk.Folder) error {
	if _, err := folder.FS.Lstat(folder.Path(hidden, replaced)); err == nil {
		for _, name := range files {
			if err := folder.FS.Remove(folder.Path(name)); err != nil {
				return err
			}
		}
		if err := folder.FS.Rename(folder.Path(hidden, replaced), folder.Path(hidden, aside)); err != nil {
			return err
		}
	}
	for _, name := range files {
		if err := renameIfThere(folder, folder.Path(hidden, aside, name), folder.Path(name)); err != nil {
			return err
		}
	}
	return folder.FS.Remove(folder.Path(hidden, aside))
}

// renameIfThere renames a file if it exists.
func renameIfThere(folder disk.Folder, from, to string) error {
	if _, err := folder.FS.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return folder.FS.Rename(from, to)
}
