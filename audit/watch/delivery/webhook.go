package delivery

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"robots-audit/crawl"
)

// Webhook is a channel: one POST for each message, or for each event.
type Webhook struct {
	Route
	URL           Secret         // https, or http if Internal; often only its secret path keeps others from posting
	Format        string         // "json" (or ""), "slack", "teams"
	Secret        Secret         // key of the signature, X-Robots-Audit-Signature: sha256=<HMAC of the body>; "" = none
	Template      *Template      // writes the body in place of Format; nil = none
	PerEvent      bool           // one POST for each event, which the Template gets
	Authorization Secret         // value of the header Authorization; "" = none
	Internal      bool           // its host may have a private address
	Roots         *x509.CertPool // certificate authorities trusted; nil = the system's

	accepted map[string]map[int]bool // with PerEvent: events that were accepted, by delivery that was not accepted as a whole
}

// secrets returns the key, and the parts of the URL after the host: the whole, and its long pieces.
// Short pieces may be ordinary words, such as "/hook".
func (w *Webhook) secrets() []string {
	list := []string{string(w.URL), string(w.Secret), string(w.Authorization)}
	if words := strings.Fields(string(w.Authorization)); len(words) > 1 {
		list = append(list, words[len(words)-1]) // "Bearer …"
	}
	if u, err := url.Parse(string(w.URL)); err == nil {
		list = append(list, u.RequestURI(), u.RawQuery)
		for _, values := range u.Query() {
			list = append(list, values...)
		}
		for _, part := range strings.FieldsFunc(u.EscapedPath(), func(r rune) bool { return r == '/' }) {
			if len(part) >= anywhere { // Slack's and Teams' tokens
				list = append(list, part)
			}
		}
	}
	return list
}

// formats write the body of a message.
var formats = map[string]func(p parcel) ([]byte, error){
	"":      jsonBody,
	"json":  jsonBody,
	"slack": slackBody,
	"teams": teamsBody,
}

// Check returns an error for an invalid configuration, without any part of the URL.
func (w *Webhook) Check() error {
	u, err := url.Parse(string(w.URL))
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return errors.New("url: write https://…")
	case u.Scheme == "http" && !w.Internal:
		return errors.New("url: use https. http is only allowed for a host with internal = true")
	case u.User != nil:
		return errors.New("url: it has a user or a password, which are not sent. Use the signature (secret_file)")
	case strings.ContainsFunc(string(w.Authorization), unicode.IsControl):
		return errors.New("authorization: it has several lines. Write one, such as Bearer and the token")
	case w.Template != nil:
		if err := w.Template.check(w.PerEvent, w.Secret); err != nil {
			return errors.New("template: " + redacted(err.Error(), w.secrets()))
		}
	}
	return nil
}

// maxAnswer bounds the bytes read of an answer.
const maxAnswer = 2 << 10

// send sends a message: in one request, or with PerEvent in one for each event.
func (w *Webhook) send(ctx context.Context, p parcel) (receipt, error) {
	if w.PerEvent {
		return w.sendEvents(ctx, p)
	}
	var path string
	var body []byte
	var err error
	if w.Template != nil {
		path, body, err = w.Template.message(p, w.Secret)
	} else {
		body, err = formats[w.Format](p)
	}
	if err != nil {
		return receipt{}, &failure{what: err.Error(), lasting: true, ofMessage: true}
	}
	return w.post(ctx, p.id, path, body, p.message.Test)
}

// sendEvents sends the events that were not accepted by an earlier try of this process. After a
// restart all are sent again, with the same ids. An event that is refused does not keep the others
// back, since one of them may resolve an alert.
func (w *Webhook) sendEvents(ctx context.Context, p parcel) (r receipt, err error) {
	if w.accepted == nil || len(w.accepted) > maxPartly {
		w.accepted = map[string]map[int]bool{}
	}
	accepted := w.accepted[p.id]
	if accepted == nil {
		accepted = map[int]bool{}
		w.accepted[p.id] = accepted
	}
	var refused error
	message := messageData(p)
	for i, e := range p.message.Events {
		if accepted[i] {
			continue
		}
		path, body, err := w.Template.request(eventData(p, message, i), w.Secret)
		if err != nil {
			err = &failure{what: err.Error(), lasting: true, ofMessage: true}
		} else {
			r, err = w.post(ctx, p.id+"-"+e.Alert+"-"+string(e.Kind), path, body, p.message.Test)
		}
		var of *failure
		switch {
		case err == nil:
			accepted[i] = true
		case errors.As(err, &of) && of.ofMessage:
			refused = err
		default:
			return r, err
		}
	}
	if refused == nil {
		delete(w.accepted, p.id)
	}
	return r, refused
}

