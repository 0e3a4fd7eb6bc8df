package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"robots-audit/audit"
	"robots-audit/audit/fleet"
	"robots-audit/audit/fleet/node"
	"robots-audit/audit/fleet/store"
	"robots-audit/cmd/robots-audit/internal/fleetconfig"
	"robots-audit/cmd/robots-audit/internal/fleetwork"
	"robots-audit/cmd/robots-audit/internal/health"
	"robots-audit/cmd/robots-audit/internal/resources"
	"robots-audit/crawl"
	"robots-audit/reports"
)

// This file is the wiring of a fleet: its commands, and what they share. An audit on one machine
// comes by nothing of it.

// fleeting is one call of a command of a fleet.
type fleeting struct {
	fleetconfig.Config
	settings // of these commands: config, quiet and log-format
	std      streams
	logger   *slog.Logger
}

// flags declares the flags that these commands share, and those of the table [fleet] that are named.
func (c *fleeting) flags(command string, table ...string) *flag.FlagSet {
	f := flag.NewFlagSet(command, flag.ContinueOnError)
	c.Config.Flags(f, table...)
	f.StringVar(&c.config, "config", "", "read the table [fleet] of this TOML `file`")
	f.BoolVar(&c.quiet, "quiet", false, "only warnings and errors")
	f.StringVar(&c.logFormat, "log-format", "text", "`form` of log lines: text or json")
	return f
}

// parse reads flags, environment and configuration. ok is false where the command ends here, with code.
func (c *fleeting) parse(f *flag.FlagSet, args []string, help string, std streams) (code int, ok bool) {
	c.std = std
	if code, ok := parseFlags(f, args, help, std); !ok {
		return code, false
	}
	fixed := map[string]bool{}
	f.Visit(func(fl *flag.Flag) { fixed[fl.Name] = true })
	f.VisitAll(func(fl *flag.Flag) {
		if value, ok := os.LookupEnv(environmentName(fl.Name)); ok && !fixed[fl.Name] && (fleetconfig.IsFlag(fl.Name) || fl.Name == "config") {
			fixed[fl.Name] = true
			f.Set(fl.Name, value) // texts take whatever it is
		}
	})
	if c.config != "" {
		text, err := readBounded(c.config, maxConfig)
		if err == nil {
			err = fleetconfig.Fill(f, c.config, string(text), fixed)
		}
		if err != nil {
			return usage(std, fmt.Errorf("configuration: %w", err)), false
		}
	}
	if f.NArg() > 0 {
		return usage(std, fmt.Errorf("%s takes no arguments, and has been given %q", f.Name(), f.Arg(0))), false
	}
	if c.logFormat != "text" && c.logFormat != "json" {
		return usage(std, fmt.Errorf("-log-format %q: want text or json", c.logFormat)), false
	}
	c.logger = newLog(&c.settings, std.err)
	return 0, true
}

// secrets reads the folder of secrets, and tells what is to be mended of it; nil = there is none.
func (c *fleeting) secrets() (*node.Secrets, error) {
	if c.Secrets == "" {
		return nil, nil
	}
	secrets, err := node.ReadSecrets(c.Secrets)
	if err != nil {
		return nil, fmt.Errorf("-%w", err) // "-secrets: "
	}
	for _, text := range secrets.Warnings {
		c.logger.Warn("-secrets: " + onOneLine(text))
	}
	return secrets, nil
}

// misuse is an error of what flags and configuration say, whatever the fleet would.
type misuse struct{ error }

// nodePatience is how long a worker waits for nodes, which may be started at the same time. What waits
// longer is better told of by the exit code, whereupon a service manager starts it again.
var nodePatience = 5 * time.Minute

