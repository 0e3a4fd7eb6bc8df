package line

import (
	"bytes"
	"net/netip"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// lastTime is the first second of the year 2100.
const lastTime = 4102444800

// parseTime reads the forms in which servers write times: "10/Oct/2000:13:55:36 -0700",
// "2000-10-10T13:55:36.123Z" and seconds, milliseconds, microseconds or nanoseconds since 1970.
func parseTime(b []byte) (int64, bool) {
	var t int64
	var ok bool
	switch {
	case len(b) >= 20 && b[2] == '/' && b[6] == '/':
		t, ok = clock(digits(b[7:11]), month(b[3:6]), digits(b[:2]), b[11:])
	case len(b) >= 19 && (b[4] == '-' || b[4] == '/') && b[7] == b[4]:
		t, ok = clock(digits(b[:4]), digits(b[5:7]), digits(b[8:10]), b[10:])
	default:
		t, ok = unix(b)
	}
	return t, ok && t > 0 && t < lastTime
}

// clock reads the time of a day, like ":13:55:36.123 -0700".
func clock(year, mon, day int, b []byte) (int64, bool) {
	hour, minute, second := digits(b[1:3]), digits(b[4:6]), digits(b[7:9])
	if (b[0] != ':' && b[0] != ' ' && b[0] != 'T') || b[3] != ':' || b[6] != ':' ||
		year < 0 || mon < 1 || mon > 12 || day < 1 || day > monthDays(year, mon) ||
		hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60 {
		return 0, false
	}
	b = b[9:]
	if len(b) > 0 && (b[0] == '.' || b[0] == ',') {
		for b = b[1:]; len(b) > 0 && b[0] >= '0' && b[0] <= '9'; b = b[1:] {
		}
	}
	zone, ok := offset(b)
	return days(year, mon, day)*86400 + int64(hour*3600+minute*60+second-zone), ok
}

// offset reads the offset from UTC in seconds: "Z", "+02:00", " -0700", "+02", "" = UTC.
func offset(b []byte) (int, bool) {
	if len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	if len(b) < 3 || b[0] != '+' && b[0] != '-' {
		return 0, len(b) == 0 || string(b) == "Z" || string(b) == "UTC" || string(b) == "GMT"
	}
	hours, minutes := digits(b[1:3]), 0
	if rest := bytes.TrimPrefix(b[3:], []byte(":")); len(rest) == 2 {
		minutes = digits(rest)
	} else if len(rest) != 0 {
		return 0, false
	}
	if hours < 0 || hours > 18 || minutes < 0 || minutes > 59 {
		return 0, false
	}
	seconds := hours*3600 + minutes*60
	if b[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

// unix reads a number of seconds since 1970, or of a smaller unit. The size says which unit it is.
func unix(b []byte) (int64, bool) {
	whole, _, fraction := bytes.Cut(b, []byte("."))
	n, ok := number(whole)
	if bytes.ContainsAny(b, "eE") {
		x, err := strconv.ParseFloat(string(b), 64)
		n, ok = int64(x), err == nil && x > 0 && x < 1e19/2
	} else if fraction && len(b) == len(whole)+1 {
		return 0, false
	}
	for n >= 1e11 {
		n /= 1000
	}
	return n, ok
}

// number reads a whole number of at most 19 digits.
func number(b []byte) (int64, bool) {
	if len(b) == 0 || len(b) > 19 {
		return 0, false
	}
	var n int64
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, n >= 0
}

// digits reads a short number; negative = it is none.
func digits(b []byte) int {
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// month returns the number of a month by its English name of three letters; 0 = it is none.
func month(b []byte) int {
	const names = "janfebmaraprmayjunjulaugsepoctnovdec"
	a, c, d := b[0]|0x20, b[1]|0x20, b[2]|0x20
	for i := 0; i < len(names); i += 3 {
		if names[i] == a && names[i+1] == c && names[i+2] == d {
			return i/3 + 1
		}
	}
	return 0
}

// monthDays is the number of days of a month.
func monthDays(year, month int) int {
	switch {
	case month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0):
		return 29
	case month == 2:
		return 28
	}
	return 30 + (month+month/8)%2
}

// days counts the days from 1 January 1970.
func days(year, month, day int) int64 {
	if month < 3 { // the year begins in March, so that the leap day is its last day
		year, month = year-1, month+12
	}
	return int64(365*year + year/4 - year/100 + year/400 + (153*month-457)/5 + day - 719469)
}

// requestLine splits "GET /a HTTP/1.1".
func requestLine(b []byte) (method, target []byte, kind Kind) {
	if none(b) || len(b) > 1 && b[0] == '-' && b[1] == ' ' {
		return nil, nil, NoRequest
	}
	end := bytes.IndexByte(b, ' ')
	if end <= 0 || end > 32 {
		return nil, nil, NotHTTP
	}
	method, target = b[:end], b[end+1:]
	for _, c := range method {
		if !token[c] {
			return nil, nil, NotHTTP
		}
	}
	last := bytes.LastIndexByte(target, ' ')
	switch {
	case last >= 0 && bytes.HasPrefix(target[last+1:], []byte("HTTP/")):
		target = target[:last]
	case last >= 0 || len(target) == 0 || target[0] != '/': // HTTP 0.9 has no version
		return nil, nil, NotHTTP
	}
	for len(target) > 0 && target[0] == ' ' {
		target = target[1:]
	}
	if len(target) == 0 {
		return nil, nil, NotHTTP
	}
	return method, target, ""
}

// token has the bytes of a method, unreserved those of a path that no server writes otherwise than sent.
var token, unreserved = byteSet("!#$%&'*+-.^_`|~"), byteSet("-._~/")

// byteSet returns letters, digits and the signs.
func byteSet(signs string) (set [256]bool) {
	for c := range 256 {
		b := byte(c)
		set[c] = b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z'
	}
	for i := range len(signs) {
		set[signs[i]] = true
	}
	return set
}

// plain says that a decoded path is the same as the path that was sent.
func plain(target []byte) bool {
	path, _, _ := bytes.Cut(target, []byte("?"))
	for _, c := range path {
		if !unreserved[c] {
			return false
		}
	}
	return true
}

// schemes says what servers write for the scheme. Caddy has an object with the TLS version.
var schemes = map[string]string{"http": "http", "https": "https", "on": "https", "off": "http", "HTTP": "http", "HTTPS": "https",
	"ws": "http", "wss": "https", "80": "http", "443": "https"}

// scheme returns the scheme by its name, or by the port; "" = not known.
func scheme(name, port []byte) string {
	switch {
	case len(name)+len(port) == 0:
		return ""
	case len(name) > 0 && name[0] == '{':
		return "https"
	}
	if s := schemes[string(name)]; s != "" {
		return s
	}
	return schemes[string(port)]
}

// address returns the address of the client without port. If the server is behind a proxy of its own
// network, the client is the last public address of X-Forwarded-For.
func address(direct, forwarded []byte) []byte {
	addr := withoutPort(direct)
	if none(forwarded) || !none(addr) && !private(addr) {
		return addr
	}
	for len(forwarded) > 0 {
		last := forwarded
		if i := bytes.LastIndexByte(forwarded, ','); i >= 0 {
			last, forwarded = forwarded[i+1:], forwarded[:i]
		} else {
			forwarded = nil
		}
		if a := withoutPort(bytes.TrimSpace(last)); !private(a) {
			if _, err := netip.ParseAddr(string(a)); err == nil {
				return a
			}
		}
	}
	return addr
}

// withoutPort cuts the port of an address; nil = it is "-". Of a list it returns the first address.
func withoutPort(addr []byte) []byte {
	addr, _, _ = bytes.Cut(addr, []byte(","))
	switch {
	case none(addr):
		return nil
	case addr[0] == '[':
		if end := bytes.IndexByte(addr, ']'); end > 0 {
			return addr[1:end]
		}
	case bytes.Count(addr, []byte(":")) == 1:
		return addr[:bytes.IndexByte(addr, ':')]
	}
	return addr
}

// private says that an address is of a network that the Internet does not reach.
func private(addr []byte) bool {
	a, err := netip.ParseAddr(string(addr))
	return err == nil && (a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast())
}

// sample reads which part of the requests has a line: 0.1, or 10 for one of ten.
func sample(b []byte) float64 {
	x, err := strconv.ParseFloat(string(b), 64)
	switch {
	case err != nil || !(x > 0) || x > 1e9:
		return 1
	case x > 1:
		return 1 / x
	}
	return max(x, 1e-9)
}

// escapes are the bytes that a letter after a backslash is for.
var escapes = [256]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', 'v': '\v'}

// appendUnescaped resolves the escapes of nginx, Apache and JSON.
func appendUnescaped(to, b []byte) []byte {
	for i := 0; i < len(b); i++ {
		plain := bytes.IndexByte(b[i:], '\\')
		if plain < 0 || i+plain+1 == len(b) {
			return append(to, b[i:]...)
		}
		to = append(to, b[i:i+plain]...)
		i += plain + 1
		if n := hex(b[i+1:], 2); b[i] == 'x' && n >= 0 {
			to = append(to, byte(n))
			i += 2
		} else if n := hex(b[i+1:], 4); b[i] == 'u' && n >= 0 {
			i += 4
			r := rune(n)
			if utf16.IsSurrogate(r) && i+2 < len(b) && b[i+1] == '\\' && b[i+2] == 'u' {
				if low := hex(b[i+3:], 4); low >= 0 {
					r = utf16.DecodeRune(r, rune(low))
					i += 6
				}
			}
			to = utf8.AppendRune(to, r)
		} else if e := escapes[b[i]]; e != 0 {
			to = append(to, e)
		} else {
			to = append(to, b[i])
		}
	}
	return to
}

// appendUnquoted resolves percent-encoding.
func appendUnquoted(to, b []byte) []byte {
	for i := 0; i < len(b); i++ {
		if n := hex(b[i+1:], 2); b[i] == '%' && n >= 0 {
			to = append(to, byte(n))
			i += 2
		} else {
			to = append(to, b[i])
		}
	}
	return to
}

// hex reads n hexadecimal digits; negative = there are not as many.
func hex(b []byte, n int) int {
	if len(b) < n {
		return -1
	}
	x := 0
	for _, c := range b[:n] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		x = x<<4 | int(c)
	}
	return x
}
