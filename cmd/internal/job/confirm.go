package job

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
	"robots-audit/crawl"
	"robots-audit/reports"
)

// asking bounds how many sites are asked again at a time.
const asking = 32

// question is a robots.txt that is asked again, since its answer is the news.
type question struct {
	site string
	alert.Question
	first history.Answer // of the origin, in the run
	again []history.Confirmation
}

// told is the file of confirmations: what of a run only its moment knew.
type told struct {
	Run       string   `json:"run"`
	Tries     int      `json:"tries"`           // of which the run's own answer is the first
	Quiet     []string `json:"quiet,omitempty"` // sites within a maintenance window
	questions []question
}

// answered is a line of that file: one answer of one robots.txt.
type answered struct {
	Site   string         `json:"site"`
	Origin string         `json:"origin"`
	Asker  string         `json:"asker,omitempty"` // whose answer it is, where that is the news: a subject of AL06
	Number int            `json:"number"`
	Asked  time.Time      `json:"asked"`
	Answer history.Answer `json:"answer"`
	Status int            `json:"status,omitempty"`
	Code   string         `json:"code,omitempty"`
	Same   bool           `json:"same"`
}

// confirm asks again, in rounds over all sites, until each question is decided.
func (j *Job) confirm(ctx context.Context, run folder, questions []question) error {
	if j.Tries < 2 {
		return nil
	}
	for number := 2; ; number++ {
		var open []*question
		for i := range questions {
			if q := &questions[i]; alert.Decide(q.again, j.Tries) == alert.AskAgain {
				open = append(open, q)
			}
		}
		if len(open) == 0 {
			return nil
		}
		j.Log.Info("asking robots.txt again before anybody is told", "run", run.id, "sites", len(open), "try", number, "of", j.Tries, "after", j.After)
		if err := j.Pause(ctx, j.After); err != nil {
			return err
		}
		client, err := j.Client()
		if err != nil {
			return err
		}
		group := errgroup.Group{}
		group.SetLimit(asking)
		for _, q := range open {
			group.Go(func() error {
				q.again = append(q.again, j.ask(ctx, client, q, number))
				return nil
			})
		}
		group.Wait() // no error comes
		if err := ctx.Err(); err != nil {
			return err // what was cut short is no answer
		}
	}
}

// ask asks for one robots.txt.
func (j *Job) ask(ctx context.Context, client *crawl.Client, q *question, number int) history.Confirmation {
	site := client.Site()
	defer site.Close()
	if c := j.Credentials(q.Origin); c != nil {
		site.Authenticate(q.Origin, *c) // the origin was asked with it before
	}
	asked := j.Now().UTC().Truncate(time.Second)
	file := site.Robots(ctx, q.Origin)
	answer := history.AnswerOf(file)
	same := alert.Same(q.first, answer)
	if same && q.Asker != "" {
		file, same = j.askAs(ctx, site, q, file)
		answer = history.AnswerOf(file)
	}
	return history.Confirmation{Number: number, Asked: asked, Answer: answer, Status: file.Status, Code: file.Code, Same: same}
}

// askAs asks as the asker whose answer differed from the first one, or on that address: whether it
// differs again, in the same way.
func (j *Job) askAs(ctx context.Context, site *crawl.Site, q *question, first *crawl.RobotsFile) (file *crawl.RobotsFile, same bool) {
	for _, v := range j.Others.Of(q.Origin) {
		p := audit.Differing(&v, first, &j.Others)
		if compare.AskerSubject(&p) != q.Asker {
			continue
		}
		site.AskVariant(ctx, first, &v)
		p = audit.Differing(&v, first, &j.Others)
		return &v.File, v.Differs != "" && alert.SameGiven(audit.AskerStatus(&audit.Problem{Detail: q.Given}), audit.AskerStatus(&p))
	}
	return first, false // the program asks as others now
}

// decided says which answers of a site were not confirmed, and what asking again brought.
func (t *told) decided(site string) (hiccups []string, again []history.Confirmation) {
	for i := range t.questions {
		q := &t.questions[i]
		if q.site != site {
			continue
		}
		again = append(again, q.again...)
		if alert.Decide(q.again, t.Tries) != alert.Confirmed { // nobody asked, where a later run was there
			hiccups = append(hiccups, q.Name())
		}
	}
	for i := range again {
		again[i].Number = i + 2
	}
	return hiccups, again
}

// firstAnswers are the answers of a site's run to the questions, by origin.
func firstAnswers(site reports.StoredSite, questions []alert.Question) (map[string]history.Answer, error) {
	origins, of := map[string]bool{}, map[string]history.Answer{}
	for _, q := range questions {
		origins[q.Origin] = true
	}
	for rec, err := range site.Records() {
		if err != nil {
			return nil, err
		}
		if r := rec.Robots; r != nil && origins[r.Origin] {
			if of[r.Origin] = history.AnswerOf(&r.File); len(of) == len(origins) {
				break
			}
		}
	}
	return of, nil
}

// writeTold writes the file of confirmations, whole.
func (j *Job) writeTold(t *told) error {
	dir := filepath.Join(j.Dir, confirmationsFolder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // no longer there where all went well
	out := bufio.NewWriter(file)
	lines := json.NewEncoder(out)
	errs := []error{lines.Encode(t)}
	for _, q := range t.questions {
		for _, c := range q.again {
			errs = append(errs, lines.Encode(answered{q.site, q.Origin, q.Asker, c.Number, c.Asked, c.Answer, c.Status, c.Code, c.Same}))
		}
		if len(q.again) == 0 { // a later run was there
			errs = append(errs, lines.Encode(answered{Site: q.site, Origin: q.Origin, Asker: q.Asker}))
		}
	}
	errs = append(errs, out.Flush(), file.Sync(), file.Close())
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return os.Rename(file.Name(), filepath.Join(dir, t.Run+".jsonl"))
}

// readTold reads the file of confirmations of a run; nil = there is none yet.
func (j *Job) readTold(id string) (*told, error) {
	name := filepath.Join(j.Dir, confirmationsFolder, id+".jsonl")
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := json.NewDecoder(bufio.NewReader(file))
	t := &told{}
	if err := lines.Decode(t); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for {
		var a answered
		err := lines.Decode(&a)
		if errors.Is(err, io.EOF) {
			return t, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		i := slices.IndexFunc(t.questions, func(q question) bool { return q.site == a.Site && q.Origin == a.Origin && q.Asker == a.Asker })
		if i < 0 {
			i = len(t.questions)
			t.questions = append(t.questions, question{site: a.Site, Question: alert.Question{Origin: a.Origin, Asker: a.Asker}})
		}
		if a.Number > 0 {
			t.questions[i].again = append(t.questions[i].again, history.Confirmation{Number: a.Number, Asked: a.Asked, Answer: a.Answer, Status: a.Status, Code: a.Code, Same: a.Same})
		}
	}
}
