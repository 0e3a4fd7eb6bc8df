package line

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"robots-audit/engine/wording"
)

// Format is how the lines of a log are written. It has text parts, or columns, or names of JSON.
type Format struct {
	Name string // "combined", "IIS W3C", "Caddy JSON"

	parts   []part  // text: the values and what is before each
	end     []byte  // text after the last value
	tail    bool    // the line may have more fields than the format
	columns []field // W3C: the field of each column
	percent bool    // W3C: values have percent-encoding; false = "+" for blanks
	json    *keys   // JSON: names of fields
	has     []field // the fields that the format has
	also    *Format // another form of the lines of the same program
}

// field is a part of a line that a request is made of.
type field uint8

const (
	fNone field = iota
	fTime
	fDate
	fZone
	fRequest
	fMethod
	fURI       // path and query as sent, or a URL
	fPath      // decoded path
	fRewritten // path that the server decoded and perhaps replaced by another
	fUnsure    // with a query it is fURI, else it may be fRewritten
	fQuery
	fHost
	fScheme
	fPort
	fStatus
	fAgent
	fAddr
	fForwarded
	fID
	fSample
	fParent
	fLine // a whole line of another format
	fieldCount
)

// fieldNames are the names that users give in a format for JSON.
var fieldNames = map[string]field{
	"time": fTime, "date": fDate, "zone": fZone, "request": fRequest, "method": fMethod, "path": fURI, "url": fURI,
	"decoded": fPath, "rewritten": fRewritten, "unsure": fUnsure, "query": fQuery, "host": fHost, "scheme": fScheme, "port": fPort, "status": fStatus,
	"agent": fAgent, "addr": fAddr, "forwarded": fForwarded, "id": fID, "sample": fSample, "parent": fParent, "line": fLine,
}

// variable is a name of a field in the configuration of a server. Of several for the same field in a
// format, the one that stands first in its table is used.
type variable struct {
	name  string
	field field
}

// nginxVariables are the variables of nginx's log_format.
var nginxVariables = []variable{
	{"time_iso8601", fTime}, {"msec", fTime}, {"time_local", fTime},
	{"request", fRequest}, {"request_method", fMethod}, {"request_uri", fURI},
	{"uri", fRewritten}, {"document_uri", fRewritten}, {"args", fQuery}, {"query_string", fQuery},
	{"host", fHost}, {"http_host", fHost}, {"server_name", fHost},
	{"http_x_forwarded_proto", fScheme}, {"scheme", fScheme}, {"https", fScheme}, {"server_port", fPort},
	{"status", fStatus}, {"http_user_agent", fAgent}, {"remote_addr", fAddr},
	{"http_x_forwarded_for", fForwarded}, {"proxy_add_x_forwarded_for", fForwarded}, {"request_id", fID},
}

// apacheDirectives are the directives of Apache's LogFormat, in lower case if they have a name.
var apacheDirectives = []variable{
	{"t", fTime}, {"r", fRequest}, {"m", fMethod}, {"U", fPath}, {"q", fQuery},
	{"{host}i", fHost}, {"V", fHost}, {"v", fHost}, {"{x-forwarded-proto}i", fScheme}, {"p", fPort},
	{"s", fStatus}, {"{user-agent}i", fAgent}, {"a", fAddr}, {"h", fAddr},
	{"{x-forwarded-for}i", fForwarded}, {"{unique_id}e", fID}, {"L", fID},
}

// w3cColumns are the names of columns in "#Fields:".
var w3cColumns = []variable{
	{"date", fDate}, {"time", fTime}, {"cs-method", fMethod}, {"cs-uri", fURI}, {"cs-uri-stem", fPath}, {"cs-uri-query", fQuery},
	{"x-host-header", fHost}, {"cs-host", fHost}, {"cs(Host)", fHost}, {"cs-protocol", fScheme}, {"s-port", fPort},
	{"sc-status", fStatus}, {"cs(User-Agent)", fAgent}, {"c-ip", fAddr}, {"cs(X-Forwarded-For)", fForwarded}, {"X-Forwarded-For", fForwarded},
	{"x-edge-request-id", fID},
}