// connect connects to the fleet, or to a node of this process. Nodes that do not answer are waited
// for as long as patience says.
func (c *fleeting) connect(ctx context.Context, name string, own *node.Node, lease, patience time.Duration) (*fleet.Conn, func(), error) {
	server := node.Server{Node: own, Name: name, Refused: func(err error) { c.logger.Error(onOneLine(err.Error())) }}
	if own == nil {
		secrets, err := c.secrets()
		server.Secrets, server.URLs = secrets, fleetconfig.List(c.Servers)
		if err == nil {
			err = node.CheckURLs(server.URLs)
		}
		if err == nil && c.Bucket != "" {
			err = store.CheckURL(c.Bucket)
		}
		if err != nil {
			return nil, nil, misuse{err}
		}
	}
	begun, pause := time.Now(), time.Second
	for {
		conn, end, err := fleetwork.Connect(ctx, server, c.Bucket, lease)
		if err == nil {
			conn.Version = version
		}
		if err == nil || !node.Away(err) || time.Since(begun)+pause > patience {
			return conn, end, err
		}
		if pause == time.Second {
			c.logger.Warn("waiting for the fleet: " + onOneLine(err.Error()))
		}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(pause):
		}
		pause = min(2*pause, 15*time.Second)
	}
}

// refused tells why a command of a fleet ends, and returns its exit code.
func refused(std streams, err error) int {
	var wrong misuse
	if errors.As(err, &wrong) || errors.Is(err, fleet.ErrList) || errors.Is(err, fleetwork.ErrFolder) {
		return usage(std, err)
	}
	return failed(std, err)
}

// machine is how this process is called among others.
func machine(name string) string {
	if name != "" {
		return name
	}
	host, err := os.Hostname()
	if err != nil {
		host = "worker"
	}
	return fmt.Sprintf("%s-%d", host, os.Getpid())
}

// serveFleet answers for /healthz and /metrics of a fleet until ctx ends, where an address is
// given; wait returns then.
func serveFleet(ctx context.Context, address string, conn *fleet.Conn) (wait func() error, err error) {
	if address == "" {
		return func() error { return nil }, nil
	}
	l, err := health.Listen(address)
	if err != nil {
		return nil, fmt.Errorf("-listen %s: %w", address, err)
	}
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(fleet.NewCollector(conn))
	host, _, _ := net.SplitHostPort(address)
	pages := health.Pages{Metrics: metrics, Where: "-listen", Check: func() (string, bool) {
		if !conn.NATS.IsConnected() {
			return "no node of the fleet answers\n", false
		}
		return "connected to " + conn.NATS.ConnectedAddr() + "\n", true
	}}
	served := make(chan error, 1)
	go func() { served <- pages.Serve(ctx, l, []string{host}) }()
	return func() error { return <-served }, nil
}

// prepare returns what makes of a run's settings what an audit makes of its flags. workers are
// those of this process; perAddress is what all its runs together may ask of an IP address at a
// time, 0 = each as much as it says itself. A run that says less has a bound of its own.
func prepare(workers, perAddress int) fleetwork.Prepare {
	addresses := crawl.NewAddresses(perAddress)
	return func(ctx context.Context, run *fleet.Run, inputs string, list func() (io.ReadCloser, error)) (*fleetwork.Audit, error) {
		var s settings
		f := s.flags("audit")
		if err := fleetwork.Unpack(f, run); err != nil {
			return nil, err
		}
		s.use(f)
		s.workers = workers
		s.useCopies(inputs)
		if err := s.check(); err != nil {
			return nil, err
		}
		a, err := s.prepared(run.Submitted, list)
		if err == nil && perAddress > 0 && (s.perAddress == 0 || s.perAddress >= perAddress) {
			a.Auditor.Client.Addresses = addresses
		}
		return a, err
	}
}

// useCopies has the settings name the copies of files that lie in a folder.
func (s *settings) useCopies(dir string) {
	for name, value := range map[string]*string{"urls": &s.urls, "indexed": &s.indexed, "segments": &s.segments} {
		if *value != "" {
			*value = fleetwork.Copy(dir, name, 0, *value)
		}
	}
	for name, values := range map[string]list{"robots": s.robots, "ca-cert": s.caCert} {
		for i := range values {
			values[i] = fleetwork.Copy(dir, name, i, values[i])
		}
	}
}

