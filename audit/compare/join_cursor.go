package compare

import "robots-audit/audit"

// cursor walks over the URLs of a side's records; what is no URL is kept by the side.
type cursor struct {
	side *judged
	next func() (audit.Record, error, bool)
	list []audit.URL // of the batch at hand
	at   int

	k      known // the URL at which it stands
	read   bool  // k is that of list[at]
	hash   keyHash
	hashed bool
}

// peek returns the URL at which the cursor stands, nil at the end. It holds until the
// call after the next pass.
func (c *cursor) peek() (*known, error) {
	if c.read {
		return &c.k, nil
	}
	for c.at == len(c.list) {
		rec, err, ok := c.next()
		switch {
		case err != nil:
			return nil, err
		case !ok:
			return nil, nil
		case rec.URLs == nil:
			c.side.add(rec)
		default:
			c.list, c.at = rec.URLs.List, 0
		}
	}
	c.side.read(&c.list[c.at], &c.k)
	c.read, c.hashed = true, false
	return &c.k, nil
}

// pass leaves the URL at which the cursor stands behind.
func (c *cursor) pass() { c.at, c.read = c.at+1, false }