// maxPartly is the number of messages whose accepted events are remembered.
const maxPartly = 1000

// post makes one request, to the URL with a path added. test = the answer is wanted, too.
func (w *Webhook) post(ctx context.Context, id, path string, body []byte, test bool) (r receipt, err error) {
	u, err := url.Parse(string(w.URL))
	if err != nil { // the error's text would quote the URL
		return r, &failure{what: "the URL cannot be read", lasting: true}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, string(w.URL)+path, bytes.NewReader(body))
	if err != nil {
		return r, &failure{what: "the URL cannot be read", lasting: true}
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	req.Header.Set("User-Agent", "robots-audit")
	req.Header.Set("X-Robots-Audit-Delivery", id)
	if w.Authorization != "" {
		req.Header.Set("Authorization", string(w.Authorization))
	}
	if w.Secret != "" {
		req.Header.Set("X-Robots-Audit-Signature", Signature(string(w.Secret), body))
	}
	var internal []string
	if w.Internal {
		internal = []string{u.Host}
	}
	client := &http.Client{
		Transport:     crawl.Outward(stepTime, w.Roots, internal...),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       stepTime,
	}
	resp, err := client.Do(req)
	if err != nil {
		return r, unreachable(u.Host, err)
	}
	defer resp.Body.Close()
	accepted := resp.StatusCode/100 == 2 // even if the rest fails
	if accepted && !test {               // only a test shows the rest
		return r, nil
	}
	answer, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if accepted {
		r.answer = strings.TrimSpace(fmt.Sprintf("%s: %d %s", u.Host, resp.StatusCode, answer))
		return r, nil
	}
	return r, refusal(u.Host, resp, string(answer))
}

// Signature is the value of X-Robots-Audit-Signature: "sha256=" and the HMAC of the received body,
// in hexadecimal. Compare it in constant time.
func Signature(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// unreachable is the failure of a request without an answer. It unwraps the error of package http,
// which contains the whole URL.
func unreachable(host string, err error) *failure {
	var inURL *url.Error
	if errors.As(err, &inURL) {
		err = inURL.Err
	}
	var blocked *crawl.Error
	if errors.As(err, &blocked) && blocked.Code == crawl.CodeBlockedAddress {
		return &failure{what: host + " has a private or special address. Set internal = true to allow it", lasting: true}
	}
	what, remedy := explain(err)
	return &failure{what: host + ": " + what, remedy: remedy}
}

// lastingStatus are statuses that stay the same if the request is repeated.
var lastingStatus = map[int]bool{400: true, 401: true, 403: true, 404: true, 405: true, 410: true, 413: true, 415: true, 422: true}

// refusal is the failure for an answer that is no success.
func refusal(host string, resp *http.Response, answer string) *failure {
	f := &failure{what: fmt.Sprintf("%s answered %d", host, resp.StatusCode), lasting: lastingStatus[resp.StatusCode], wait: retryAfter(resp), remedy: statusRemedy(resp.StatusCode)}
	switch {
	case resp.StatusCode/100 == 3: // its target may contain a secret, and is not shown
		f.what += ", a redirect, which is not followed. Configure the final URL"
		f.lasting = true
	case strings.TrimSpace(answer) != "":
		f.what += ": " + answer
	}
	f.ofMessage = resp.StatusCode == 400 || resp.StatusCode == 413 || resp.StatusCode == 422
	return f
}

// retryAfter is the wait that the receiver asks for, in seconds or until a date; 0 = none.
func retryAfter(resp *http.Response) time.Duration {
	value := resp.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	since, err := http.ParseTime(resp.Header.Get("Date")) // by the receiver's clock
	if err != nil {
		return 0
	}
	return max(0, until.Sub(since))
}