// prepared is the auditor with the options of the reports, as runOver has them.
func (s *settings) prepared(started time.Time, list func() (io.ReadCloser, error)) (*fleetwork.Audit, error) {
	auditor, err := s.auditor()
	if err != nil {
		return nil, err
	}
	failOn, err := s.readFailOn(auditor.Crawlers)
	if err != nil {
		return nil, err
	}
	segments, err := s.readSegments()
	if err != nil {
		return nil, err
	}
	if auditor.Known != nil && list != nil {
		in, err := list()
		if err != nil {
			return nil, err
		}
		auditor.Known.Assign(audit.Domains(in))
		if err := in.Close(); err != nil {
			return nil, err
		}
	}
	a := &fleetwork.Audit{Auditor: auditor, Lists: s.knownFlags(), Remarks: s.tellServed(auditor.Client.Served)}
	a.Options = s.reportOptions(auditor, failOn, segments, started)
	return a, nil
}

// reportOptions are the options of a run's reports, but for its folder.
func (s *settings) reportOptions(auditor *audit.Auditor, failOn reports.FailOn, segments []reports.Segment, started time.Time) reports.Options {
	return reports.Options{
		Rows: s.rows, Formats: s.formats(), CSVMark: s.csvBOM, Reports: names(s.reports), SingleFile: s.single, Version: version, Crawlers: auditor.Crawlers, Segments: segments, Started: started, Settings: s.used, FailOn: failOn,
	}
}

const nodeHelp = `robots-audit node is one of the servers that keep the queue of a fleet: one, or three that
hold what is queued together, so that any of them may fail. It needs a disk, and next to no CPU.

Nothing listens beyond this machine without secrets: a folder with certificates and passwords,
which node -init makes once, and which is to be copied to all machines of the fleet.

  node -init DIR -hosts n1.example,n2.example,n3.example
  node -name n1 -dir DIR -listen n1.example:4222 -secrets DIR
       -cluster n1.example:6222 -peers n1.example:6222,n2.example:6222,n3.example:6222

Examples:
  robots-audit node -init /etc/robots-audit/fleet -hosts n1.example
  robots-audit node -name n1 -dir /var/lib/robots-audit/n1 -listen n1.example:4222 -secrets /etc/robots-audit/fleet
  robots-audit node -name n1 -dir n1 -listen 127.0.0.1:4222

Exit codes: 0 done; 2 usage or configuration; 4 the node failed; 130 stopped by a signal.
`

func runNode(args []string, std streams) int {
	var c fleeting
	var o node.Options
	var peers, initDir, hosts string
	f := c.flags("node", "secrets")
	f.StringVar(&o.Name, "name", "", "`name` of the node, which no other of the fleet has")
	f.StringVar(&o.Dir, "dir", "", "`folder` for the queue, on a disk of this machine")
	f.StringVar(&o.Listen, "listen", "", "`host:port` for workers and those who submit")
	f.StringVar(&o.Cluster, "cluster", "", "`host:port` for the other nodes; none = there are none")
	f.StringVar(&peers, "peers", "", "`host:port` of -cluster of all nodes, with commas between them")
	f.Int64Var(&o.MaxStore, "max-store", 0, "`bytes` of the disk that the queue may fill; 0 is as the server thinks best")
	f.StringVar(&initDir, "init", "", "make a `folder` of secrets, and end")
	f.StringVar(&hosts, "hosts", "", "`names` and addresses of the nodes for -init, with commas between them")
	if code, ok := c.parse(f, args, nodeHelp, std); !ok {
		return code
	}
	if initDir != "" {
		if hosts == "" {
			return usage(std, errors.New("node -init needs -hosts: the names and addresses by which the nodes are reached, since their certificate has them"))
		}
		if err := node.Init(initDir, fleetconfig.List(hosts), time.Now()); err != nil {
			return failed(std, fmt.Errorf("-init %w", err))
		}
		fmt.Fprintf(std.out, "%s: copy this folder to all machines of the fleet; who has it may submit and read all runs\n", onOneLine(initDir))
		return exitDone
	}
	if o.Name == "" || o.Dir == "" {
		return usage(std, errors.New("node needs -name and -dir: what it is called, and where its queue lies"))
	}
	if o.Listen == "" {
		return usage(std, errors.New("node needs -listen: the address at which workers reach it, such as 127.0.0.1:4222"))
	}
	secrets, err := c.secrets()
	if err != nil {
		return usage(std, err)
	}
	o.Secrets, o.Peers, o.Log = secrets, fleetconfig.List(peers), c.nodeLog
	ctx, release := untilSignal()
	defer release()
	o.Peers = slices.DeleteFunc(o.Peers, func(peer string) bool { return peer == o.Cluster }) // so that all nodes may have one list
	n, err := node.Start(ctx, o)
	if err != nil {
		if ctx.Err() != nil {
			return exitSignal
		}
		if node.Mistaken(err) {
			return usage(std, err)
		}
		return failed(std, err)
	}
	c.logger.Info("node "+o.Name+" is up", "address", n.Addr(), "folder", o.Dir)
	select {
	case err := <-n.Failed(): // it was logged, too
		n.Stop()
		return failed(std, err)
	case <-ctx.Done():
	}
	c.logger.Info("stopping: clients go to other nodes")
	n.Stop()
	return exitSignal
}

