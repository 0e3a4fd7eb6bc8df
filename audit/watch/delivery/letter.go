package delivery

import (
	"cmp"
	"fmt"
	"mime"
	"net/mail"
	"os"
	"path"
	"strings"

	gomail "github.com/wneessen/go-mail"

	"robots-audit/engine/escape"
)

// letter is a mail, ready to be sent.
type letter struct {
	*gomail.Msg
	from     string   // address only
	to       []string // addresses only
	attached []*os.File
}

// Close closes the attached files.
func (l *letter) Close() {
	for _, f := range l.attached {
		f.Close()
	}
}

// letter writes the mail of a message. It is the same at every try, except for the boundaries of
// its parts. below bounds the total size of attachments, in bytes.
func (m *Mail) letter(p parcel, below int64) (*letter, error) {
	from, err := mail.ParseAddress(m.From)
	if err != nil {
		return nil, fmt.Errorf("from = %q is not a mail address. Write it as \"Name <user@example.com>\"", m.From)
	}
	l := &letter{Msg: gomail.NewMsg(gomail.WithNoDefaultUserAgent()), from: from.Address}
	l.FromMailAddress(from)
	for _, text := range m.To {
		to, err := mail.ParseAddress(text)
		if err != nil {
			return nil, fmt.Errorf("to = %q is not a mail address. Write it as \"user@example.com\"", text)
		}
		l.AddToMailAddress(to)
		l.to = append(l.to, to.Address)
	}
	_, domain, _ := strings.Cut(from.Address, "@")
	l.SetGenHeaderPreformatted(gomail.HeaderSubject, subject(p.message.Subject()))
	l.SetDateWithValue(p.entered)
	l.SetMessageIDWithValue(p.id + "@" + cmp.Or(domain, "localhost"))
	l.SetGenHeader("X-Robots-Audit-Delivery", p.id)
	l.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no automatic replies such as absence notes
	l.SetUserAgent("robots-audit")
	left := l.attach(p, below)
	text := p.message.Text()
	if len(left) > 0 {
		text = strings.TrimRight(text, "\n") + "\n\nToo large to attach: " + strings.Join(left, ", ") + "\n"
	}
	l.SetBodyString(gomail.TypeTextPlain, text)
	l.AddAlternativeString(gomail.TypeTextHTML, p.message.HTML())
	return l, nil
}

// subject encodes a subject as the value of its header. go-mail itself would break the line before
// a long first word. Python's email package, for one, reads that as a subject that begins with a
// blank.
func subject(text string) string {
	return strings.ReplaceAll(mime.QEncoding.Encode("utf-8", escape.Show(text)), "?= =?", "?=\r\n =?")
}

// attach attaches workbooks, as many as fit, and returns the names of the others. A run folder that
// retention has removed has none.
func (l *letter) attach(p parcel, below int64) (left []string) {
	if len(p.message.Attachments) == 0 || p.message.Home.Folder == "" {
		return nil
	}
	root, err := os.OpenRoot(p.message.Home.Folder) // files of the message must be below it
	if err != nil {
		return nil
	}
	defer root.Close()
	var total int64
	for _, name := range p.message.Attachments {
		info, err := root.Lstat(name)
		if err != nil || !info.Mode().IsRegular() { // opening a named pipe could block for ever
			continue
		}
		f, err := root.Open(name)
		if err != nil {
			continue
		}
		if total+info.Size() >= below {
			f.Close()
			left = append(left, path.Base(name))
			continue
		}
		total += info.Size()
		l.attached = append(l.attached, f)
		l.AttachReadSeeker(path.Base(name), f, gomail.WithFileContentType(xlsx))
	}
	if below <= 0 { // none are wanted, or the server accepts none
		return nil
	}
	return left
}

const xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
