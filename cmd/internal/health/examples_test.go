package health

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/scanner"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// unused are metrics that neither the dashboard nor a rule uses, with the reason.
var unused = map[string]string{
	"robots_audit_run_duration_seconds_bucket": "few runs a day give no distribution; the dashboard shows the mean",
}

// exported returns the metrics by name, as the text format names them, with their labels.
func exported(t *testing.T) map[string][]string {
	t.Helper()
	h := New(func() time.Time { return start }, time.Hour, "test")
	h.Planned("shops", start)
	h.Ended("shops", Run{Outcome: Complete, Ended: start})
	h.Stored("shops", Stored{Finished: start, Sites: map[string]int{"ok": 1}, Severe: []Site{{Name: "a.example", State: "ok"}}})
	h.Alerts(map[Alerts]int{{"a.example", "critical", "AL03"}: 1})
	h.Deliveries(map[Deliveries]int{{"chat", "waiting"}: 1})
	families, err := h.metrics.registry.Gather()
	noError(t, err)
	names := map[string][]string{}
	for _, f := range families {
		var labels []string
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, l.GetName())
		}
		if f.GetMetric()[0].GetHistogram() != nil {
			for _, end := range []string{"_sum", "_count", "_bucket"} {
				names[f.GetName()+end] = labels
			}
			continue
		}
		names[f.GetName()] = labels
	}
	for _, d := range described {
		name, _, _ := strings.Cut(strings.TrimPrefix(d.String(), `Desc{fqName: "`), `"`)
		if names[name] == nil {
			t.Fatalf("%s has no value here", name)
		}
	}
	return names
}

// ofTarget are labels that Prometheus adds.
var ofTarget = []string{"instance", "job"}

// promqlWords are the words of PromQL in the examples that are no names. A function is true.
var promqlWords = map[string]bool{
	"by": false, "on": false, "group_left": false, "unless": false, "and": false, "or": false,
	"absent": true, "end": true, "increase": true, "label_values": true, "max": false, "min": true, "min_over_time": true, "sum": false, "time": true, "topk": true, "vector": true,
}

// expression reads an expression of PromQL: its metrics, and the labels that it names.
func expression(text string) (metrics, labels []string, err error) {
	var s scanner.Scanner
	s.Init(strings.NewReader(regexp.MustCompile(`\[\d+[smhd]\]`).ReplaceAllString(text, "")))
	s.Mode = scanner.ScanIdents | scanner.ScanFloats | scanner.ScanStrings
	s.Error = func(_ *scanner.Scanner, what string) { err = fmt.Errorf("%s in %s", what, text) }
	var open []rune // brackets; 'l' = a list of labels
	before := ""
	for token := s.Scan(); token != scanner.EOF && err == nil; token = s.Scan() {
		word := s.TokenText()
		inside := rune(0)
		if len(open) > 0 {
			inside = open[len(open)-1]
		}
		switch {
		case word == "(" && (before == "by" || before == "on" || before == "group_left"):
			open = append(open, 'l')
		case word == "(" || word == "{":
			open = append(open, token)
		case word == ")" && (inside == '(' || inside == 'l'), word == "}" && inside == '{':
			open = open[:len(open)-1]
		case word == ")" || word == "}":
			err = fmt.Errorf("%s is not open in %s", word, text)
		case token == scanner.String && (inside != '{' || before != "=" && before != "~"):
			err = fmt.Errorf("text %s in %s", word, text)
		case token == scanner.Ident && (inside == 'l' || inside == '{'):
			labels = append(labels, word)
		case token == scanner.Ident:
			called, known := promqlWords[word]
			if next := s.Peek(); known && called && next != '(' {
				err = fmt.Errorf("%s is not called in %s", word, text)
			}
			if !known {
				metrics = append(metrics, word)
			}
		case token != scanner.Ident && token != scanner.Int && token != scanner.Float && token != scanner.String && !strings.ContainsRune("=~!<>+-*/,@", token):
			err = fmt.Errorf("%q in %s", word, text)
		}
		before = word
	}
	if err == nil && len(open) > 0 {
		err = fmt.Errorf("%c stays open in %s", open[0], text)
	}
	return metrics, labels, err
}

// checkExpression checks the names of an expression, and of texts that may show its labels.
func checkExpression(t *testing.T, names map[string][]string, used map[string]bool, text string, shown ...string) {
	t.Helper()
	metrics, labels, err := expression(text)
	if err != nil || len(metrics) == 0 {
		t.Errorf("%s: %v", text, err)
	}
	has := slices.Clone(ofTarget)
	for _, m := range metrics {
		if used[m] = true; names[m] == nil {
			t.Errorf("%s: there is no metric %s", text, m)
		}
		has = append(has, names[m]...)
	}
	for _, show := range shown {
		for _, m := range regexp.MustCompile(`\{\{ ?(?:\$labels\.)?(\w+) ?\}\}`).FindAllStringSubmatch(show, -1) {
			labels = append(labels, m[1])
		}
	}
	for _, l := range labels {
		if !slices.Contains(has, l) {
			t.Errorf("%s: none of its metrics has a label %s", text, l)
		}
	}
}

func example(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", ".github", "examples", name))
	noError(t, err)
	return text
}