// nodeLog takes what a node says.
func (c *fleeting) nodeLog(level, text string) {
	levels := map[string]slog.Level{"info": slog.LevelDebug, "warning": slog.LevelWarn, "error": slog.LevelError}
	c.logger.Log(context.Background(), levels[level], onOneLine(text))
}

const workerHelp = `robots-audit worker takes sites of a fleet's runs from the queue, audits them as an audit on
one machine does, and stores what it finds in the bucket; and it puts runs together. Start as
many as there are machines. It takes sites of its -region alone, and of runs that a program of its
version has submitted, up to the second number; others wait for workers that fit. Of those of one
region and version, no more than one at a time asks a host. -delay, -rate and -connections of a
run hold for each worker by itself, and -per-address of the worker
for all its runs; a run may ask for less. A site that waits for its server stands aside for
another, as in an audit on one machine.

A site whose robots.txt answers with a server error, or not at all, is tried again later, as
Retry-After asks for or after -retry-delay, doubled each time; the last of -tries counts
whatever it finds. SIGTERM lets the sites in work finish for some seconds, and gives the others
back: no site is lost, whatever becomes of a worker. It waits for nodes that do not answer yet,
five minutes at most; where one refuses, it ends at once.

Examples:
  robots-audit worker -servers tls://n1.example:4222 -bucket file:///srv/audits -secrets /etc/robots-audit/fleet
  robots-audit worker -config fleet.toml -workers 64 -listen 127.0.0.1:7072
  robots-audit worker -config fleet.toml -workers 0 -runs 4

Exit codes: 0 done; 2 usage or configuration; 4 the fleet cannot be reached, or refuses;
130 stopped by a signal.
`

// working are the settings of a worker.
type working struct {
	fleeting
	name, scratch, listen, cacheFile string
	sites, runs, perAddress          int
	lease                            time.Duration
	retry                            fleet.Retry
}

func runWorker(args []string, std streams) int {
	var c working
	f := c.flags("worker", "servers", "bucket", "secrets", "region")
	f.StringVar(&c.name, "name", "", "`name` of the worker, which no other has (default host and process)")
	f.IntVar(&c.sites, "workers", 16, "`number` of sites at work at a time; 0 = none: it only puts runs together")
	f.IntVar(&c.runs, "runs", 1, "`number` of runs that are put together at a time; 0 = none: it only audits sites")
	f.IntVar(&c.perAddress, "per-address", 8, "most `requests` under way at a time to one IP address, of all runs and sites; 0 = as many as each run allows")
	f.StringVar(&c.scratch, "scratch", "", "`folder` for files until they are in the bucket (default one of the system's for temporary files)")
	f.DurationVar(&c.lease, "lease", time.Minute, "`time` after which the sites of a worker that is silent are given to others, with three nodes a minute or more; the first of a fleet decides")
	f.IntVar(&c.retry.Tries, "tries", 6, "`number` of tries for a site whose robots.txt cannot be had")
	f.DurationVar(&c.retry.Base, "retry-delay", time.Minute, "`time` before the second try of a site; it is doubled for each further one")
	f.StringVar(&c.listen, "listen", "", "`host:port` for /healthz and /metrics, without a login")
	f.StringVar(&c.cacheFile, "cache", "", "`file` that keeps robots.txt answers for a day, and the last good ones for longer (default none)")
	if code, ok := c.parse(f, args, workerHelp, std); !ok {
		return code
	}
	err := c.Missing("worker", "servers", "bucket")
	switch {
	case err != nil:
	case c.sites < 0 || c.runs < 0 || c.sites+c.runs == 0:
		err = fmt.Errorf("-workers %d -runs %d: a worker has sites or runs to do", c.sites, c.runs)
	case c.perAddress < 0:
		err = fmt.Errorf("-per-address %d: must not be negative", c.perAddress)
	case c.lease < time.Second:
		err = fmt.Errorf("-lease %v: must be at least a second", c.lease)
	case c.retry.Tries < 1 || c.retry.Base <= 0:
		err = fmt.Errorf("-tries %d -retry-delay %v: must be more than nothing", c.retry.Tries, c.retry.Base)
	case !fleet.ValidRegion(c.Region):
		err = fmt.Errorf("-region %q: want small letters, digits and hyphens", c.Region)
	}
	if err != nil {
		return usage(std, err)
	}
	ctx, release := untilSignal()
	defer release()
	name := machine(c.name)
	conn, end, err := c.connect(ctx, "worker "+name, nil, c.lease, nodePatience)
	if err == nil {
		defer end()
		err = c.work(ctx, conn, name)
	}
	switch {
	case ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)):
		return exitSignal
	case err != nil:
		return refused(std, err)
	}
	return exitDone
}

