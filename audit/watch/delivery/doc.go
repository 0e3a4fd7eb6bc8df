// Package delivery brings messages to people: by mail, by webhook (plain JSON, Slack,
// Teams), and into a file.
//
// # Recorded before it is tried
//
// Plan makes, of one message, a row for each channel that wants to know of it. The rows
// are entered in the transaction that enters the run, so that a run whose alerts were
// raised cannot be without the telling of them. Send tries what is due and marks what was
// accepted. A kill between the two has a message delivered once more, never less: at least
// once, and each time with the same id, in the header X-Robots-Audit-Delivery, in the
// Message-ID of a mail and in the field "id" of JSON, by which a reader drops doubles.
//
// # What fails is tried again for a day
//
// After a failure the next try waits a minute, then two, five, fifteen, thirty, then an
// hour each time, a tenth more or less so that many messages do not come at once, and
// longer where the receiver says so (Retry-After), up to two hours. What waits for longer was entered
// by a clock that was ahead, and is due. A refusal that is meant for good, as
// 404 or a refused login, waits an hour at once: the next try may find the configuration
// fixed, which a shorter wait would not. The waits are reckoned from the row alone, so
// that they hold over restarts. What is not accepted 24 hours after it was entered gets
// its last try then, or as soon as the program runs again, is given up, and is told in
// the next message to each of the channels.
//
// Each try is bounded in time, and the first failure of a channel ends its turn, with all
// that is due there, so that a dead channel holds up the others by one try at most.
//
// # Secrets
//
// Passwords, webhook secrets and the URLs of webhooks, whose paths are secrets too, are
// of type Secret, which no formatting verb and no encoder writes. Errors name the channel
// and the host. What a server answers is quoted cut, with escapes, and with the secrets
// of its channel taken out, should it repeat them.
//
// # Nobody writes into our messages
//
// Messages quote sites. What they quote is shown with escapes (see package alert) and,
// here, written so that the receiver's own markup does not apply: Slack's plain text with
// its three characters escaped, Teams' text runs, which know no Markdown, HTML by
// html/template, JSON by its encoder, and headers of a mail by their own encoding.
package delivery
