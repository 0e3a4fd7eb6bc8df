package logs

import (
	"encoding/binary"
	"errors"
	"hash/maphash"
	"io"
	"iter"
	"math"
	"os"
	"sync"

	"github.com/klauspost/compress/zstd"

	"robots-audit/audit/logs/agent"
	"robots-audit/audit/logs/line"
)

// request is a request of a crawler, as the spool keeps it. Its byte slices are valid until the
// next one.
type request struct {
	sender
	proof   proof
	scheme  string // "" = the line has none
	decoded bool
	status  int
	at      int64  // Unix seconds
	n       int64  // requests that the line stands for: 1 if each has one
	id      uint64 // hash of the line's request id; 0 = none
	target  []byte
}

// maxScale bounds the requests that a line stands for.
const maxScale = 1_000_000

// scaled is the number of requests that a line of a log stands for, of which it has the share sample.
func scaled(sample float64) int64 {
	if sample > 0 && sample < 1 {
		return int64(math.Round(min(1/sample, maxScale)))
	}
	return 1
}

// sender is who sent a request.
type sender struct {
	crawler int
	name    uint64 // hash of the name of a crawler that is not listed; 0 = it has none
	who     agent.Identity
	address uint64 // hash of an address that DNS may prove; 0 = it may not
	network uint64 // of one who only claims a name: see networkOf; 0 = not known
}

// packer packs the requests of one block to one host.
type packer struct {
	out  []byte
	last int64
	n    int64 // requests
}

// Bits of a packed request.
const (
	packIdentity = 3 // two bits
	packHTTP     = 1 << 2
	packHTTPS    = 1 << 3
	packDecoded  = 1 << 4
	packScaled   = 1 << 5
	packID       = 1 << 6
	packAddress  = 1 << 7
)

var idSeed = maphash.MakeSeed()

// hashOf is the hash of a request id; 0 = none.
func hashOf(id []byte) uint64 {
	if len(id) == 0 {
		return 0
	}
	return maphash.Bytes(idSeed, id)
}

func (p *packer) add(from sender, req *line.Request) {
	n := scaled(req.Sample)
	p.n += n
	flags := byte(from.who) & packIdentity
	switch req.Scheme {
	case "http":
		flags |= packHTTP
	case "https":
		flags |= packHTTPS
	}
	if req.Decoded {
		flags |= packDecoded
	}
	if n != 1 {
		flags |= packScaled
	}
	if len(req.ID) > 0 {
		flags |= packID
	}
	if from.address != 0 {
		flags |= packAddress
	}
	p.out = append(p.out, flags)
	crawler := uint64(from.crawler) << 1 // the last bit says that a name follows
	if from.name != 0 {
		crawler |= 1
	}
	p.out = binary.AppendUvarint(p.out, crawler)
	if from.name != 0 {
		p.out = binary.LittleEndian.AppendUint64(p.out, from.name)
	}
	p.out = binary.AppendVarint(p.out, req.Time-p.last)
	p.last = req.Time
	p.out = binary.AppendUvarint(p.out, uint64(req.Status))
	if flags&packScaled != 0 {
		p.out = binary.AppendUvarint(p.out, uint64(n))
	}
	if flags&packID != 0 {
		p.out = binary.LittleEndian.AppendUint64(p.out, hashOf(req.ID))
	}
	if from.address != 0 {
		p.out = binary.LittleEndian.AppendUint64(p.out, from.address)
	}
	if from.who == agent.Claimed {
		p.out = binary.AppendUvarint(p.out, from.network)
	}
	p.out = binary.AppendUvarint(p.out, uint64(len(req.Target)))
	p.out = append(p.out, req.Target...)
}

// encoders are idle encoders: each takes megabytes.
var encoders = sync.Pool{New: func() any {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic("logs: " + err.Error()) // only wrong options are an error
	}
	return e
}}

// packed returns the compressed requests; nil = there are none.
func (p *packer) packed() []byte {
	if len(p.out) == 0 {
		return nil
	}
	e := encoders.Get().(*zstd.Encoder)
	defer encoders.Put(e)
	return e.EncodeAll(p.out, make([]byte, 0, len(p.out)/4))
}

// maxInMemory is the size of compressed requests above which they are kept in a temporary file.
const maxInMemory = 32 << 20

// spool keeps compressed requests by host: in memory, or in a temporary file if they are many.
type spool struct {
	dir   string
	limit int      // bytes in memory
	file  *os.File // nil = all are in memory
	held  int      // bytes in memory, or in the file
	hosts map[string]*[]spooled
}

// spooled is one compressed block.
type spooled struct {
	file   int
	at     int64 // in the temporary file
	length int
	data   []byte // nil = in the temporary file
}