const (
	combinedEnd   = ` - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"`
	cloudFrontAll = "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query " +
		"cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher " +
		"x-edge-response-result-type cs-protocol-version"
)

// builtins are the known formats in the forms that users write. A line is of the first that it fits.
// The address is the one of the connection, because a client can send any X-Forwarded-For: Traefik's
// ClientHost and Azure's clientIp are taken from it.
var builtins = []struct {
	name, form string
	tail       bool
}{
	{"nginx proxy manager", `[$time_local] $_ $_ $status - $request_method $scheme $host "$request_uri" [Client $remote_addr] [Length $_] [Gzip $_] [Sent-to $_] "$http_user_agent" "$http_referer"`, true},
	{"nginx proxy manager", `[$time_local] $status - $request_method $scheme $host "$request_uri" [Client $remote_addr] [Length $_] [Gzip $_] "$http_user_agent" "$http_referer"`, true},
	{"Envoy", `[$time_iso8601] "$request" $status $_ $_ $_ $_ $_ "$http_x_forwarded_for" "$http_user_agent" "$_" "$host"`, true},
	{"Envoy", `[$time_iso8601] "$request" $status $_ $_ $_ "$_" $_ $_ $_ $_ "$http_x_forwarded_for" "$http_user_agent" "$_" "$host"`, true}, // Istio
	{"AWS ALB", `$_ $time_iso8601 $_ $remote_addr $_ $_ $_ $_ $status $_ $_ $_ "$request" "$http_user_agent" $_ $_ $_ "$_"`, true},
	{"AWS ELB", `$time_iso8601 $_ $remote_addr $_ $_ $_ $_ $status $_ $_ $_ "$request" "$http_user_agent"`, true},
	{"HAProxy", `$remote_addr [$time_local] $_ $_ $_ $status $_ $_ $_ $_ $_ $_ "$request"`, true},
	{"Traefik CLF", `$remote_addr` + combinedEnd + ` $_ "$_" "$_" $_`, false},
	{"vhost_combined", `$host $remote_addr` + combinedEnd, true},
	{"nginx main", `$remote_addr` + combinedEnd + ` "$http_x_forwarded_for"`, true},
	{"combined", `$remote_addr` + combinedEnd, true},
	{"lighttpd", `$remote_addr $host - [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"`, true},
	{"vhost_common", `$host $remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent`, false},
	{"common", `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent`, false},
	{"CloudFront", "#Fields: " + cloudFrontAll, false},
	{"IIS W3C", "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus sc-win32-status time-taken", false},
	{"Cloudflare JSON", "time=EdgeStartTimestamp|EdgeEndTimestamp|Datetime,method=ClientRequestMethod,path=ClientRequestURI,rewritten=ClientRequestPath,host=ClientRequestHost," +
		"scheme=ClientRequestScheme,status=EdgeResponseStatus,agent=ClientRequestUserAgent,addr=ClientIP,id=RayID,parent=ParentRayID," +
		"sample=SampleInterval|SampleRate|sample_rate", false},
	{"Caddy JSON", "time=ts,method=request.method,path=request.uri,host=request.host,scheme=request.tls,status=status,agent=request.headers.User-Agent," +
		"addr=request.client_ip|request.remote_ip|request.remote_addr,forwarded=request.headers.X-Forwarded-For", false},
	{"Traefik JSON", "time=StartUTC|StartLocal|time,method=RequestMethod,path=RequestPath,host=RequestHost|RequestAddr,scheme=RequestScheme," +
		"status=DownstreamStatus,agent=request_User-Agent,addr=ClientAddr,forwarded=ClientHost|request_X-Forwarded-For", false},
	{"Google Cloud JSON", "time=timestamp|receiveTimestamp,method=httpRequest.requestMethod,path=httpRequest.requestUrl,status=httpRequest.status," +
		"agent=httpRequest.userAgent,addr=httpRequest.remoteIp,id=insertId", false},
	{"Azure JSON", "time=time|timeStamp,method=properties.httpMethod,path=properties.originalRequestUriWithArgs|properties.requestUri," +
		"query=properties.requestQuery,host=properties.originalHost|properties.host|properties.hostName,scheme=properties.requestProtocol|properties.sslEnabled," +
		"status=properties.httpStatusCode|properties.httpStatus,agent=properties.userAgent,addr=properties.socketIp|properties.clientIp|properties.clientIP," +
		"id=properties.trackingReference|properties.transactionId", false},
	{"Vercel JSON", "time=proxy.timestamp|timestamp|timestampInMs,method=proxy.method,path=proxy.path,host=proxy.host|host,scheme=proxy.scheme," +
		"status=proxy.statusCode|statusCode,agent=proxy.userAgent,addr=proxy.clientIp,id=requestId", false},
	{"Fastly JSON", "time=timestamp,method=request_method,path=url,host=host,status=response_status,agent=request_user_agent,addr=client_ip", false},
	{"CloudFront JSON", "date=date,time=time,method=cs-method,path=cs-uri-stem,query=cs-uri-query,host=x-host-header|cs(Host),scheme=cs-protocol," +
		"status=sc-status,agent=cs(User-Agent),addr=c-ip,id=x-edge-request-id", false},
	{"JSON", "time=time_iso8601|@timestamp|timestamp|time_local|msec|time|ts|datetime|date_time|start_time|date," +
		"request=request|request_line,method=request_method|method|http_method|verb|http.request.method," +
		"path=request_uri|uri_path|request_path|url|path|url.original|url.path,unsure=uri|document_uri,query=args|query_string|query|url.query," +
		"host=http_host|host|server_name|vhost|domain|hostname|url.domain,scheme=http_x_forwarded_proto|scheme|request_scheme|https|url.scheme," +
		"port=server_port|port,status=status|status_code|response_status|response_code|http.response.status_code," +
		"agent=http_user_agent|user_agent|useragent|agent|userAgent|request_user_agent|ua|user_agent.original," +
		"addr=remote_addr|client_ip|remote_ip|clientip|ip|client|remote_host|client.ip|source.ip,forwarded=http_x_forwarded_for|x_forwarded_for|xff," +
		"id=request_id|req_id", false},
	{"Docker JSON", "line=log|message|msg", false},
}

