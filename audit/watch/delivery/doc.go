// Package delivery delivers messages to people: by mail, by webhook (plain JSON, Slack, Teams, or a
// template of the user), and into a file.
//
// # Stored before the first try
//
// Plan makes a row of a message for each channel that should get it. The rows are entered in the
// same transaction as the run, so that every raised alert has its messages. Send tries the rows
// that are due and marks accepted ones. If the process is killed in between, a message is delivered
// again, but never lost. It has the same id each time: in the header X-Robots-Audit-Delivery, in
// the Message-ID of a mail and in the field "id" of JSON, so that receivers can drop duplicates.
//
// # Retries for a day
//
// After a failure the next try waits a minute, then two, five, fifteen, thirty, then an hour each
// time. The waits vary by a tenth to spread many messages. They are longer if the receiver asks for
// it (Retry-After), up to two hours. A longer stored wait comes from a clock that was ahead, so
// that delivery is due. After a permanent refusal, such as 404 or a rejected login, the first wait
// is already an hour, because the configuration must be fixed first. The waits depend on the row
// alone, so that they survive restarts. A message that is not accepted 24 hours after it was
// entered gets a last try then, or as soon as the program runs again. After that it is given up,
// and the next message to each of the channels reports this.
//
// Each try has a time limit, and the first failure of a channel postpones everything that is due
// there. So a dead channel delays the others by one try at most.
//
// # Secrets
//
// Passwords, webhook secrets and the URLs of webhooks, whose paths are also secret, are of type
// Secret, which no formatting verb and no encoder writes. Errors name the channel and the host.
// Answers of a server are quoted shortened, with escapes, and without the secrets of its channel.
//
// # No injection from sites
//
// Messages quote sites. The quotes are escaped (see package alert) and written here so that the
// receiver's own markup does not apply. These are Slack's plain text with its three special
// characters escaped, Teams' text runs, which have no Markdown, HTML by html/template, JSON by its
// encoder, and encoded mail headers. In templates, the function json does this, and a body that is
// not JSON is not sent.
//
// # Templates
//
// A template gets a message as plain maps, lists and texts, so it can only read the message. Its
// time and its result are bounded, and it is executed on examples when the program starts. So a
// mistake is reported then, with its line, and not by the first alert. With PerEvent, each event is
// a request: services for people on call open and close each alert by its id.
package delivery
