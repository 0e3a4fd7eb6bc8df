package serve

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"robots-audit/reports/serve/localhttp"
)

// guard decides which requests are answered.
type guard struct {
	hosts   []string
	base    string // Options.BasePath
	token   []byte // hash of the token; nil = no token is needed
	key     []byte // signs form tokens and the cookie that replaces the token
	guesses gate   // limits concurrent checks of tokens from the form

	guessTime time.Duration // delay after a wrong token, so that guessing is slow
}

func newGuard(hosts []string, token, base string) *guard {
	g := &guard{hosts: hosts, base: base, key: make([]byte, 32), guesses: newGate(4, 64), guessTime: guessTime}
	rand.Read(g.key) // never fails: see its package
	if token != "" {
		g.token = hashed(token)
	}
	return g
}

// hashed is the hash of a text, whose length does not reveal the text's.
func hashed(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// Names of cookies. They contain no secret that is valid after the dashboard's process ends.
const (
	sessionCookie = "robots-audit-session" // distinguishes browsers, for form tokens
	tokenCookie   = "robots-audit-access"  // replaces the token
)

// needsOfProxy is what a proxy must do for the dashboard.
const needsOfProxy = "The proxy must pass on the Host header and the path unchanged, and set X-Forwarded-Proto."

// guessTime is guard.guessTime. With all connections taken, some 500 tokens a second can be tried.
const guessTime = 500 * time.Millisecond

// serve passes a request on, or refuses it.
func (g *guard) serve(next http.Handler, w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin") // with no-referrer, forms would send no origin
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
	switch {
	case g.token == nil && (localhttp.Forwarded(r) || !r.ProtoAtLeast(1, 1)): // nginx uses HTTP/1.0, browsers do not
		refuse(w, r, http.StatusForbidden, "This request came through a proxy. Behind a proxy, the dashboard needs a token: start robots-audit serve with -token-file FILE. "+needsOfProxy)
	case !localhttp.Known(r.Host, g.hosts):
		refuse(w, r, http.StatusMisdirectedRequest, "the dashboard does not know this host name. Add it with -hosts")
	case !sameSite(r):
		text := "this request came from another site. The dashboard accepts only requests from its own pages"
		if localhttp.Forwarded(r) {
			text += ". " + needsOfProxy
		}
		refuse(w, r, http.StatusForbidden, text)
	case r.URL.Path == g.base && g.base != "":
		http.Redirect(w, r, g.base+"/", http.StatusSeeOther) // the cookies' path is below this
	case r.URL.Path == g.base+"/enter" && g.token != nil:
		g.enter(w, r)
	case g.token != nil && !g.admitted(r) && !strings.HasPrefix(r.URL.Path, g.base+"/assets/"):
		if r.Header.Get("Authorization") != "" && !g.wait(r) {
			return
		}
		if wantsJSON(r) {
			h.Set("WWW-Authenticate", `Bearer realm="robots-audit"`)
			refuse(w, r, http.StatusUnauthorized, "this dashboard needs its token. Send it as Authorization: Bearer TOKEN")
			return
		}
		to := ""
		if r.Method == http.MethodGet && len(r.RequestURI) <= maxWanted {
			to = r.RequestURI
		}
		g.askForToken(w, http.StatusUnauthorized, "", to)
	default:
		next.ServeHTTP(w, r)
	}
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, r *http.Request, status int, text string) {
	if wantsJSON(r) {
		(&exchange{w: w, r: r}).json(status, troubleView{Status: status, Error: text})
		return
	}
	http.Error(w, text, status)
}

// sameSite reports whether a request may change something. Every browser says by one of two headers if a
// page of another origin sends a request. Links to the dashboard work from anywhere.
func sameSite(r *http.Request) bool {
	looks := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default: // cross-site; same-site means another port of this machine, or another name of it
		return looks && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	}
	if origin := r.Header.Get("Origin"); origin != "" && !looks {
		u, err := url.Parse(origin)
		return err == nil && strings.EqualFold(u.Host, r.Host)
	}
	return true
}

// admitted reports whether a request has the token, or the cookie that replaces it.
func (g *guard) admitted(r *http.Request) bool {
	switch {
	case g.token == nil:
		return false
	case g.bears(r):
		return true
	}
	c, err := r.Cookie(tokenCookie)
	return err == nil && subtle.ConstantTimeCompare([]byte(c.Value), []byte(g.access())) == 1
}