// builtin are the formats of builtins.
var builtin = func() (all []*Format) {
	for _, b := range builtins {
		f, err := parseForm(b.form)
		if err != nil {
			panic(b.name + ": " + err.Error()) // a row of the table is wrong
		}
		f.Name, f.tail = b.name, b.tail
		if n := len(all) - 1; n >= 0 && all[n].Name == f.Name {
			all[n].also = f
		}
		all = append(all, f)
	}
	return all
}()

// configuration matches a directive of nginx or Apache around a format, with the quoted parts in it.
var configuration = regexp.MustCompile(`(?is)^\s*(?:log_format|LogFormat|CustomLog)\s+(.*)$`)

// ParseFormat reads a format as users have it: the name of a format that is built in, Apache's
// LogFormat, nginx's log_format, "#Fields: …" of W3C, or names of JSON like
// "time=ts,path=request_uri|uri,agent=headers.User-Agent".
//
// Formats of servers may be the whole directive, as it is in the configuration. Names of JSON are
// time, path, status, agent, addr, host, scheme, method, query, request ("GET / HTTP/1.1"), date,
// zone, port, forwarded (X-Forwarded-For), id, sample and parent. "line" is a whole line of another
// format. A path that the server has decoded is "decoded", one that it may have replaced is
// "rewritten": such requests are Decoded.
func ParseFormat(s string) (*Format, error) {
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, "$%=") || strings.HasPrefix(s, "#Fields:") {
		return parseForm(s)
	}
	var names []string
	for _, f := range builtin {
		if strings.EqualFold(f.Name, s) {
			return f, nil
		}
		names = append(names, f.Name)
	}
	intended := ""
	if near := wording.Nearest(s, names); near != "" {
		intended = fmt.Sprintf(" Is %q intended?", near)
	}
	return nil, fmt.Errorf("no log format has the name %q.%s Expected a format of Apache, nginx or JSON, or one of: %s", s, intended,
		strings.Join(slices.Compact(names), ", "))
}