// grafana is the part of the model of a dashboard that the example has and the test checks.
type grafana struct {
	UID, Title    string
	SchemaVersion int
	Templating    struct{ List []variable }
	Panels        []struct {
		ID          int
		Type, Title string
		Datasource  source
		GridPos     struct{ X, Y, W, H int }
		Targets     []struct {
			RefID, Expr, LegendFormat, Format string
			Datasource                        source
			Range, Instant                    bool
		}
		Transformations []struct {
			ID      string
			Options struct{ RenameByName map[string]string }
		}
	}
}

// variable is a choice at the top of a dashboard.
type variable struct {
	Name, Type, Definition string
	Query                  any
}

// source is a source of data.
type source struct{ Type, UID string }

// TestExamplesOfMetrics: the dashboard for Grafana and the rules for Prometheus use all metrics, and
// no others.
func TestExamplesOfMetrics(t *testing.T) {
	names, used := exported(t), map[string]bool{}

	var d grafana
	noError(t, json.Unmarshal(example(t, "grafana.json"), &d))
	if d.UID == "" || d.Title == "" || d.SchemaVersion < 36 {
		t.Errorf("%+v", d)
	}
	for _, v := range d.Templating.List {
		switch v.Type {
		case "datasource":
			if v.Query != "prometheus" {
				t.Errorf("%s: %v", v.Name, v.Query)
			}
		case "query":
			of, label, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(v.Definition, "label_values("), ")"), ", ")
			checkExpression(t, names, used, of, "{{"+label+"}}")
		default:
			t.Errorf("variable %s has type %s", v.Name, v.Type)
		}
	}
	want := source{"prometheus", "${datasource}"}
	ids, taken := map[int]bool{}, map[[2]int]string{}
	for _, p := range d.Panels {
		if ids[p.ID] || p.ID == 0 || p.Title == "" || p.Datasource != want || len(p.Targets) == 0 {
			t.Errorf("panel %+v", p)
		}
		ids[p.ID] = true
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := taken[[2]int{x, y}]; other != "" || x < 0 || x >= 24 {
					t.Fatalf("%s is over %q, or outside", p.Title, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
		refs := map[string]bool{}
		for _, q := range p.Targets {
			if refs[q.RefID] || q.Datasource != want || q.Range == q.Instant || q.Instant != (p.Type == "stat" || p.Type == "table") || (q.Format == "table") != (p.Type == "table") {
				t.Errorf("%s: %+v", p.Title, q)
			}
			refs[q.RefID] = true
			checkExpression(t, names, used, q.Expr, q.LegendFormat)
			for _, v := range regexp.MustCompile(`\$(\w+)`).FindAllStringSubmatch(q.Expr, -1) {
				if !slices.ContainsFunc(d.Templating.List, func(of variable) bool { return of.Name == v[1] }) {
					t.Errorf("%s: no variable %s", q.Expr, v[1])
				}
			}
		}
		for _, change := range p.Transformations {
			for column := range change.Options.RenameByName {
				if of, is := strings.CutPrefix(column, "Value #"); is && !refs[of] {
					t.Errorf("%s has no column %s", p.Title, column)
				}
			}
		}
	}

	var rules struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	in := yaml.NewDecoder(bytes.NewReader(example(t, "prometheus-rules.yaml")))
	in.KnownFields(true)
	noError(t, in.Decode(&rules))
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			if _, err := time.ParseDuration(r.For); err != nil && r.For != "" || r.Alert == "" || r.Annotations["summary"] == "" || r.Labels["severity"] != "critical" && r.Labels["severity"] != "warning" {
				t.Errorf("%+v: %v", r, err)
			}
			checkExpression(t, names, used, r.Expr, slices.Collect(maps.Values(r.Annotations))...)
		}
	}

	for name := range unused {
		if used[name] {
			t.Errorf("%s is used", name)
		}
		used[name] = true
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(names)), slices.Sorted(maps.Keys(used))); diff != "" {
		t.Errorf("metrics that there are, and those that are used or not to be used (-are +used):\n%s", diff)
	}
	t.Logf("%d panels and %d rules use %d of %d metrics", len(d.Panels), len(rules.Groups[0].Rules), len(names)-len(unused), len(names))
}

// TestExpression: the test of the examples finds wrong expressions.
func TestExpression(t *testing.T) {
	names := map[string][]string{"a": {"x"}, "b": {"y"}}
	for text, right := range map[string]bool{
		`sum by (x) (a{x=~"$v",x!="1"}) / on (job) b > 0.5 * 1e9 or vector(0)`: true, `min_over_time(a[1d])`: true, `a @ end()`: true,
		`c`: false, `a{y="1"}`: false, `sum by (y) (a)`: false, `sum(a`: false, `sum(a))`: false, `a{x="1"`: false, `a{x="1}`: false, `rate(a)`: false, `a{x}"1"`: false, `a "1"`: false, `time > a`: false, `a[1d`: false, `a ; b`: false, ``: false, `a + "x"`: false,
	} {
		metrics, labels, err := expression(text)
		ok := err == nil && len(metrics) > 0
		var has []string
		for _, m := range metrics {
			ok = ok && names[m] != nil
			has = append(has, names[m]...)
		}
		for _, l := range labels {
			ok = ok && slices.Contains(append(has, ofTarget...), l)
		}
		if ok != right {
			t.Errorf("%s: %t (%q, %q, %v)", text, ok, metrics, labels, err)
		}
	}
}
