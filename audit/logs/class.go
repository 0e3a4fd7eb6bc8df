package logs

// Class says whether a request kept to the robots.txt that the crawler could know.
type Class uint8

const (
	Unclear   Class = iota // the contents that it could know disagree, or one is unknown
	Obeyed                 // allowed by each of them
	Disobeyed              // blocked by each of them, and the address proves who sent it
	Blocked                // blocked by each of them, but the address does not prove who sent it
	Grace                  // allowed by what it read last; what may be in force now blocks it
	Stale                  // a Grace, a day or more after the change
	Exempt                 // what blocks does not apply to this crawler or URL
)

var classNames = [...]string{"unclear", "obeyed", "disobeyed", "blocked", "grace", "stale", "exempt"}

// String returns the class's name in lower case.
func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return "unclear"
}