// work does sites and runs until ctx ends.
func (c *working) work(ctx context.Context, conn *fleet.Conn, name string) error {
	if c.scratch != "" {
		if err := os.MkdirAll(c.scratch, 0o755); err != nil {
			return fmt.Errorf("-scratch: %w", err)
		}
	}
	scratch, err := os.MkdirTemp(c.scratch, "robots-audit-worker-")
	if err != nil {
		return fmt.Errorf("-scratch: %w", err)
	}
	defer os.RemoveAll(scratch) // best effort: it is of no use to anybody else
	place := &fleetwork.Place{Bucket: conn.Bucket, Scratch: scratch, Version: version, Log: c.logger, Prepare: prepare(max(c.sites, 1), c.perAddress)}
	if c.cacheFile != "" {
		cache, remark, err := (&settings{cache: c.cacheFile}).openCache(c.logger)
		if err != nil {
			return err
		}
		defer closeCache(cache, c.logger)
		place.Prepare = cached(place.Prepare, cache, remark)
	}
	if conn.Timing, err = conn.Setup(ctx); err != nil {
		return err
	}
	c.logger.Info("worker "+name+" is up", "region", c.Region, "sites", c.sites, "runs", c.runs)
	return (&crew{place: place, conn: conn, name: name, region: c.Region, sites: c.sites, runs: c.runs, retry: c.retry, listen: c.listen}).run(ctx)
}

// cached has auditors use a cache.
func cached(prepare fleetwork.Prepare, cache *crawl.Cache, remark string) fleetwork.Prepare {
	return func(ctx context.Context, run *fleet.Run, inputs string, list func() (io.ReadCloser, error)) (*fleetwork.Audit, error) {
		a, err := prepare(ctx, run, inputs, list)
		if err == nil {
			a.Auditor.Client.Cache = cache
			a.Remarks = append(a.Remarks, remark)
		}
		return a, err
	}
}

// crew are the worker and the coordinator of a process.
type crew struct {
	place        *fleetwork.Place
	conn         *fleet.Conn
	name, region string
	sites, runs  int
	retry        fleet.Retry
	listen       string
}