// parseForm reads a format that is no name.
func parseForm(s string) (*Format, error) {
	if m := configuration.FindStringSubmatch(s); m != nil {
		s = quotedParts(m[1])
	} else if strings.HasPrefix(s, "'") {
		s = quotedParts(s)
	}
	s = strings.ReplaceAll(s, `\"`, `"`)
	var f *Format
	var err error
	switch {
	case strings.HasPrefix(s, "#Fields:"):
		f = columnsFormat(s[len("#Fields:"):])
	case strings.HasPrefix(s, "{") && strings.Contains(s, "$"):
		f = templateFormat(s)
	case strings.Contains(s, "$"):
		f, err = textFormat("nginx format", lexNginx(s))
	case strings.Contains(s, "%"):
		f, err = textFormat("Apache format", lexApache(s))
	default:
		f, err = jsonFormat(s)
	}
	if err == nil {
		err = f.complete()
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// complete returns an error if a format has no time or no path.
func (f *Format) complete() error {
	has := func(any ...field) bool {
		return slices.ContainsFunc(any, func(x field) bool { return slices.Contains(f.has, x) })
	}
	switch {
	case has(fLine):
	case !has(fTime):
		return fmt.Errorf("the log format has no time. Expected one of: $time_local (nginx), %%t (Apache), date and time (W3C), time=… (JSON)")
	case !has(fRequest, fURI, fPath, fRewritten, fUnsure):
		return fmt.Errorf("the log format has no path. Expected one of: $request (nginx), %%r (Apache), cs-uri-stem (W3C), path=… (JSON)")
	}
	return nil
}

// quotedParts joins the quoted parts of a directive: nginx writes a long format as several strings.
func quotedParts(s string) string {
	var all strings.Builder
	for {
		start := strings.IndexAny(s, `'"`)
		if start < 0 {
			return all.String()
		}
		quote := s[start]
		s = s[start+1:]
		end := 0
		for end < len(s) && s[end] != quote {
			if s[end] == '\\' && end+1 < len(s) && s[end+1] == quote {
				end++
			}
			end++
		}
		all.WriteString(strings.ReplaceAll(s[:min(end, len(s))], `\`+string(quote), string(quote)))
		s = s[min(end+1, len(s)):]
	}
}

// lookUp returns a variable's field and its rank in the table, from 1; fNone, 0 = it is of no use here.
func lookUp(table []variable, name string) (field, uint8) {
	for i, v := range table {
		if v.name == name {
			return v.field, uint8(i + 1)
		}
	}
	return fNone, 0
}

// columnsFormat is the format of "#Fields: date time …".
func columnsFormat(names string) *Format {
	f := &Format{Name: "IIS W3C", percent: strings.Contains(names, "x-edge-")}
	stem := fPath
	if f.percent {
		f.Name, stem = "CloudFront", fURI // it logs the path as sent, IIS a decoded one
	}
	ranks := [fieldCount]uint8{}
	for _, name := range strings.Fields(names) {
		x, rank := lookUp(w3cColumns, name)
		if x == fPath {
			x = stem
		}
		if x != fNone && ranks[x] != 0 && ranks[x] < rank {
			x = fNone
		} else if i := slices.Index(f.columns, x); x != fNone && i >= 0 {
			f.columns[i] = fNone
		}
		ranks[x] = rank
		f.columns = append(f.columns, x)
	}
	f.has = f.columns
	return f
}

// directive returns the format of a line "#Fields: …"; nil = it is another line.
func directive(line []byte) *Format {
	if len(line) < 9 || string(line[:8]) != "#Fields:" {
		return nil
	}
	if f := columnsFormat(string(line[8:])); f.complete() == nil {
		return f
	}
	return nil
}
