package delivery

import (
	"context"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/schedule"
)

// Channel is a destination of messages: a *Mail, a *Webhook or a *File.
type Channel interface {
	// Check says in plain words, without any secret, what is wrong with the settings. nil = no
	// problem that can be found without a try.
	Check() error

	// Common returns the settings that all channels have.
	Common() Route

	send(ctx context.Context, p parcel) (receipt, error)
	secrets() []string // texts that must never be shown
}

// Route has the settings that all channels have.
type Route struct {
	Name string           // unique: "mail 1", "webhook 2", "file 1"; pending deliveries find their channel by it
	Min  compare.Severity // minimum severity of alerts; "" = all

	Digest  schedule.Cron // when alerts that are not critical are sent, together; zero = at once
	Summary schedule.Cron // when a summary is sent, even if nothing happened; zero = never
}

// Common returns the route itself.
func (r Route) Common() Route { return r }

// receipt is what a receiver said about a message that it accepted.
type receipt struct {
	answer string // who accepted it, and the answer: "mail.example.com:587: 250 OK"
	note   string // what was not accepted of it; "" = nothing
}

// parcel is one message on its way to one channel.
type parcel struct {
	id      string // of the delivery
	message alert.Message
	entered time.Time
	tries   int // before this one
}
