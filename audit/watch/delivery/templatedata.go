package delivery

import (
	"cmp"
	"errors"
	"reflect"
	"strings"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
)

// request writes the path and the body for some data.
func (t *Template) request(data any, secret Secret) (path string, body []byte, err error) {
	if body, err = t.execute(data, secret); err == nil {
		path, err = t.path(data, secret)
	}
	return path, body, err
}

// message writes the path and the body of a message. As in jsonBody, the least severe events are left out if there are
// too many.
func (t *Template) message(p parcel, secret Secret) (path string, body []byte, err error) {
	for {
		path, body, err := t.request(messageData(p), secret)
		n := len(p.message.Events)
		if !errors.Is(err, errLong) || n <= 1 {
			return path, body, err
		}
		p.message.Events, p.message.EventsMore = p.message.Events[:n/2], p.message.EventsMore+n-n/2
	}
}

// messageData is a message for a template: the fields of its JSON, and texts for people.
func messageData(p parcel) map[string]any {
	p.message.ID = p.id
	data := plain(reflect.ValueOf(p.message)).(map[string]any)
	data["url"] = p.url(p.message.Links)
	var b strings.Builder
	for _, g := range paragraphs(p.message) {
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		if g.label != "" {
			b.WriteString("[" + g.label + "] ")
		}
		b.WriteString(g.text)
		for _, d := range g.details {
			b.WriteString("\n• " + d)
		}
		if g.ids != "" {
			b.WriteString("\n" + g.ids)
		}
		if g.page != "" {
			b.WriteString("\n" + pageOfSite + ": " + g.page)
		}
	}
	if text := leftOut(p.message.LinesMore); text != "" {
		b.WriteString("\n\n" + text)
	}
	for i, l := range p.message.RunLinks() {
		b.WriteString([]string{"\n\n", "\n"}[min(i, 1)] + l.Name + ": " + l.URL)
	}
	data["subject"], data["body"] = p.message.Subject(), b.String()
	return data
}

// eventData is an event of a message for a template: the fields of its JSON, and the message, which is
// made once for all its events.
func eventData(p parcel, message map[string]any, i int) map[string]any {
	data := plain(reflect.ValueOf(p.message.Events[i])).(map[string]any)
	data["message"], data["url"] = message, p.url(p.message.Events[i].Links)
	return data
}

// url is the URL of the page of a run or a site; "" = the files are shown nowhere.
func (p parcel) url(l alert.Links) string {
	if p.message.Home.Base == "" {
		return ""
	}
	return l.Page
}

// plain turns a struct into a map with the fields of its JSON, also the empty ones, so that a
// template reports a wrong name. Numbers are int64, and times are texts as in JSON. A struct with a
// severity also has its word.
func plain(v reflect.Value) any {
	if v.Type() == reflect.TypeFor[time.Time]() {
		at := v.Interface().(time.Time)
		if at.IsZero() {
			return ""
		}
		return at.Format(time.RFC3339)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		return plain(v.Elem())
	case reflect.Struct:
		m := map[string]any{}
		for field, value := range v.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "-" || !field.IsExported() {
				continue
			}
			m[cmp.Or(name, field.Name)] = plain(value)
			if s, ok := value.Interface().(compare.Severity); ok && field.Name == "Severity" {
				m["level"] = s.Word()
			}
		}
		return m
	case reflect.Map:
		m := map[string]any{}
		for key, value := range v.Seq2() {
			m[key.String()] = plain(value)
		}
		return m
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = plain(v.Index(i))
		}
		return list
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int64:
		return v.Int()
	}
	return v.String()
}

// check executes a template on examples of what it will get: an alert that began, one that ended, one
// in the message of a first run or a set time, and, unless it is for single events, a message that
// only reports losses.
func (t *Template) check(perEvent bool, secret Secret) error {
	at := time.Date(2026, 11, 2, 6, 0, 0, 0, time.UTC)
	for i, kind := range []alert.Kind{alert.Raised, alert.Worse, alert.Ended, alert.Raised, ""} {
		m := alert.Example("test", kind, at)
		if i == 3 {
			m.Start = &alert.Start{Sites: 1, Names: []string{m.Site}, Alerts: map[string]int{string(m.Severity): 1}}
			m.Period = &alert.Period{Kind: alert.KindDigest, Due: at, From: at.AddDate(0, 0, -1), Still: []string{}}
		}
		if kind == "" {
			m, _ = alert.Message{Run: m.Run, Schedule: m.Schedule, At: at}.Filter("test", compare.Info, []string{"A message could not be sent."})
		}
		m.Place(alert.Home{Folder: "history"})
		p := parcel{id: m.ID, message: m, entered: at}
		var err error
		if !perEvent {
			_, _, err = t.request(messageData(p), secret)
		} else if kind != "" {
			_, _, err = t.request(eventData(p, messageData(p), 0), secret)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