// add adds a block of requests to a host, which is written as origins are, see plainHost.
func (s *spool) add(file int, host string, data []byte) error {
	if s.file == nil && s.held+len(data) > s.limit {
		f, err := os.CreateTemp(s.dir, ".requests-*")
		if err != nil {
			return err
		}
		os.Remove(f.Name()) // nothing is left if the program is killed. Windows removes it in close
		s.file, s.held = f, 0
		for _, blocks := range s.hosts {
			for i := range *blocks {
				if err := s.write(&(*blocks)[i]); err != nil {
					return err
				}
			}
		}
	}
	block := spooled{file: file, length: len(data), data: data}
	if s.file != nil {
		if err := s.write(&block); err != nil {
			return err
		}
	} else {
		s.held += len(data)
	}
	blocks := s.hosts[host]
	if blocks == nil {
		blocks = new([]spooled)
		if s.hosts == nil {
			s.hosts = map[string]*[]spooled{}
		}
		s.hosts[host] = blocks
	}
	*blocks = append(*blocks, block)
	return nil
}

// write moves a block into the temporary file.
func (s *spool) write(b *spooled) error {
	if _, err := s.file.Write(b.data); err != nil {
		return err
	}
	b.at, b.data = int64(s.held), nil
	s.held += b.length
	return nil
}

func (s *spool) close() error {
	s.hosts = nil
	if s.file == nil {
		return nil
	}
	f := s.file
	s.file = nil
	err := f.Close()
	os.Remove(f.Name())
	return err
}

var errSpool = errors.New("the temporary file of requests was changed by another program")

// requests yields the requests to a host in the files that count. The request is reused. Several
// goroutines may read at once.
func (s *spool) requests(host string, counts func(file int) bool) iter.Seq2[*request, error] {
	return func(yield func(*request, error) bool) {
		blocks := s.hosts[host]
		if blocks == nil {
			return
		}
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
		if err != nil {
			yield(nil, err)
			return
		}
		defer d.Close()
		var packed, text []byte
		var req request
		for _, b := range *blocks {
			if !counts(b.file) {
				continue
			}
			data := b.data
			if data == nil {
				if cap(packed) < b.length {
					packed = make([]byte, b.length)
				}
				data = packed[:b.length]
				if _, err := s.file.ReadAt(data, b.at); err != nil && err != io.EOF {
					yield(nil, err)
					return
				}
			}
			if text, err = d.DecodeAll(data, text[:0]); err != nil {
				yield(nil, errSpool)
				return
			}
			u := unpacker{in: text}
			for u.next(&req) {
				if !yield(&req, nil) {
					return
				}
			}
			if u.bad {
				yield(nil, errSpool)
				return
			}
		}
	}
}

// unpacker reads what a packer wrote.
type unpacker struct {
	in   []byte
	last int64
	bad  bool
}

func (u *unpacker) next(req *request) bool {
	if len(u.in) == 0 || u.bad {
		return false
	}
	flags := u.in[0]
	u.in = u.in[1:]
	*req = request{sender: sender{who: agent.Identity(flags & packIdentity)}, decoded: flags&packDecoded != 0, n: 1}
	switch {
	case flags&packHTTP != 0:
		req.scheme = "http"
	case flags&packHTTPS != 0:
		req.scheme = "https"
	}
	crawler := u.number()
	if req.crawler = int(crawler >> 1); crawler&1 != 0 {
		req.name = u.fixed()
	}
	step, n := binary.Varint(u.in)
	u.skip(n)
	u.last += step
	req.at = u.last
	req.status = int(u.number())
	if flags&packScaled != 0 {
		req.n = int64(u.number())
	}
	if flags&packID != 0 {
		req.id = u.fixed()
	}
	if flags&packAddress != 0 {
		req.address = u.fixed()
	}
	if req.who == agent.Claimed {
		req.network = u.number()
	}
	req.target = u.text()
	return !u.bad
}

func (u *unpacker) skip(n int) {
	if n <= 0 || n > len(u.in) {
		u.bad, u.in = true, nil
		return
	}
	u.in = u.in[n:]
}

func (u *unpacker) number() uint64 {
	v, n := binary.Uvarint(u.in)
	u.skip(n)
	return v
}

func (u *unpacker) fixed() (v uint64) {
	if len(u.in) >= 8 {
		v = binary.LittleEndian.Uint64(u.in)
	}
	u.skip(8)
	return v
}

func (u *unpacker) text() []byte {
	n := u.number()
	if n > uint64(len(u.in)) {
		u.bad, u.in = true, nil
		return nil
	}
	text := u.in[:n]
	u.in = u.in[n:]
	return text
}
