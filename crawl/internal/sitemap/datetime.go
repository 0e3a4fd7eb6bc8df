package sitemap

// isDatetime reports whether b is a date of the protocol: a W3C datetime
// (www.w3.org/TR/NOTE-datetime), from the year alone to fractions of a second.
// A time needs a zone there, and Search Console reports an invalid date for a time
// without one.
func isDatetime(b []byte) bool {
	if len(b) >= 10 && b[4] == '-' && b[5] <= '1' && b[7] == '-' && b[8] <= '2' { // the usual form
		const d = 10
		if b[0]-'0' < d && b[1]-'0' < d && b[2]-'0' < d && b[3]-'0' < d && b[6]-'0' < d && b[9]-'0' < d && b[5] >= '0' && b[8] >= '0' {
			month, day := 10*(b[5]-'0')+b[6]-'0', 10*(b[8]-'0')+b[9]-'0'
			if month-1 < 12 && day-1 < 28 {
				return len(b) == 10 || isTime(b[10:])
			}
		}
	}
	year, b, ok := digits(b, 4)
	if !ok || len(b) == 0 {
		return ok
	}
	month, b, ok := part(b, '-')
	if !ok || month < 1 || month > 12 || len(b) == 0 {
		return ok && 1 <= month && month <= 12
	}
	day, b, ok := part(b, '-')
	if !ok || day < 1 || day > days(year, month) {
		return false
	}
	return len(b) == 0 || isTime(b)
}

// isTime reports whether b is the time of a datetime, with its 'T'.
func isTime(b []byte) bool {
	hour, b, ok := part(b, 'T')
	if !ok || hour > 23 {
		return false
	}
	minute, b, ok := part(b, ':')
	if !ok || minute > 59 {
		return false
	}
	if len(b) > 0 && b[0] == ':' {
		second, rest, ok := part(b, ':')
		if !ok || second > 60 {
			return false
		}
		if b = rest; len(b) > 1 && b[0] == '.' && isDigit(b[1]) {
			for b = b[1:]; len(b) > 0 && isDigit(b[0]); b = b[1:] {
			}
		}
	}
	if string(b) == "Z" {
		return true
	}
	if len(b) == 0 || b[0] != '+' && b[0] != '-' {
		return false
	}
	hour, b, ok = part(b, b[0])
	if !ok || hour > 14 {
		return false
	}
	minute, b, ok = part(b, ':')
	return ok && minute <= 59 && len(b) == 0
}

// part reads a mark and two digits.
func part(b []byte, mark byte) (n int, rest []byte, ok bool) {
	if len(b) < 3 || b[0] != mark {
		return 0, b, false
	}
	return digits(b[1:], 2)
}

// digits reads a number of n digits.
func digits(b []byte, n int) (number int, rest []byte, ok bool) {
	if len(b) < n {
		return 0, b, false
	}
	for _, c := range b[:n] {
		if !isDigit(c) {
			return 0, b, false
		}
		number = number*10 + int(c-'0')
	}
	return number, b[n:], true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// days returns the number of days in a month.
func days(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}
