package fleetwork

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"robots-audit/audit/fleet"
	"robots-audit/audit/fleet/store"
)

// values is a flag that may be given more than once.
type values interface{ Values() []string }

// between separates the values of such a flag as it travels.
const between = "\n"

// staying are flags that speak of one machine, or of where the fleet is.
var staying = strings.Fields("config out resume quiet verbose log-format workers cache no-cache servers bucket secrets region wait local")

// files are the flags that name files, which travel with them.
var files = strings.Fields("urls indexed segments robots ca-cert crawler-list")

// Pack returns the flags of an audit as they travel, by name.
func Pack(f *flag.FlagSet) map[string]string {
	settings := map[string]string{}
	f.VisitAll(func(fl *flag.Flag) {
		if slices.Contains(staying, fl.Name) {
			return
		}
		settings[fl.Name] = fl.Value.String()
		if list, ok := fl.Value.(values); ok {
			settings[fl.Name] = strings.Join(list.Values(), between)
		}
	})
	return settings
}

// Unpack sets the flags of an audit as a run has them. Its error names a setting that this
// program does not have, or does not understand: it is of another version.
func Unpack(f *flag.FlagSet, run *fleet.Run) error {
	var errs []error
	for name, value := range run.Settings {
		fl := f.Lookup(name)
		if fl == nil || slices.Contains(staying, name) {
			errs = append(errs, fmt.Errorf("this version of the program has no setting -%s", name))
			continue
		}
		each := []string{value}
		if _, ok := fl.Value.(values); ok {
			each = strings.FieldsFunc(value, func(r rune) bool { return string(r) == between })
		}
		for _, v := range each {
			if err := f.Set(name, v); err != nil {
				errs = append(errs, fmt.Errorf("-%s %q: %w", name, v, err))
			}
		}
	}
	return errors.Join(errs...)
}

// Input is a file that travels with a run's settings.
type Input struct{ Name, Path string }

// Inputs are the files that settings name. Each is called by its flag, where that may be
// repeated by its number, too.
func Inputs(settings map[string]string) (inputs []Input) {
	for _, name := range files {
		for i, value := range strings.Split(settings[name], between) {
			if _, file, ok := strings.Cut(value, "="); ok && name == "robots" {
				value = file
			}
			if value != "" {
				inputs = append(inputs, Input{inputName(name, i), value})
			}
		}
	}
	return inputs
}

func inputName(flag string, i int) string {
	if i == 0 {
		return flag
	}
	return fmt.Sprintf("%s.%d", flag, i)
}

// Copy returns the nth value of a flag with the copy that lies in a folder for the file that it names.
func Copy(dir, flag string, n int, value string) string {
	path := filepath.Join(dir, inputName(flag, n))
	if host, _, ok := strings.Cut(value, "="); ok && flag == "robots" {
		return host + "=" + path
	}
	return path
}

// fetchInputs copies the files that a run's settings name into a folder.
func fetchInputs(ctx context.Context, bucket *store.Bucket, run *fleet.Run, dir string) error {
	for _, name := range run.Inputs {
		if name != filepath.Base(name) || name == ".." || name == "." {
			return fmt.Errorf("run %s has an input with the name %q", run.ID, name)
		}
		if err := fetchFile(ctx, bucket, fleet.InputKey(run.ID, name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// fetchFile copies an object into a file.
func fetchFile(ctx context.Context, bucket *store.Bucket, key, path string) error {
	in, err := bucket.Reader(ctx, key)
	if err != nil {
		return err
	}
	defer in.Close()
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, in)
	return errors.Join(err, f.Close())
}

// Fetch copies the folder of a run out of the bucket, whole or not at all: into a folder that is
// not there yet, or is empty.
func Fetch(ctx context.Context, bucket *store.Bucket, id, dir string) error {
	half, err := os.MkdirTemp(filepath.Dir(filepath.Clean(dir)), filepath.Base(dir)+".part-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(half) // it is not there any more once it has its name
	if err := os.Chmod(half, 0o755); err != nil {
		return err
	}
	prefix := fleet.FolderKey(id)
	for object, err := range bucket.Keys(ctx, prefix) {
		if err != nil {
			return err
		}
		name := filepath.FromSlash(strings.TrimPrefix(object.Key, prefix))
		if !filepath.IsLocal(name) {
			return fmt.Errorf("the bucket has an object with the name %q", object.Key)
		}
		path := filepath.Join(half, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := fetchFile(ctx, bucket, object.Key, path); err != nil {
			return err
		}
	}
	return os.Rename(half, dir)
}
