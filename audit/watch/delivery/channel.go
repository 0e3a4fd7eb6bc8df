package delivery

import (
	"context"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
)

// Channel is where messages go: a *Mail, a *Webhook or a *File.
type Channel interface {
	// Check says in plain words, without any secret, what is wrong with values that are
	// there and of their kind; nil = nothing that could be seen without trying.
	Check() error

	// Common returns what all channels have.
	Common() Route

	send(ctx context.Context, p parcel) (note string, err error) // a note says what a receiver did not take of what was accepted
	secrets() []string                                           // what must appear in no text
}

// Route is what all channels have.
type Route struct {
	Name string           // unique: "mail 1", "webhook 2", "file 1". Deliveries under way find their channel by it
	Min  compare.Severity // messages hold alerts of at least this severity; "" = all
}

// Common returns the route itself.
func (r Route) Common() Route { return r }

// parcel is one message on its way to one channel.
type parcel struct {
	id      string // of the delivery
	message alert.Message
	entered time.Time
	tries   int // before this one
}