// wait delays the answer to a wrong token; false = the client has disconnected.
func (g *guard) wait(r *http.Request) bool {
	select {
	case <-time.After(g.guessTime):
		return true
	case <-r.Context().Done():
		return false
	}
}

// bears reports whether a request has the token itself, as programs send it.
func (g *guard) bears(r *http.Request) bool {
	text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && g.token != nil && subtle.ConstantTimeCompare(hashed(text), g.token) == 1
}

// access is the cookie's value in place of the token. It is useless to another process of the dashboard.
func (g *guard) access() string { return g.sign("access", string(g.token)) }

// enter reads a token from the form, and sets the cookie.
func (g *guard) enter(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		g.askForToken(w, http.StatusOK, "", "")
		return
	}
	leave, err := g.guesses.enter(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer leave()
	r.Body = http.MaxBytesReader(w, r.Body, 4*maxWanted)
	if subtle.ConstantTimeCompare(hashed(r.PostFormValue("token")), g.token) != 1 {
		if !g.wait(r) {
			return
		}
		g.askForToken(w, http.StatusUnauthorized, "This token is wrong.", r.PostFormValue("to"))
		return
	}
	g.setCookie(w, r, tokenCookie, g.access())
	to := r.PostFormValue("to")
	if !g.leads(to) {
		to = g.base + "/"
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// leads reports whether an address is a path of the dashboard, and not one of another host.
func (g *guard) leads(to string) bool {
	u, err := url.Parse(to)
	return err == nil && u.Scheme == "" && u.Host == "" && strings.HasPrefix(u.Path, g.base+"/") && !strings.HasPrefix(to, "//") && !strings.Contains(to, `\`)
}

// maxWanted limits the address that the form for the token leads to, in bytes.
const maxWanted = 2000

// askForToken answers with a form, which leads to the wanted page.
func (g *guard) askForToken(w http.ResponseWriter, status int, trouble, to string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	if status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="robots-audit"`)
	}
	w.WriteHeader(status)
	tokenForm.Execute(w, struct{ Base, Trouble, To string }{g.base, trouble, to})
}

// session returns the id of this browser, and sets it if it has none.
func (g *guard) session(w http.ResponseWriter, r *http.Request) string {
	if c, err := r.Cookie(sessionCookie); err == nil && len(c.Value) == 43 {
		return c.Value
	}
	id := make([]byte, 32)
	rand.Read(id) // never fails: see its package
	value := base64.RawURLEncoding.EncodeToString(id)
	g.setCookie(w, r, sessionCookie, value)
	return value
}

// setCookie sets a cookie for the dashboard only, and for https only if the browser used https. A link in a
// mail sends it, too: otherwise each such link would ask for the token, and end the forms of open pages.
func (g *guard) setCookie(w http.ResponseWriter, r *http.Request, name, value string) {
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: g.base + "/", Secure: localhttp.Encrypted(r), HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

// formToken is the value that a form of this browser must send.
func (g *guard) formToken(session string) string { return g.sign("form", session) }

func (g *guard) sign(use, text string) string {
	mac := hmac.New(sha256.New, g.key)
	mac.Write([]byte(use + "\x00" + text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// mayWrite reports whether a request that saves something comes from a form of the dashboard, or from a
// program that has the token.
func (g *guard) mayWrite(r *http.Request, formToken string) bool {
	if g.bears(r) {
		return true
	}
	c, err := r.Cookie(sessionCookie)
	return err == nil && subtle.ConstantTimeCompare([]byte(formToken), []byte(g.formToken(c.Value))) == 1
}

var tokenForm = template.Must(template.New("token").Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>Sign in · robots-audit</title><link rel="icon" href="data:,"><link rel="stylesheet" href="{{.Base}}/assets/desk.css"></head>
<body><main id="main" class="enter"><h1>robots-audit</h1>{{with .Trouble}}<p class="note" role="alert">{{.}}</p>{{end}}
<form method="post" action="{{.Base}}/enter">{{with .To}}<input type="hidden" name="to" value="{{.}}">{{end}}<label>Token <input type="password" name="token" autocomplete="current-password" required autofocus></label> <button>Sign in</button></form>
<p class="note">The token is in the file that was given with -token-file.</p></main></body></html>
`))
