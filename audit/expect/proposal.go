package expect

// Proposal is a robots.txt that is judged in place of the one that a host serves by http and https.
// It is judged as if it were served with status 200, without a redirect.
type Proposal struct {
	Host string // "example.com", "example.com:8443", as in an origin
	File string // name of the file
	Body []byte

	used bool // for some origin
}
