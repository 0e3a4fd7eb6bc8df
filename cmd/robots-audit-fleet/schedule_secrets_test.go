package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"robots-audit/cmd/internal/scheduling"
)

// secretOfSchedule matches parts of the secrets in TestScheduleSecrets, which a schedule must not
// show.
var secretOfSchedule = regexp.MustCompile(`(?i)s3cr3t|n4me`)

// TestScheduleSecrets has secrets in every place of a schedule that takes them, and channels that
// accept no message. No part of a secret is in -plan, the output, the log, the metrics, the
// history, or an error of the configuration.
func TestScheduleSecrets(t *testing.T) {
	w := newQuickEdited(t)
	w.files["list"] = "al01.example.com\nhttps://n4me:s3cr3t-of-the-site@al03.example.com/\n"
	w.configure(t, "Googlebot")
	config := w.files["config.toml"]
	for name, text := range map[string]string{"password": "s3cr3t-of-the-mail\n", "key": "s3cr3t-of-the-hook", "hook": "https://127.0.0.1:1/s3cr3t-path/s3cr3t?s3cr3t=s3cr3t\n"} {
		w.write(t, name, text)
		if err := os.Chmod(filepath.Join(w.dir, name), 0o600); err != nil { // secrets must not be readable by others
			t.Fatal(err)
		}
	}
	t.Setenv("OF_HOOK", "https://127.0.0.1:1/s3cr3t-path-of-the-environment")
	channels := []string{
		"[[alerts.mail]]\nsmtp = \"127.0.0.1:1\"\ntls = \"none\"\nfrom = \"a@example.com\"\nto = \"b@example.com\"\nuser = \"audit\"\npassword_file = \"password\"\n",
		"[[alerts.webhook]]\nurl_file = \"hook\"\nsecret_file = \"key\"\ninternal = true\n",
		"[[alerts.webhook]]\nurl_env = \"OF_HOOK\"\ninternal = true\n",
		"[[alerts.webhook]]\nurl = \"https://127.0.0.1:1/s3cr3t-inline\"\ninternal = true\n",
	}
	ping := "[health.ping]\nurl_file = \"hook\"\ninternal = true\n"
	clean := func(what, said string) {
		t.Helper()
		if at := secretOfSchedule.FindStringIndex(said); at != nil {
			t.Errorf("%s tells %q", what, said[max(0, at[0]-100):min(len(said), at[1]+40)])
		}
	}
	start := func(flags ...string) string {
		t.Helper()
		code, said := call(append([]string{"schedule", "-config", filepath.Join(w.dir, "config.toml")}, flags...)...)
		said = fmt.Sprintf("exit code %d: %s", code, said)
		clean(fmt.Sprint(flags), said)
		return said
	}
	defer func(was func() time.Time) { scheduling.Clock = was }(scheduling.Clock)
	scheduling.Clock = func() time.Time { return w.now }
	w.write(t, "config.toml", config+strings.Join(channels, "")+ping)
	if said := start("-plan"); !strings.Contains(said, "exit code 0: schedule shops") {
		t.Error(said)
	}
	start("-once")
	w.wears("al01.example.com", face{robots: plain, unlisted: true}) // AL07
	w.now = w.now.Add(time.Hour)
	if said := start("-once"); strings.Count(said, "a message was not delivered and is retried") != len(channels) {
		t.Errorf("want %d failures: %s", len(channels), said)
	} else if strings.Count(said, "a ping was not accepted") != 2 {
		t.Errorf("want 2 failed pings: %s", said)
	}
	for _, row := range dumped(t, filepath.Join(w.dir, "history")) {
		clean("the history", row)
	}

	for _, wrong := range []string{ // errors next to a secret
		"[[alerts.webhook]]\nurl = [\"https://h.example/s3cr3t\"]\n",
		"[[alerts.webhook]]\nurl = {is = \"https://h.example/s3cr3t\"}\n",
		"[[alerts.webhook]]\nurl = \"s3cr3t:///%zz\"\n",
		"[[alerts.webhook]]\nurl = \"http://h.example/s3cr3t\"\n",
		"[[alerts.webhook]]\nurl = \"https://n4me:s3cr3t@h.example/\"\n",
		"[[alerts.webhook]]\nurl = \"https://h.example/s3cr3t\n",
		"[[alerts.webhook]]\nurl = https://h.example/s3cr3t\n",
		"[[alerts.webhook]]\nuri = \"https://h.example/s3cr3t\"\n",
		"[[alerts.webhook]]\nurl = \"https://h.example/s3cr3t\"\nsecret = \"s3cr3t\"\n",
		"[[alerts.mail]]\nsmtp = \"h.example:25\"\npassword = \"s3cr3t\"\n",
		"[[alerts.mail]]\npassword = s3cr3t\n",
		"[health]\nping = \"https://h.example/s3cr3t\"\n",
		"[health]\nping = [\"https://h.example/s3cr3t\"]\n",
		"[health.ping]\nurl = \"http://h.example/s3cr3t\"\n",
		"[health.ping]\nurl = \"https://n4me:s3cr3t@h.example/\"\n",
		"[health.ping]\nuri = \"https://h.example/s3cr3t\"\n",
		"[[alerts.mail]]\npasword = [\"s3cr3t\"]\n",
	} {
		w.write(t, "config.toml", config+wrong)
		if said := start("-plan"); !strings.HasPrefix(said, "exit code 2: ") {
			t.Errorf("%s: %s", wrong, said)
		}
	}
}

// TestHistoryModes: only their owner can read the history's file and that of messages. If the owner
// opens one to others it stays so, also when the history is rebuilt.
func TestHistoryModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its modes say nothing of who may read")
	}
	w := newQuickEdited(t)
	w.once(t)
	w.wears("al01.example.com", face{robots: plain, unlisted: true}) // AL07, which is sent
	w.now = w.now.Add(time.Hour)
	w.once(t)
	dir := filepath.Join(w.dir, "history")
	mode := func(want os.FileMode, names ...string) {
		t.Helper()
		for _, name := range names {
			if info, err := os.Stat(filepath.Join(w.dir, name)); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, want mode %04o; %v", name, info, want, err)
			}
		}
	}
	mode(0o600, "history/history.db", "alerts.jsonl", "history/confirmations/20261102T060000Z.jsonl")
	for _, want := range []os.FileMode{0o600, 0o640} {
		if err := os.Chmod(filepath.Join(dir, "history.db"), want); err != nil {
			t.Fatal(err)
		}
		w.remade(t)
		mode(want, "history/history.db")
	}
}
