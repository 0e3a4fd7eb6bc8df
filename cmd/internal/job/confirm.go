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
	"robots-audit/audit/watch/schedule"
	"robots-audit/crawl"
	"robots-audit/reports"
)

// asking limits the sites whose robots.txt is requested again at a time.
const asking = 32

// question is a robots.txt, or a URL in the name of a crawler, that is requested again, because an alert
// depends on its response.
type question struct {
	site string
	alert.Question
	first history.Answer // of the origin, during the run
	asked *audit.Asked   // for AL18: the answers during the run
	again []history.Confirmation
}

// confirmations are facts of a run that could be found only at its time: the file
// HISTORY/confirmations/ID.jsonl.
type confirmations struct {
	Run       string         `json:"run"`
	Tries     int            `json:"tries"`           // including the run's own answer
	Quiet     []string       `json:"quiet,omitempty"` // sites within a maintenance window
	First     schedule.First `json:"first,omitempty"` // what first runs reported then; "" = nothing, in runs of older programs
	questions []question
}

// answered is a line of that file: one answer for one robots.txt.
type answered struct {
	Site                 string `json:"site"`
	Origin               string `json:"origin"`
	Asker                string `json:"asker,omitempty"` // who got the answer, if that matters: a subject of AL06 or AL18
	history.Confirmation        // Number 0 = not requested, because a later run existed
}

// confirm requests again, in rounds over all sites, until each question is decided.
func (j *Job) confirm(ctx context.Context, run folder, questions []question) error {
	if j.Tries < 2 {
		return nil
	}
	for number := 2; ; number++ {
		var open []*question
		sites := map[string]bool{} // several questions may be about one
		for i := range questions {
			if q := &questions[i]; alert.Decide(q.again, j.Tries) == alert.AskAgain {
				open = append(open, q)
				sites[q.site] = true
			}
		}
		if len(open) == 0 {
			return nil
		}
		j.Log.Info("asking again before an alert is sent", "run", run.id, "sites", len(sites), "try", number, "of", j.Tries, "after", j.After)
		if err := j.Pause(ctx, j.After); err != nil {
			return err
		}
		client, err := j.Client()
		if err != nil {
			return err
		}
		logins := j.Credentials()
		group := errgroup.Group{}
		group.SetLimit(asking)
		for _, q := range open {
			group.Go(func() error {
				q.again = append(q.again, j.ask(ctx, client, q, logins[q.Origin], number))
				return nil
			})
		}
		group.Wait() // no error is possible
		if err := ctx.Err(); err != nil {
			return err // an interrupted request is no answer
		}
	}
}

func (j *Job) ask(ctx context.Context, client *crawl.Client, q *question, login *crawl.Credentials, number int) history.Confirmation {
	site := client.Site()
	defer site.Close()
	if login != nil {
		site.Authenticate(q.Origin, *login) // the origin was asked with it before
	}
	asked := j.Now().UTC().Truncate(time.Second)
	if of := q.Treated; of.Crawler != "" {
		r := j.AskAgain(ctx, site, q.asked, of.Crawler, of.URL)
		return history.Confirmation{Number: number, Asked: asked, Answer: history.AnswerOfReply(&r), Status: r.Status, Code: r.Code, Same: r.Treatment == of.Treatment}
	}
	file := site.Robots(ctx, q.Origin)
	answer := history.AnswerOf(file)
	same := alert.Same(q.first, answer)
	if same && q.Asker != "" {
		file, same = j.askAs(ctx, site, q, file)
		answer = history.AnswerOf(file)
	}
	return history.Confirmation{Number: number, Asked: asked, Answer: answer, Status: file.Status, Code: file.Code, Same: same}
}

// askAs requests robots.txt in the way in which the answer differed from the first one. same
// reports whether it differs again in the same way.
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
	return first, false // the program does not request in this way any more
}

// ofSite returns the unconfirmed answers of a site, and all repeated answers.
func (c *confirmations) ofSite(site string) (hiccups []string, again []history.Confirmation) {
	for i := range c.questions {
		q := &c.questions[i]
		if q.site != site {
			continue
		}
		again = append(again, q.again...)
		if alert.Decide(q.again, c.Tries) != alert.Confirmed { // also if there was no request, because a later run existed
			hiccups = append(hiccups, q.Name())
		}
	}
	for i := range again {
		again[i].Number = i + 2
	}
	return hiccups, again
}

// firstAnswers are the answers to the questions during a site's run: of robots.txt by origin, and to crawlers
// if a question is about them.
func firstAnswers(site reports.StoredSite, questions []alert.Question) (of map[string]history.Answer, asked *audit.Asked, err error) {
	origins, treated := map[string]bool{}, false
	for _, q := range questions {
		origins[q.Origin] = true
		treated = treated || q.Treated.Crawler != ""
	}
	of = map[string]history.Answer{}
	for rec, err := range site.Records() {
		if err != nil {
			return nil, nil, err
		}
		switch r := rec.Robots; {
		case r != nil && origins[r.Origin]:
			of[r.Origin] = history.AnswerOf(&r.File)
		case rec.Asked != nil:
			asked = rec.Asked
		}
		if len(of) == len(origins) && treated == (asked != nil) {
			break
		}
	}
	return of, asked, nil
}

// writeConfirmations writes the file of confirmations in one step.
func (j *Job) writeConfirmations(c *confirmations) error {
	return writeFile(filepath.Join(j.Dir, confirmationsFolder, c.Run+".jsonl"), func(out io.Writer) error {
		lines := json.NewEncoder(out)
		errs := []error{lines.Encode(c)}
		for _, q := range c.questions {
			again := q.again
			if len(again) == 0 { // a later run existed
				again = []history.Confirmation{{}}
			}
			for _, a := range again {
				errs = append(errs, lines.Encode(answered{q.site, q.Origin, q.Asker, a}))
			}
		}
		return errors.Join(errs...)
	})
}

// readConfirmations reads the file of confirmations of a run; nil = there is none yet.
func (j *Job) readConfirmations(id string) (*confirmations, error) {
	name := filepath.Join(j.Dir, confirmationsFolder, id+".jsonl")
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := json.NewDecoder(bufio.NewReader(file))
	c := &confirmations{}
	if err := lines.Decode(c); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for {
		var a answered
		err := lines.Decode(&a)
		if errors.Is(err, io.EOF) {
			return c, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		i := slices.IndexFunc(c.questions, func(q question) bool { return q.site == a.Site && q.Origin == a.Origin && q.Asker == a.Asker })
		if i < 0 {
			i = len(c.questions)
			c.questions = append(c.questions, question{site: a.Site, Question: alert.Question{Origin: a.Origin, Asker: a.Asker}})
		}
		if a.Number > 0 {
			c.questions[i].again = append(c.questions[i].again, a.Confirmation)
		}
	}
}
