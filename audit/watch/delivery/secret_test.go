package delivery

import "testing"

// A secret is hidden as a whole word. Ordinary words stay, even if they contain a short secret or
// are pieces of a URL.
func TestRedacted(t *testing.T) {
	hook := &Webhook{URL: "https://hooks.example/hook/internal?key=k3y-of-9", Secret: "mail"}
	token := &Webhook{URL: "https://hooks.example/services/T000/abcdefghij0123456789", Secret: "p%ss/w0rd"}
	for _, c := range []struct {
		channel    *Webhook
		text, want string
	}{
		{hook, "the webhook has an internal address; email is not sent, the mailserver hooks on", "the webhook has an internal address; email is not sent, the mailserver hooks on"},
		{hook, "no such thing: /hook/internal?key=k3y-of-9", "no such thing: (secret)"},
		{hook, "POST https://hooks.example/hook/internal?key=k3y-of-9: 404", "POST (secret): 404"},
		{hook, "signature of mail, and the key k3y-of-9 is wrong", "signature of (secret), and the key (secret) is wrong"},
		{hook, `key="mail";bWFpbA==`, `key="(secret)";(secret)`},
		{token, "no team T000 with XabcdefghijO", "no team T000 with XabcdefghijO"},
		{token, "bad:abcdefghij0123456789x p%25ss%2Fw0rd", "bad:(secret)x (secret)"},
		{token, "T000/abcdefghij0123456789 is not there", "T000/(secret) is not there"},
	} {
		if got := redacted(c.text, c.channel.secrets()); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
