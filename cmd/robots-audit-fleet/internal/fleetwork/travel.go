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

// between separates the values of such a flag in the settings of a run.
const between = "\n"

// staying are flags about one machine, or about the address of the fleet.
var staying = strings.Fields("config out resume quiet verbose log-format workers cache no-cache servers bucket secrets region wait local")

// files are the flags that name files, which are sent with a run.
var files = strings.Fields("urls indexed segments robots ca-cert crawler-list")

// Pack returns the flags of an audit for the settings of a run, by name.
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

// Unpack sets the flags of an audit from a run. Its error names a setting that this program does
// not know or cannot read, because the versions differ.
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

// Input is a file that is sent with a run.
type Input struct{ Name, Path string }

// Inputs are the files that settings name. Each is named after its flag, plus a number if the flag
// may be repeated.
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

// Copy returns the nth value of a flag, with the file name replaced by that of its copy in a
// folder.
func Copy(dir, flag string, n int, value string) string {
	path := filepath.Join(dir, inputName(flag, n))
	if host, _, ok := strings.Cut(value, "="); ok && flag == "robots" {
		return host + "=" + path
	}
	return path
}

// fetchInputs downloads the files that a run's settings name into a folder.
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

// Fetch downloads the folder of a run from the bucket, completely or not at all. The target folder
// must be missing or empty.
func Fetch(ctx context.Context, bucket *store.Bucket, id, dir string) error {
	half, err := os.MkdirTemp(filepath.Dir(filepath.Clean(dir)), filepath.Base(dir)+".part-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(half) // no longer there after it was renamed
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
