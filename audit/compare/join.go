package compare

import (
	"iter"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// pair is a URL as both sides know it; one of the two may be nil.
type pair struct{ old, new *known }

// join pairs the URLs of both sides: in the order of the new side, and those that have
// vanished at the end.
func (c *comparison) join(old, new iter.Seq2[audit.Record, error]) iter.Seq2[pair, error] {
	return func(yield func(pair, error) bool) {
		earlier := map[string]*known{}
		var order []string
		for k, err := range c.old.urls(old) {
			if err != nil {
				yield(pair{}, err)
				return
			}
			key := keyOf(k)
			if earlier[key] == nil {
				earlier[key] = k
				order = append(order, key)
			}
		}
		for k, err := range c.new.urls(new) {
			if err != nil {
				yield(pair{}, err)
				return
			}
			key := keyOf(k)
			was := earlier[key]
			delete(earlier, key)
			if !yield(pair{was, k}, nil) {
				return
			}
		}
		for _, key := range order {
			if was := earlier[key]; was != nil && !yield(pair{old: was}, nil) {
				return
			}
		}
	}
}

// keyOf is what the URLs of two sides are told to be the same by: scheme and host, path
// and query as RFC 9309 compares them, and the class of the kind.
func keyOf(k *known) string {
	scheme, rest, _ := strings.Cut(k.loc, "://")
	host, _, _ := strings.Cut(rest, "/")
	key := engine.AppendPath([]byte(strings.ToLower(scheme+"://"+host)), k.loc)
	if audit.IsPage(k.kind) {
		return string(key)
	}
	return string(append(key, " "+k.kind.String()...))
}

// urls reads the records of a side: what is no URL is kept, and URLs are judged.
func (s *judged) urls(records iter.Seq2[audit.Record, error]) iter.Seq2[*known, error] {
	return func(yield func(*known, error) bool) {
		for rec, err := range records {
			if err != nil {
				yield(nil, err)
				return
			}
			if rec.URLs == nil {
				s.add(rec)
				continue
			}
			for i := range rec.URLs.List {
				k := s.read(&rec.URLs.List[i], s.readers)
				if !yield(&k, nil) {
					return
				}
			}
		}
	}
}