// run lets them work until ctx ends.
func (c *crew) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	recorder := fleet.NewRecorder(c.name, c.region, version, c.sites, c.runs)
	served, err := serveFleet(ctx, c.listen, c.conn)
	if err != nil {
		return err
	}
	group.Go(served)
	say := func(level, text string) {
		levels := map[string]slog.Level{"info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
		c.place.Log.Log(ctx, levels[level], onOneLine(text))
	}
	if c.sites > 0 {
		working, waiting, _ := resources.SiteLimits(resources.OpenFiles(), c.sites)
		worker := &fleet.Worker{
			Conn: c.conn, Region: c.region, Name: c.name, Retry: c.retry, Grace: grace, Log: say, Watch: recorder,
			Work: fleetwork.Work{Place: c.place}, Pool: audit.NewPool(working, waiting),
		}
		group.Go(func() error { return worker.Run(ctx) })
	}
	if c.runs > 0 {
		coordinator := &fleet.Coordinator{Conn: c.conn, Name: c.name, Runs: c.runs, Merge: fleetwork.Merge{Place: c.place}, Log: say}
		recorder.Runs = func() (runs []fleet.Coordinating) {
			for _, p := range coordinator.Progress() {
				runs = append(runs, p.Coordinating())
			}
			return runs
		}
		group.Go(func() error { return coordinator.Run(ctx) })
	}
	quiet, err := recorder.Answer(c.conn.NATS)
	if err != nil {
		cancel()
		return errors.Join(err, group.Wait())
	}
	defer quiet()
	return group.Wait()
}

const statusHelp = `robots-audit status tells what a fleet is at: what is wrong, how far runs are and when they are
done, what each worker does and how fast, which sites are in work longest, which failed and why,
how many wait to be tried again, and how the queue and its nodes are.

AGAIN are those held that were given out before, BACK the sites that a worker gave back, UNKNOWN
those that could not be read, FAILED those of which too many tries came to no end. The time that is
LEFT goes by the last five minutes. "robots-audit help fleet" has the keys of -json and the metrics.

Examples:
  robots-audit status -config fleet.toml
  robots-audit status -config fleet.toml -watch
  robots-audit status -config fleet.toml -run 20270104-060000-k3x9ab2c
  robots-audit status -servers tls://n1.example:4222 -secrets /etc/robots-audit/fleet -json
  robots-audit status -config fleet.toml -listen 127.0.0.1:7073

Exit codes: 0 done; 2 usage or configuration; 4 the fleet cannot be reached; 130 stopped by a signal.
`

// statusPause is the time between two pictures of -watch.
const statusPause = 2 * time.Second

func runStatus(args []string, std streams) int {
	var c fleeting
	f := c.flags("status", "servers", "secrets")
	watch := f.Bool("watch", false, "tell it again every two seconds, until a signal comes")
	run := f.String("run", "", "only the run with this `id`, as submit prints it")
	asJSON := f.Bool("json", false, "tell it as JSON")
	listen := f.String("listen", "", "`host:port` for /healthz and /metrics of the fleet, until a signal comes")
	if code, ok := c.parse(f, args, statusHelp, std); !ok {
		return code
	}
	if err := c.Missing("status", "servers"); err != nil {
		return usage(std, err)
	}
	if *run != "" && !fleet.ValidID(*run) {
		return usage(std, fmt.Errorf("-run %q: not the id of a run", *run))
	}
	ctx, release := untilSignal()
	defer release()
	conn, end, err := c.connect(ctx, "status", nil, 0, 0)
	if err == nil {
		defer end()
		var served func() error
		if served, err = serveFleet(ctx, *listen, conn); err == nil && *listen != "" {
			err = served()
			*watch = true // it ends by a signal
		} else if err == nil {
			err = c.show(ctx, conn, *run, *watch, *asJSON)
		}
	}
	switch {
	case ctx.Err() != nil:
		return exitSignal
	case err != nil:
		return refused(std, err)
	}
	return exitDone
}

// show tells a fleet's status once, or until ctx ends.
func (c *fleeting) show(ctx context.Context, conn *fleet.Conn, run string, again, asJSON bool) error {
	for {
		status, err := fleet.ReadStatus(ctx, conn)
		if err != nil {
			return err
		}
		if run != "" {
			if err := status.Only(ctx, conn, run); err != nil {
				return err
			}
		}
		var picture bytes.Buffer // written at once, so that -watch does not flicker
		if again && terminal(c.std.out) {
			picture.WriteString("\x1b[H\x1b[2J")
		}
		if asJSON {
			err = status.WriteJSON(&picture)
		} else {
			err = status.WriteText(&picture, width(c.std.out))
		}
		if err == nil {
			_, err = c.std.out.Write(picture.Bytes())
		}
		if err != nil || !again {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(statusPause):
		}
	}
}
