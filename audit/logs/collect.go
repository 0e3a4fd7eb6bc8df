package logs

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"net/netip"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/logs/agent"
	"robots-audit/audit/logs/line"
)

// Reader reads access logs.
type Reader struct {
	Crawlers *agent.Set
	Options  line.Options
	DNS      bool                       // keep in memory the addresses that Requests.Verify asks DNS about
	Folders  line.Folders               // files that were not named: see File.Skipped
	From, To time.Time                  // requests from From on, and before To; zero = all
	HostOf   func(file string) string   // host of lines without one, as origins have it; "" or nil = none
	robots   int                        // requests for robots.txt that are kept; 0 = maxRobots
	Dir      string                     // folder for a temporary file of requests that are too many for memory; "" = the system's
	Warn     func(file, problem string) // is told at once of a file that ends early; nil = nobody
}

// File is a log that was read.
type File struct {
	Name   string
	Format string // as recognised: "combined"
	Twice  string // name of the file with the same content, which was read before; "" = none. This one is not counted
	Early  string // why it ends early: "the gzip file is cut off"; "" = it does not
	// Skipped: the file is in a folder that was named, and is no log by its lines or its name. It does
	// not count.
	Skipped bool
	line.Counts
	Crawlers int64     // requests of crawlers from From to To
	Visitors int64     // requests without the name of a crawler
	First    time.Time // first request of a crawler; zero = none
	Last     time.Time
}

// Requests are the requests of crawlers in some logs. Close removes their temporary file.
type Requests struct {
	Files     []File
	Beyond    int64 // requests of crawlers to hosts for which there is no space
	spool     spool
	hosts     map[string]int64 // requests of crawlers by host; "" = not known. Files given twice are counted twice
	reads     map[string][]read
	space     int               // for more reads
	lost      bool              // there was none: what crawlers know of robots.txt is not known
	names     map[uint64]*named // crawlers that are not listed, until rank
	ids       map[uint64]int    // of those that are counted by name
	crawlers  []agent.Crawler   // by id
	addresses addresses         // until Verify
	proofs    *proofs
}

// Close removes the temporary file.
func (r *Requests) Close() error { return r.spool.close() }

// read is a request for robots.txt.
type read struct {
	file    int32
	crawler int32 // agent.Visitor = no crawler
	outside bool  // before Reader.From or after To: it tells only what is known
	who     agent.Identity
	status  int32
	n       int32 // requests that the line stands for
	at      int64
	id      uint64 // hash of the line's request id; 0 = none
	name    uint64 // of a crawler that is not listed, and of the address: see sender
	address uint64
	scheme  string // "" = the line has none
	host    string // as origins have it
}

// maxRobots bounds the requests for robots.txt that are kept, at some 100 bytes each. If there are
// more, no request is judged by them.
const maxRobots = 2_000_000

// batch are the requests of crawlers in one block of a file.
type batch struct {
	file     int
	counts   line.Counts
	visitors int64
	first    int64 // Unix seconds; 0 = no request
	last     int64
	packed   map[string][]byte // by host
	hosts    map[string]int64  // requests of crawlers
	reads    []read
	names    names
	asks     addresses
	ended    *line.File // the last one
	err      error      // why the file ends here
}

// job is a block of a file, or its end.
type job struct {
	file   int
	of     *line.File
	block  line.Block
	end    bool
	failed error
}

// Read reads the requests of crawlers from the named files. It parses blocks of them in parallel,
// and keeps only crawlers' requests. When ctx ends, it returns what it has read so far, without an
// error. A file that cannot be opened, or the temporary file, is an error; a file that ends early
// is not, see File.Early.
func (o *Reader) Read(ctx context.Context, names []string) (r *Requests, err error) {
	r = &Requests{spool: spool{dir: o.Dir, limit: maxInMemory}, hosts: map[string]int64{}, reads: map[string][]read{},
		names: map[uint64]*named{}, addresses: addresses{}, space: cmp.Or(o.robots, maxRobots)}
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	var failed error // to open a file
	jobs := func(yield func(job) bool) {
		for _, name := range names {
			if failed = line.Readable(name); failed != nil { // not after hours
				return
			}
		}
		for i, name := range names {
			if ctx.Err() != nil {
				return
			}
			f, err := line.Open(name, o.Options)
			if err != nil {
				failed = err
				return
			}
			goes := true
			for block, err := range f.Blocks() {
				if ctx.Err() != nil {
					break
				}
				if goes = yield(job{file: i, of: f, block: block, failed: err}); !goes || err != nil {
					break
				}
			}
			goes = goes && yield(job{file: i, of: f, end: true})
			f.Close()
			if !goes || ctx.Err() != nil {
				return
			}
		}
	}
	r.Files = make([]File, len(names))
	for i, name := range names {
		r.Files[i].Name = name
	}
	finders := make(chan *agent.Finder, 64)
	work := func(j job) *batch {
		var finder *agent.Finder
		select {
		case finder = <-finders:
		default:
			finder = o.Crawlers.NewFinder()
		}
		b := o.parse(j, finder)
		select {
		case finders <- finder:
		default:
		}
		return b
	}
	seen := map[line.Sum]int{} // file by its content
	for b := range audit.InOrder(iter.Seq[job](jobs), work) {
		if err := r.add(b); err != nil {
			return r, err
		}
		if f := &r.Files[b.file]; b.err != nil {
			f.Early = b.err.Error()
			if o.Warn != nil {
				o.Warn(f.Name, f.Early)
			}
		}
		if b.ended != nil {
			f := &r.Files[b.file]
			f.Format = b.ended.Format
			sum := b.ended.Sum()
			if first, twice := seen[sum]; twice && f.Lines > 0 && f.Early == "" {
				f.Twice = r.Files[first].Name
			} else {
				seen[sum] = b.file
			}
		}
	}
	if failed != nil {
		return r, failed
	}
	r.rank(o.Crawlers)
	for _, reads := range r.reads {
		for i := range reads {
			reads[i].crawler = int32(r.crawler(int(reads[i].crawler), reads[i].name))
		}
	}
	for i := range r.Files {
		if f := &r.Files[i]; o.Folders.Found[f.Name] && f.NoLog() && f.Early == "" && ctx.Err() == nil {
			f.Skipped, f.Twice = true, ""
		}
	}
	for _, name := range o.Folders.Skipped {
		r.Files = append(r.Files, File{Name: name, Skipped: true})
	}
	return r, nil
}

