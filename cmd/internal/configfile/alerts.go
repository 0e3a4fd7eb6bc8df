package configfile

import (
	"crypto/x509"
	"fmt"
	"os"
	"strings"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/secretfile"
	"robots-audit/audit/watch/delivery"
	"robots-audit/audit/watch/schedule"
)

func readAlerts(top table) (a Alerts, windows []schedule.Window) {
	t := top.table("alerts", "watch", "important", "confirm", "confirm_after", "share", "mail", "webhook", "file", "maintenance")
	a = Alerts{
		Watch: t.texts("watch"), Important: t.file("important"),
		Confirm:      int(t.integer("confirm", 1, 9, defaultConfirm)),
		ConfirmAfter: t.duration("confirm_after", 0, time.Hour, defaultConfirmAfter),
		Share:        t.number("share", 0.1, 100, defaultShare),
	}
	for i, m := range t.tables("mail", "name", "min", "digest", "summary", "timezone", "smtp", "tls", "from", "to", "user", "password_file", "password_env", "attach_below", "ca_cert") {
		a.add(m, readMail(m, i), "smtp", "from", "to")
	}
	for i, w := range t.tables("webhook", "name", "min", "digest", "summary", "timezone", "url", "url_file", "url_env", "format", "template", "per_event", "secret_file", "secret_env", "authorization_file", "authorization_env", "internal", "ca_cert") {
		a.add(w, readWebhook(w, i))
	}
	for i, f := range t.tables("file", "name", "min", "digest", "summary", "timezone", "path") {
		a.add(f, &delivery.File{Route: f.route("file", i), Path: f.path("path")}, "path")
	}
	for _, w := range t.tables("maintenance", "name", "cron", "duration", "timezone", "sites") {
		w.needs("duration")
		windows = append(windows, schedule.Window{
			Name: w.text("name"), Cron: w.cron(), Duration: w.duration("duration", time.Minute, 31*24*time.Hour, time.Hour), Sites: w.texts("sites"),
		})
	}
	return a, windows
}

// add adds a channel. It calls the channel's own check only if there is no other problem: then all
// values are present and of the right type.
func (a *Alerts) add(t table, c delivery.Channel, needed ...string) {
	for _, key := range needed {
		t.needs(key)
	}
	if len(t.problems) == t.before {
		if err := c.Check(); err != nil {
			t.wrong("", "%v", err)
		}
	}
	for _, other := range a.Channels {
		if name := c.Common().Name; name == other.Common().Name {
			t.wrong("name", "two channels have the name %q. Rename one", name)
		}
	}
	a.Channels = append(a.Channels, c)
}

// route reads the keys that all channels have. A channel without a name is named by its kind and
// its number within the kind, from 1.
func (t table) route(kind string, i int) delivery.Route {
	r := delivery.Route{Name: fmt.Sprintf("%s %d", kind, i+1), Min: compare.Severity(t.one("min", "", "critical", "error", "warning", "info", "high", "medium"))}
	for _, s := range []compare.Severity{compare.High, compare.Medium} { // names in JSON and older configurations
		if s.Word() == string(r.Min) {
			r.Min = s
		}
	}
	if t.has("name") {
		r.Name = t.name("name")
	}
	if zone := t.zone(); t.has("timezone") && !t.has("digest") && !t.has("summary") {
		t.wrong("timezone", "timezone needs digest or summary. Add one of them, or remove timezone")
	} else {
		r.Digest, r.Summary = t.cronAt("digest", zone), t.cronAt("summary", zone)
	}
	return r
}

func readMail(t table, i int) *delivery.Mail {
	m := &delivery.Mail{
		Route: t.route("mail", i), SMTP: t.text("smtp"), TLS: t.one("tls", "starttls", "starttls", "tls", "none"), From: t.text("from"), To: t.texts("to"),
		User: t.text("user"), Password: t.secret("password"), AttachBelow: t.integer("attach_below", 0, 1<<30, defaultAttachBelow), Roots: t.roots(),
	}
	if m.SMTP != "" {
		t.address("smtp", m.SMTP)
	}
	if given := t.has("password_file") || t.has("password_env"); given != (m.User != "") && !t.has("password") {
		if given {
			t.wrong("password_file", "the password has no user. Add user, or remove the password")
		} else {
			t.wrong("user", `user %q has no password. Add password_file = "…" or password_env = "NAME"`, m.User)
		}
	}
	return m
}

func readWebhook(t table, i int) *delivery.Webhook {
	w := &delivery.Webhook{
		Route: t.route("webhook", i), Format: t.one("format", "json", "json", "slack", "teams"), Secret: t.secret("secret"), Authorization: t.secret("authorization"), Internal: t.boolean("internal", false), Roots: t.roots(),
	}
	switch given := t.has("url_file") || t.has("url_env"); {
	case t.has("url") && given:
		t.wrong("url", "url excludes url_file and url_env. Remove one of them")
	case t.has("url"):
		w.URL = delivery.Secret(t.text("url"))
	case given:
		w.URL = t.secret("url")
	default:
		t.wrong("", `url is missing. Add url = "https://…", or url_file or url_env if it is a secret`)
	}
	w.Template, w.PerEvent = t.template(), t.boolean("per_event", false)
	switch {
	case t.has("template") && t.has("format"):
		t.wrong("template", "template excludes format. Remove one of them")
	case w.PerEvent && !t.has("template"):
		t.wrong("per_event", "per_event needs a template, which writes the request of each event. Add template")
	case w.PerEvent && t.has("summary"):
		t.wrong("summary", "summary is not possible with per_event, because it is about no single alert. Remove one of them")
	}
	return w
}

// template reads the file of a webhook's template; nil = there is none.
func (t table) template() *delivery.Template {
	name := t.path("template")
	if name == "" {
		return nil
	}
	read, err := delivery.ReadTemplate(name)
	if err != nil {
		t.wrong("template", "template: %w", err)
	}
	return read
}

// secret reads the secret that KEY_file or KEY_env names: the trimmed content of a file, or an
// environment variable.
func (t table) secret(key string) delivery.Secret {
	file, env := key+"_file", key+"_env"
	switch {
	case t.has(file) && t.has(env):
		t.wrong(file, "%s and %s exclude each other. Remove one of them", file, env)
	case t.has(file):
		name := t.path(file)
		if name == "" {
			return ""
		}
		text, err := readSecret(name)
		if err != nil {
			t.wrong(file, "%s: %w", file, err)
		}
		return delivery.Secret(text)
	case t.has(env):
		name := t.text(env)
		value, ok := t.environ(name)
		if name != "" && (!ok || value == "") {
			t.wrong(env, "%s: the environment variable %s is not set", env, name)
		}
		return delivery.Secret(value)
	}
	return ""
}

func readSecret(name string) (string, error) {
	text, err := secretfile.Read(name)
	if secret := strings.TrimSpace(string(text)); err != nil || secret != "" {
		return secret, err
	}
	return "", fmt.Errorf("%s is empty", name)
}

// roots reads the file of additional trusted certificate authorities; nil = there is none.
func (t table) roots() *x509.CertPool {
	name := t.file("ca_cert")
	if name == "" {
		return nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if text, err := os.ReadFile(name); err != nil || !pool.AppendCertsFromPEM(text) {
		t.wrong("ca_cert", "ca_cert: %s has no certificate in PEM form. Expected a file that begins with -----BEGIN CERTIFICATE-----", name)
	}
	return pool
}
