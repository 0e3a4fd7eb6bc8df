package reports

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"robots-audit/audit"
	"robots-audit/engine"
)

// tampered are changes of a site's records after they were written, by somebody who knows the format.
var tampered = []struct {
	name   string
	change func([]audit.Record) []audit.Record
	alone  bool // it is found without the journal: no audit writes such records
}{
	{"another text of robots.txt", func(r []audit.Record) []audit.Record {
		r[1].Robots.File.Body = []byte(strings.Repeat("a", len(testRobots)))
		return r
	}, true},
	{"another text, with its checksum", func(r []audit.Record) []audit.Record {
		body := strings.Repeat("a", len(testRobots))
		r[1].Robots.File.Body, r[1].Robots.File.SHA256 = []byte(body), sumOf(body)
		return r
	}, false},
	{"a start after the end", func(r []audit.Record) []audit.Record {
		r[0].Site.Started = start.AddDate(1, 0, 0)
		return r
	}, false},
	{"more URLs than rows", func(r []audit.Record) []audit.Record { r[len(r)-1].Done.URLs = 99_999; return r }, true},
	{"fewer than no URL", func(r []audit.Record) []audit.Record { r[len(r)-1].Done.URLs = -5; return r }, true},
	{"nothing blocked", func(r []audit.Record) []audit.Record {
		d := r[len(r)-1].Done
		d.State, d.BlockedAny, d.Blocked = audit.OK, 0, make([]int64, len(d.Blocked))
		return r
	}, true},
	{"ok beside blocked rows", func(r []audit.Record) []audit.Record {
		d, rows := r[len(r)-1].Done, r[2].URLs.List
		for i := range rows { // otherwise the state is refused because of unclear verdicts
			rows[i].Verdicts[2] = engine.Allow
		}
		d.State, d.Ground, d.Unknown = audit.OK, audit.GroundNone, 0
		return r
	}, true},
	{"ok beside unclear rows", func(r []audit.Record) []audit.Record {
		d, rows := r[len(r)-1].Done, r[2].URLs.List
		for i := range rows {
			rows[i].Verdicts[0], rows[i].Verdicts[1] = engine.Allow, engine.Allow
		}
		d.State, d.Ground, d.BlockedAny, d.Blocked = audit.OK, audit.GroundNone, 0, make([]int64, len(d.Blocked))
		return r
	}, true},
	{"critical for a home page that is not blocked", func(r []audit.Record) []audit.Record {
		d := r[len(r)-1].Done
		d.State, d.Ground = audit.Critical, audit.GroundHome
		return r
	}, true},
	{"a ground of ok", func(r []audit.Record) []audit.Record {
		r[len(r)-1].Done.Ground = audit.GroundNone
		return r
	}, true},
	{"a second site", func(r []audit.Record) []audit.Record {
		return append(r[:1:1], append([]audit.Record{r[0]}, r[1:]...)...)
	}, true},
	{"a second robots.txt", func(r []audit.Record) []audit.Record {
		return append(r[:2:2], append([]audit.Record{r[1]}, r[2:]...)...)
	}, true},
	{"a second end", func(r []audit.Record) []audit.Record { return append(r, r[len(r)-1]) }, true},
	{"rows after the end", func(r []audit.Record) []audit.Record { return append(r, r[2]) }, true},
	{"a verdict too few", func(r []audit.Record) []audit.Record {
		u := &r[2].URLs.List[0]
		u.Verdicts, u.Lines = u.Verdicts[:2], u.Lines[:2]
		return r
	}, true},
}

// asSize compresses records into a file of a given size, filled up with a frame that readers skip.
func asSize(t *testing.T, records []audit.Record, size int) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	noError(t, err)
	var text []byte
	for _, rec := range records {
		text = audit.Encode(text, rec)
	}
	packed := z.EncodeAll(text, nil)
	missing := size - len(packed) - 8
	if missing < 0 {
		t.Fatalf("%d bytes, want %d at most", len(packed), size-8)
	}
	packed = binary.LittleEndian.AppendUint32(packed, 0x184d2a50)
	packed = binary.LittleEndian.AppendUint32(packed, uint32(missing))
	return append(packed, make([]byte, missing)...)
}

// TestTampered changes the records of a site, and keeps their size. All readers get an error, and the
// site is unknown, in reports and in stored runs. Records that no audit writes are refused even without
// the journal.
func TestTampered(t *testing.T) {
	t.Parallel()
	for _, c := range tampered {
		for _, left := range []string{"whole", "uploaded without hidden folders", "without a journal"} {
			journal := left != "without a journal"
			if !journal && !c.alone {
				continue
			}
			dir := copied(t, "records alone", func(dir string) {
				o := testOptions(dir)
				o.Reports = []string{levelNone}
				writeRun(t, o, siteRecords("example.com", 0, 60), siteRecords("example.org", 1, 3))
			})
			name := filepath.Join(dir, "records", "example.com"+recordsExt)
			info, err := os.Stat(name)
			noError(t, err)
			noError(t, os.WriteFile(name, asSize(t, c.change(siteRecords("example.com", 0, 60)), int(info.Size())), 0o644))
			what := c.name + ", " + left
			if left != "whole" {
				gone(t, dir, hidden)
			}
			if !journal {
				gone(t, dir, packedFile)
			}
			for how, open := range map[string]func(string, string) (*StoredRun, error){"checked": OpenStored, "unchecked": OpenUnchecked} {
				run, err := open(dir, "1.9.0")
				if err != nil {
					t.Errorf("%s, %s: %v", what, how, err)
					continue
				}
				site, _ := run.Site("example.com")
				var refused error
				for rec, err := range site.Records() {
					if err != nil {
						refused = err
					} else if rec.Done != nil {
						t.Errorf("%s, %s: the records are read to their end", what, how)
					}
				}
				if refused == nil || !strings.Contains(refused.Error(), name) || journal && how == "checked" && site.Damage == nil {
					t.Errorf("%s, %s: error %v, damage %v; want one that names %s", what, how, refused, site.Damage, name)
				}
				if other, _ := run.Site("example.org"); other.Damage != nil || countURLs(t, other) != 3 {
					t.Errorf("%s, %s: the other site: %v", what, how, other.Damage)
				}
			}
			rebuilt, err := Options{Dir: dir}.Rebuild()
			loss := &LossError{}
			if !errors.As(err, &loss) || !strings.Contains(err.Error(), "records_damaged") || rebuilt.Unknown != 1 || rebuilt.URLs != 3 {
				t.Errorf("%s: made again: %+v, %v", what, rebuilt.Totals, err)
			}
		}
	}
}