// add adds a batch.
func (r *Requests) add(b *batch) error {
	f := &r.Files[b.file]
	f.Counts.Add(&b.counts)
	f.Visitors += b.visitors
	for _, n := range b.hosts {
		f.Crawlers += n
	}
	if b.last != 0 {
		first, last := time.Unix(b.first, 0).UTC(), time.Unix(b.last, 0).UTC()
		if f.First.IsZero() || first.Before(f.First) {
			f.First = first
		}
		if last.After(f.Last) {
			f.Last = last
		}
	}
	r.addNames(b.names)
	r.addAddresses(b.asks)
	for _, of := range b.reads {
		if r.lost = r.lost || r.space == 0; r.lost {
			break
		}
		r.reads[of.host] = append(r.reads[of.host], of)
		r.space--
	}
	for host, packed := range b.packed {
		if r.hosts[host] == 0 && len(r.hosts) == maxHosts {
			r.Beyond += b.hosts[host]
			continue
		}
		r.hosts[host] += b.hosts[host]
		if err := r.spool.add(b.file, host, packed); err != nil {
			return fmt.Errorf("the temporary file of requests: %w", err)
		}
	}
	return nil
}

// maxHosts bounds the hosts whose requests are kept.
const maxHosts = 100_000

// parse parses the lines of a block.
func (o *Reader) parse(j job, finder *agent.Finder) *batch {
	b := &batch{file: j.file, err: j.failed}
	if j.end {
		b.ended = j.of
		return b
	}
	from, to := int64(-1<<62), int64(1<<62)
	if !o.From.IsZero() {
		from = o.From.Unix()
	}
	if !o.To.IsZero() {
		to = o.To.Unix()
	}
	packers := map[string]*packer{}
	bare := ""
	if o.HostOf != nil {
		bare = o.HostOf(j.of.Name)
	}
	lastHost, host := "", bare
	j.block.Parse(&b.counts, func(req *line.Request) {
		id, name := agent.Visitor, ""
		if req.Agent != nil {
			id, name = finder.Find(req.Agent)
		}
		if req.Sub { // an edge made it itself, and it repeats another one
			return
		}
		reads := isRobots(req.Target) && (len(req.Method) == 0 || string(req.Method) == "GET") // another method gives no file
		outside := req.Time < from || req.Time >= to
		if id < 0 {
			b.visitors += scaled(req.Sample)
			reads = reads && !gives(req.Status) // what others got matters only if it is not the file
		}
		counts := id >= 0 && !outside
		if !counts && !reads {
			return
		}
		from := sender{crawler: id, name: b.names.count(name), who: o.Crawlers.Identify(id, req.Addr, time.Unix(req.Time, 0))}
		if from.who == agent.Claimed {
			addr, _ := netip.ParseAddr(string(req.Addr))
			from.network = networkOf(addr)
		}
		if o.DNS && from.who != agent.Genuine {
			if q, ok := o.Crawlers.Ask(id, req.Addr); ok {
				from.address = b.asks.count(q)
			}
		}
		if string(req.Host) != lastHost {
			lastHost = string(req.Host)
			if host = plainHost(lastHost); host == "" {
				host = bare
			}
		}
		if req.Scheme == "" {
			req.Scheme = portScheme(lastHost)
		}
		if reads {
			b.reads = append(b.reads, read{
				file: int32(j.file), crawler: int32(id), outside: outside, who: from.who, status: int32(req.Status), n: int32(scaled(req.Sample)), at: req.Time, id: hashOf(req.ID), name: from.name, address: from.address, scheme: req.Scheme, host: host,
			})
		}
		if !counts {
			return
		}
		if b.last == 0 || req.Time < b.first {
			b.first = req.Time
		}
		b.last = max(b.last, req.Time)
		p := packers[host]
		if p == nil {
			p = &packer{}
			packers[host] = p
		}
		p.add(from, req)
	})
	j.block.Free()
	b.packed, b.hosts = map[string][]byte{}, map[string]int64{}
	for host, p := range packers {
		b.packed[host], b.hosts[host] = p.packed(), p.n
	}
	return b
}

// isRobots reports whether a request is for robots.txt.
func isRobots(target []byte) bool {
	const path = "/robots.txt"
	return len(target) >= len(path) && string(target[:len(path)]) == path && (len(target) == len(path) || target[len(path)] == '?')
}

// counts reports whether the requests of a file count.
func (r *Requests) counts(file int) bool { return r.Files[file].Twice == "" }

// Bare reports whether there are requests of crawlers whose host is not known.
func (r *Requests) Bare() bool { return r.hosts[""] > 0 }

// OtherHosts returns the hosts that are of none of the origins, those with most requests of crawlers
// first, at most limit, and the number of all their requests.
func (r *Requests) OtherHosts(origins []string, limit int) (list []audit.LogCount, all int64) {
	others := maps.Clone(r.hosts)
	for _, origin := range origins {
		delete(others, audit.HostName(origin))
	}
	delete(others, "")
	for _, n := range others {
		all += n
	}
	return ranked(others, limit), all
}
