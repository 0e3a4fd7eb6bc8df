package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"robots-audit/cmd/internal/cli"
)

// FuzzURLList compares the URLs of a question with those of encoding/json: the same strings and
// errors, except that null is no URL.
func FuzzURLList(f *testing.F) {
	for _, s := range []string{`["a","b\"c","\u202e","\\"]`, ` [ ] `, `null`, `[null,"a"]`, `["a",1]`, `[["a"]]`, `[{"a":"]"}]`, `{"a":1}`, `"a"`, `true`, `1`, `[true]`, "[\"\xff\",\n\t\"a\" , \"\\ud800\"]", `[`, `["a" "b"]`, `["a",]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want struct{ URLs []*string }
		var got struct{ URLs urlList }
		line := []byte(`{"urls":` + text + `}`)
		wrong, err := json.Unmarshal(line, &want), json.Unmarshal(line, &got)
		if slices.Contains(want.URLs, nil) {
			if err == nil {
				t.Errorf("%q: null is a URL", text)
			}
			return
		}
		if (wrong == nil) != (err == nil) {
			t.Fatalf("%q: %v, want %v", text, err, wrong)
		}
		if err != nil {
			if a, b := unreadable(err), unreadable(wrong); a != b {
				t.Errorf("%q: %q, want %q", text, a, b)
			}
			return
		}
		var list, wanted []string
		for url := range got.URLs.all() {
			list = append(list, url)
		}
		for _, url := range want.URLs {
			wanted = append(wanted, *url)
		}
		if fmt.Sprintf("%q", list) != fmt.Sprintf("%q", wanted) {
			t.Errorf("%q: %q, want %q", text, list, wanted)
		}
	})
}

// peak is a pipe that records the largest heap while an answer is written. It measures while its
// reader waits for more, so that nothing else runs.
type peak struct {
	room  chan []byte // buffers of waiting readers
	taken chan int    // bytes read into them
	ended error       // after the last byte; set before taken is closed
	most  uint64
	n     int
}

func (p *peak) Write(b []byte) (int, error) {
	due, n := len(b) > 1<<20 || p.n%100 == 0, 0
	for p.n++; n < len(b); {
		room := <-p.room
		if due {
			var m runtime.MemStats
			runtime.GC() // count only memory in use, not garbage
			runtime.ReadMemStats(&m)
			p.most, due = max(p.most, m.HeapAlloc), false
		}
		took := copy(room, b[n:])
		n += took
		p.taken <- took
	}
	return n, nil
}

func (p *peak) end(err error) {
	p.ended = err
	close(p.taken)
}

func (p *peak) Read(b []byte) (int, error) {
	select {
	case p.room <- b:
	case <-p.taken: // closed: the writer has ended
		return 0, p.ended
	}
	n, more := <-p.taken
	if !more {
		return 0, p.ended
	}
	return n, nil
}

// TestLargeQuestion asks about 400,000 URLs at once. The answer is complete and in its place among
// others, and most of it is written before all of it is made.
func TestLargeQuestion(t *testing.T) {
	const n = 400_000
	const question = `{"id":"before","robots":"","crawler":"Googlebot","urls":["/"]}` + "\n"
	var in bytes.Buffer
	in.WriteString(`{"id":"large","robots":"User-agent: *\nDisallow: /a\nClean-param: sid\n","crawler":"YandexBot","urls":[`)
	for i := range n {
		if i > 0 {
			in.WriteByte(',')
		}
		fmt.Fprintf(&in, `"/a/%d?sid=1"`, i%50_000)
	}
	in.WriteString("]}\n")
	in.WriteString(`{"id":"after","robots":"","crawler":"Googlebot","urls":["/"]}` + "\n")
	size := in.Len()
	// The large question comes after the first answer, so that reading it is not measured.
	rest, more := io.Pipe()
	out := &peak{room: make(chan []byte), taken: make(chan int)}
	var before runtime.MemStats
	runtime.GC()
	runtime.GC() // pools are emptied by the second collection
	runtime.ReadMemStats(&before)
	go func() {
		out.end(fmt.Errorf("ended with %d", checkJSONL(cli.Streams{In: io.MultiReader(strings.NewReader(question), rest), Out: out, Err: io.Discard})))
	}()
	type part struct {
		ID       string
		Verdicts []struct{ URL, Verdict string }
		Clean    map[string]string `json:"clean_param"`
	}
	d := json.NewDecoder(out)
	for _, want := range []struct {
		id       string
		verdicts int
		cleaned  int
	}{{"before", 1, 0}, {"large", n, 50_000}, {"after", 1, 0}} {
		var got part
		if want.id != "large" {
			if err := d.Decode(&got); err != nil || got.ID != want.id || len(got.Verdicts) != want.verdicts {
				t.Fatalf("%s: %v %+v", want.id, err, got)
			}
			if want.id == "before" {
				go func() {
					in.WriteTo(more)
					more.Close()
				}()
			}
			continue
		}
		verdicts, cleaned := readLarge(t, d, want.id)
		if verdicts != want.verdicts || cleaned != want.cleaned {
			t.Errorf("%s: %d verdicts, %d addresses without parameters", want.id, verdicts, cleaned)
		}
	}
	if _, err := d.Token(); err == nil || err.Error() != "ended with 0" {
		t.Error(err)
	}
	most := out.most - min(before.HeapAlloc, out.most)
	t.Logf("a question of %d bytes takes %d", size, most)
	if most > uint64(6*size) { // all of it at once is nine times its size
		t.Errorf("a question of %d bytes takes %d", size, most)
	}
}

// readLarge reads an answer token by token, and counts its elements.
func readLarge(t *testing.T, d *json.Decoder, id string) (verdicts, cleaned int) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	open, err := d.Token()
	must(err)
	if open != json.Delim('{') {
		t.Fatalf("%v", open)
	}
	for d.More() {
		key, err := d.Token()
		must(err)
		switch key {
		case "verdicts":
			_, err := d.Token()
			must(err)
			for ; d.More(); verdicts++ {
				var v struct{ URL, Verdict string }
				must(d.Decode(&v))
				if v.Verdict != "disallow" || v.URL != fmt.Sprintf("/a/%d?sid=1", verdicts%50_000) {
					t.Fatalf("verdict %d: %+v", verdicts, v)
				}
			}
			_, err = d.Token()
			must(err)
		case "clean_param":
			var m map[string]string
			must(d.Decode(&m))
			cleaned = len(m)
		default:
			var v any
			must(d.Decode(&v))
			if key == "id" && v != id {
				t.Errorf("id %v, want %s", v, id)
			}
		}
	}
	_, err = d.Token()
	must(err)
	return verdicts, cleaned
}

// TestTooLongQuestion answers an endless line with an error, and the next line as usual.
func TestTooLongQuestion(t *testing.T) {
	var out bytes.Buffer
	in := io.MultiReader(io.LimitReader(endless{}, longestQuestion+1), strings.NewReader("\n"+`{"id":2,"robots":"","crawler":"Googlebot","urls":["/"]}`))
	if code := checkJSONL(cli.Streams{In: in, Out: &out, Err: io.Discard}); code != cli.ExitDone {
		t.Errorf("exit code %d", code)
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 3 || lines[0] != `{"id":null,"error":"a question of more than 33554432 bytes"}` || !strings.HasPrefix(lines[1], `{"id":2,"access":"parsed"`) {
		t.Errorf("%q", lines)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

// TestNobodyTakesAnswers ends when answers, long or many, cannot be written any more.
func TestNobodyTakesAnswers(t *testing.T) {
	small := `{"robots":"","crawler":"Googlebot","urls":["/"]}` + "\n"
	large := `{"robots":"","crawler":"Googlebot","urls":["/"` + strings.Repeat(`,"/"`, 1<<19) + "]}\n"
	for name, question := range map[string]string{"small": small, "large": large} {
		for _, left := range []int{0, 100_000} {
			ended := make(chan int)
			go func() {
				ended <- checkJSONL(cli.Streams{In: strings.NewReader(strings.Repeat(question, 5000/(1+len(question)/1000)+3)), Out: &full{left}, Err: io.Discard})
			}()
			select {
			case code := <-ended:
				if code != cli.ExitFailed {
					t.Errorf("%s, %d bytes: exit code %d", name, left, code)
				}
			case <-time.After(testTimeout):
				t.Fatalf("%s, %d bytes: it has not ended", name, left)
			}
		}
	}
}

// ordinaryQuestions are questions that quick can read.
var ordinaryQuestions = []string{
	`{"id":1,"robots":"User-agent: *\nDisallow: /\t\"\\ \u00e4\ud83d\udca9","crawler":"Googlebot","urls":["/a","/\u00e4\"",""]}`,
	` {"id" : "a\n", "robots_b64":"VXNlci1hZ2VudDogKg==", "token":"MyBot", "profile":"google", "explain":true, "urls":[ ] } `,
	`{"fetch":{"status":503,"error":"timeout","cached":"a\nb","hops":2},"crawler":"Googlebot","urls_b64":["L+k="],"explain":false,"id":null}`,
	`{"id":["a"],"robots":null,"token":null,"profile":null,"fetch":null,"explain":null,"urls_b64":null,"crawler":null,"urls":null,"robots_b64":null}`,
	`{"id":-0.5e+10,"robots":"ä漢"}`, `{"id":true}`, `{}`,
}

// FuzzQuestion compares the result of the quick reader with that of encoding/json and the checks
// after it.
func FuzzQuestion(f *testing.F) {
	for _, line := range ordinaryQuestions {
		f.Add(line)
	}
	for _, line := range []string{`{"id":01}`, `{"id":1.}`, `{"id":{"a":[1]}}`, `{"id":1,"id":2}`, `{"robots":"\ud800"}`, `{"urls":["a",1]}`, `{"urls":["a",]}`, `{"urls":["\x"]}`, `{"fetch":{"status":1,"status":2}}`, `{"fetch":{"hop":1}}`, `{"fetch":[]}`, `{"robots":"a","robots_b64":"YQ=="}`, `{"Robots":""}`, `{"robots":""}x`, `{"robots":"` + "\x01" + `"}`, `{"robots":"` + "\xff" + `"}`, `{"explain":1}`, `{"id":1,}`, `{"id":tru}`, `{"id":truefalse}`, `null`, `[`, `{"fetch":{"error":"\ud800"}}`, `{"robots_b64":"Y\n"}`} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		var got, want question
		if !got.quick([]byte(line), new(memory)) {
			return
		}
		if err := want.slow([]byte(line)); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if want.Robots != nil {
			want.Robots, want.RobotsB64 = nil, []byte(*want.Robots)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	})
}

// TestQuickQuestions: the quick reader reads ordinary questions, one after the other with the same
// memory.
func TestQuickQuestions(t *testing.T) {
	var m memory
	for _, line := range ordinaryQuestions {
		var q, alone question
		if !q.quick([]byte(line), &m) {
			t.Errorf("%s is not read quickly", line)
		}
		if alone.quick([]byte(line), new(memory)); cmp.Diff(alone, q) != "" {
			t.Errorf("%s: %s", line, cmp.Diff(alone, q))
		}
	}
}

// FuzzQuestions compares the answers of a worker to a series of questions with those that it gives
// with fresh memory. The questions consist of few parts, so that a robots.txt often repeats: for
// another crawler or URL, with an error, in another form, or in part.
func FuzzQuestions(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x03\x10\x11\x22\x00\x41\x00\x80\x05\x05\xa5\x25"))
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		seed := make([]byte, 60)
		for i := range seed {
			seed[i] = byte(r.IntN(256))
		}
		f.Add(seed)
	}
	robots := []string{
		`"robots":"User-agent: *\nDisallow: /a\nDisallow: /b*c\nCrawl-delay: 2\n"`, `"robots":"User-agent: *\nAllow: /a\nAllow: /b*c\nCrawl-delay: 3\n"`,
		`"robots":"User-agent: *"`, `"robots":""`, `"robots":"User-agent: bingbot\nDisallow: /\n\nUser-agent: *\nDisallow: /\nAllow: /a\nHost: a.example\nClean-param: s"`,
		`"robots_b64":"VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL2E="`, `"robots":"User-agent: *\u000aDisallow: /a"`, `"robots":null`,
	}
	rest := []string{
		`"crawler":"Googlebot","urls":["/a","/b/c","/c?s=1"]`, `"crawler":"Bingbot","urls":["/a"]`, `"crawler":"YandexBot","urls":["/b?s=1&a=2"]`, `"crawler":"Nobody","urls":["/a"]`,
		`"crawler":"Googlebot","urls":["/a"],"explain":true`, `"crawler":"Googlebot","urls":["/a"],"fetch":{"status":404}`, `"crawler":"Googlebot","urls":["/\u00e4","/b\"c"],"x":1`, `"token":"a","profile":"rfc9309","urls":["/a","/b\tc"]`,
	}
	f.Fuzz(func(t *testing.T, choice []byte) {
		var m memory
		var buf []byte
		for i, c := range choice {
			line := fmt.Sprintf(`{"id":%d,%s,%s}`, i, robots[c%8], rest[c>>3%8])
			if c >= 0xc0 {
				line = fmt.Sprintf(`{%s,"id":"\n%d",%s}`, rest[c>>3%8], i, robots[c%8])
			}
			buf = append(buf[:0], line...)
			got, want := answer{memory: &m}, answer{memory: new(memory)}
			got.write(buf)
			want.write([]byte(line))
			if string(got.b) != string(want.b) {
				t.Fatalf("%s\n%s\nwant\n%s", line, got.b, want.b)
			}
			buf = m.lines.End(buf)
			clear(buf[:cap(buf)]) // it must not be used any more
		}
	})
}
