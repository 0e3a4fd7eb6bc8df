package line

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what the samples of testdata give anew, for review")

// TestSamples reads a small log of each format, and with each known trap.
func TestSamples(t *testing.T) {
	const name = "testdata/samples.txtar"
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	var all []txtar.File
	samples := 0
	for _, f := range archive.Files {
		if strings.HasSuffix(f.Name, ".want") {
			continue
		}
		all = append(all, f)
		if strings.HasSuffix(f.Name, ".format") {
			continue
		}
		samples++
		var format *Format
		if text, ok := files[f.Name+".format"]; ok {
			if format, err = ParseFormat(text); err != nil {
				t.Errorf("%s: %v", f.Name, err)
				continue
			}
		}
		got := describe(t, f.Data, format)
		all = append(all, txtar.File{Name: f.Name + ".want", Data: []byte(got)})
		if diff := cmp.Diff(files[f.Name+".want"], got); diff != "" && !*update {
			t.Errorf("%s (-want +got):\n%s", f.Name, diff)
		}
	}
	if samples < 40 {
		t.Errorf("%d samples", samples)
	}
	if *update {
		archive.Files = all
		if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// describe reads a log and writes one line for each request and kind of error.
func describe(t *testing.T, text []byte, format *Format) string {
	t.Helper()
	file := t.TempDir() + "/access.log"
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Open(file, Options{Format: format})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out bytes.Buffer
	fmt.Fprintf(&out, "format %q\n", f.Format)
	var c Counts
	for b, err := range f.Blocks() {
		if err != nil {
			t.Fatal(err)
		}
		b.Parse(&c, func(r *Request) {
			fmt.Fprintf(&out, "%d %s %q", r.Time, r.Method, r.Target)
			write := func(name, format string, v any, given bool) {
				if given {
					fmt.Fprintf(&out, " %s="+format, name, v)
				}
			}
			write("scheme", "%s", r.Scheme, r.Scheme != "")
			write("host", "%q", r.Host, r.Host != nil)
			write("status", "%d", r.Status, true)
			write("agent", "%q", r.Agent, r.Agent != nil)
			write("addr", "%s", r.Addr, r.Addr != nil)
			write("id", "%s", r.ID, r.ID != nil)
			write("sample", "%g", r.Sample, r.Sample != 1)
			write("decoded", "%v", true, r.Decoded)
			write("sub", "%v", true, r.Sub)
			out.WriteByte('\n')
		})
	}
	fmt.Fprintf(&out, "lines %d, requests %d, empty %d\n", c.Lines, c.Requests, c.Empty)
	sum := c.Requests + c.Empty
	for _, kind := range slices.Sorted(maps.Keys(c.Errors)) {
		fmt.Fprintf(&out, "%s: %d, lines", kind, c.Errors[kind].Lines)
		for _, e := range c.Errors[kind].First {
			fmt.Fprintf(&out, " %d", e.Line)
		}
		out.WriteByte('\n')
		sum += c.Errors[kind].Lines
	}
	if sum != c.Lines {
		t.Errorf("%d lines, but %d requests, empty lines and errors", c.Lines, sum)
	}
	return out.String()
}
