package serve

import (
	"encoding"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/reports"
	"robots-audit/reports/changes"
	pages "robots-audit/reports/internal/page"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
	"robots-audit/reports/logs"
)

// described is what openapi.json has about a route, in addition to its path and text for the manual.
type described struct {
	answer any     // zero value of the JSON answer; nil = there is none
	body   any     // zero value of the JSON request
	form   any     // zero value of a form, instead of body
	params []param // of the query
	page   bool    // without Accept: application/json, the answer is a page or a redirect to one
	events bool    // without it, server-sent events
	file   string  // without it, a file of this media type
	also   string  // another status with the same answer, and its meaning
}

// param is a parameter of a query. kind is "integer", choices such as "30|90|365", or "" for any text.
type param struct{ name, kind, about string }

// answerForm is the form of an answer to alerts.
type answerForm struct {
	ID        []string `json:"id,omitempty"`   // for POST /alerts: the IDs of the alerts
	Do        string   `json:"do"`             // acknowledge, accept or assign
	Until     string   `json:"until,omitzero"` // day until which the alerts are paused: 2026-11-30. Only for acknowledge
	Note      string   `json:"note,omitzero"`
	Owner     string   `json:"owner,omitzero"`      // for assign. Left out = no owner
	FormToken string   `json:"form_token,omitzero"` // not with a bearer token
}

// summaryFile is summary.json of a run.
type summaryFile struct {
	Run    reports.SummaryHead `json:"run"`
	Totals summary.Totals      `json:"totals"`
	Sites  []summary.Entry     `json:"sites"` // most severe first
}

// changesFile is changes.json of a comparison.
type changesFile struct {
	changes.Head
	Sites []changes.SiteData `json:"sites"` // most severe first
}

// logsFile is logs.json of a run or of one site.
type logsFile struct {
	Head  logs.Head    `json:"head"`
	Sites []audit.Logs `json:"sites"`
}

// documented has every route. Those without an answer are for pages only.
var documented = map[string]described{
	"GET /{$}":                                             {answer: runsView{}, page: true},
	"GET /runs/{run}":                                      {answer: summaryFile{}, page: true},
	"GET /runs/{run}/progress":                             {answer: progressView{}, events: true},
	"GET /runs/{run}/sites":                                {answer: sitesView{}, params: []param{{"q", "", "part of the names"}}},
	"GET /runs/{run}/search":                               {answer: searchView{}, page: true, also: "202 The index of URLs is being built. Send the request again in a second", params: slices.Concat(searchParams, []param{{"from", "integer", "number of matches to skip"}})},
	"GET /runs/{run}/sites/{site}":                         {answer: siteView{}, page: true},
	"GET /runs/{run}/report/{file...}":                     {page: true},
	"GET /runs/{run}/{file...}":                            {},
	"GET /runs/{run}/logs/{file}":                          {},
	"GET /runs/{run}/sites/{site}/logs/{file}":             {},
	"GET /assets/{name}":                                   {},
	"GET /runs/{run}/crawlers":                             {answer: pages.MatrixData{}, page: true},
	"GET /runs/{run}/logs":                                 {answer: logsFile{}, page: true},
	"GET /runs/{run}/sites/{site}/logs":                    {answer: logsFile{}, page: true},
	"GET /runs/{run}/sites/{site}/edit":                    {answer: editView{}, page: true, params: editParams},
	"GET /runs/{run}/sites/{site}/start":                   {answer: startView{}, params: []param{{"key", "", "live, empty, version:SHA256 or proposal:NAME"}}},
	"POST /runs/{run}/sites/{site}/try":                    {answer: tryView{}, body: edited{}},
	"POST /runs/{run}/sites/{site}/lint":                   {answer: lintView{}, body: edited{}},
	"POST /runs/{run}/sites/{site}/wish":                   {answer: wishView{}, body: edited{}},
	"POST /runs/{run}/sites/{site}/expect":                 {answer: expectView{}, body: edited{}},
	"POST /runs/{run}/sites/{site}/save":                   {answer: savedView{}, body: edited{}},
	"GET /runs/{run}/sites/{site}/url":                     {answer: urlView{}, page: true, params: urlParams},
	"GET /runs/{run}/sites/{site}/versions":                {answer: versionsView{}, page: true, also: "202 The comparison is being made. Send the request again in a second", params: []param{{"old", "", "SHA-256 of a version, or its first 8 digits or more, or run = the robots.txt of this run"}, {"new", "", "the same of the version to compare with"}, {"at", "", "start of the run that found a change, instead of old and new: 2026-11-30T06:00:00Z"}, {"lines", "all|changing", "lines of the changes, for the page"}}},
	"GET /time":                                            {answer: timeView{}, page: true, params: []param{{"days", "30|90|365", "length of the period"}, {"q", "", "part of the names of sites"}, {"only", "critical|warn|unknown|ok|changed", "state of the sites, or a change, in their newest run"}, {"sort", "changed|blocked", "latest change or highest blocked share first. Left out = most severe first"}, {"schedule", "", "only sites whose newest run is of this schedule"}, {"page", "integer", "page of the list of sites, from 1"}}},
	"GET /alerts":                                          {answer: alertsView{}, page: true, params: slices.Concat(alertParams, []param{{"page", "integer", "page of the cards, from 1, for the page"}})},
	"GET /alerts/answer":                                   {answer: confirmView{}, page: true, params: alertParams},
	"GET /runs/{run}/search.csv":                           {file: "text/csv", params: searchParams},
	"GET /runs/{run}/search.xlsx":                          {file: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", params: searchParams},
	"GET /runs/{run}/sites/{site}/proposals":               {answer: proposalsView{}, page: true},
	"GET /runs/{run}/sites/{site}/proposals/{name}":        {answer: proposalView{}, page: true},
	"GET /runs/{run}/sites/{site}/proposals/{name}/{file}": {answer: handView{}, file: "text/plain"},
	"POST /runs/{run}/sites/{site}/patch":                  {answer: handView{}, body: edited{}},
	"POST /runs/{run}/sites/{site}/pull-request":           {answer: handView{}, body: edited{}},
	"POST /runs/{run}/sites/{site}/shared":                 {answer: sharedView{}, body: edited{}},
	"GET /runs/{run}/url":                                  {answer: urlView{}, page: true, params: urlParams},
	"GET /url":                                             {answer: urlView{}, page: true, params: urlParams},
	"POST /alerts/{id}":                                    {answer: answeredView{}, form: answerForm{}, page: true},
	"POST /alerts":                                         {answer: answeredView{}, form: answerForm{}, page: true},
	"GET /comparisons/{run}/{file...}":                     {answer: changesFile{}, page: true},
	"GET /openapi.json":                                    {answer: map[string]any{}},
}

var alertParams = []param{{"site", "", "name of a site"}, {"severity", "critical|error|warning|info", "lowest severity"}, {"age", "day|week|month|older", "time since the change"}, {"condition", "", "code of a condition, such as AL01"}, {"owner", "", "- = no owner"}, {"state", "open|acknowledged|accepted|resolved", "open = without an answer"}, {"run", "", "run that raised the alerts"}, {"schedule", "", "schedule of that run"}}

var urlParams = []param{{"u", "", "a URL. Of a site that the path names, the path of the URL is enough"}, {"wait", "", "1 = read all records of a large site, however long it takes"}}

var editParams = []param{{"url", "", "a URL to unblock or block, for the page"}, {"wish", "allow|disallow", "what to do with it"}, {"start", "", "text to begin with: live, empty, version:SHA256 or proposal:NAME"}, {"line", "", "a line to select, or the lines of the edit: 17,18"}, {"do", "delete|replace|insert", "an edit to begin with"}, {"was", "", "hash of the lines of the edit"}, {"text", "", "new lines of the edit"}}

var searchParams = []param{
	{"q", "", "part of a URL or of a site's name"}, {"site", "", "only URLs of this site"}, {"blocked", "any|none|unknown", "verdict for the crawler, or for one or more crawlers. none = allowed for all"},
	{"crawler", "", "crawler that blocked, rule and hits are about"}, {"rule", "", "number of a line, or a part of a rule, that decided"}, {"template", "", "template of the URLs"}, {"segment", "", "segment of the run"},
	{"status", "", "HTTP status such as 404, a class such as 4xx, none = not requested, failed = no answer"}, {"sitemap", "yes|no", "whether a sitemap has the URL"}, {"kind", "", "kind of the URL, such as page or image"},
	{"clicks", "integer", "at least so many clicks"}, {"hits", "integer", "at least so many requests in access logs"}, {"sort", "url|-clicks|-hits|-impressions", "order. Left out = url"},
}

// Query parameters that only links of the dashboard's own pages have.
var ownParams = []string{"said", "by"}

// Types that write their own JSON.
var ownJSON = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[time.Time]():          {Type: "string", Format: "date-time"},
	reflect.TypeFor[engine.Severity]():    names(engine.Info, engine.Warning, engine.Error, engine.Critical),
	reflect.TypeFor[engine.Verdict]():     {Type: "string", Examples: []any{"allow", "disallow", "undefined", "unknown"}},
	reflect.TypeFor[engine.Access]():      {Type: "string"},
	reflect.TypeFor[compare.Class]():      {Type: "string"},
	reflect.TypeFor[compare.Cause]():      names(compare.Causes()...),
	reflect.TypeFor[site.CauseCrawler]():  {Type: "string"},
	reflect.TypeFor[site.Value]():         {Types: []string{"number", "string"}},
	reflect.TypeFor[summary.Treatments](): {Type: "object", AdditionalProperties: &jsonschema.Schema{Type: "integer"}},
	reflect.TypeFor[json.RawMessage]():    {Types: []string{"object", "null"}, AdditionalProperties: &jsonschema.Schema{Types: []string{"integer", "string", "null"}}},
}

// names is the schema of a value that is written as one of some names.
func names[T fmt.Stringer](list ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, v := range list {
		s.Examples = append(s.Examples, v.String())
	}
	return s
}

// document makes openapi.json.
type document struct {
	t       testing.TB
	schemas map[string]*jsonschema.Schema // by name
	names   map[reflect.Type]string
	sources map[string]*source // by package
	options *jsonschema.ForOptions
}

func newDocument(t testing.TB) *document {
	d := &document{t: t, schemas: map[string]*jsonschema.Schema{}, names: map[reflect.Type]string{}, sources: map[string]*source{}}
	d.options = &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{}}
	for of, s := range ownJSON {
		d.options.TypeSchemas[of] = s
	}
	// A run that is not running has no progress: its fields are missing then.
	progress, err := jsonschema.ForType(reflect.TypeFor[reports.Progress](), d.options)
	noError(t, err)
	d.options.TypeSchemas[reflect.TypeFor[*reports.Progress]()] = &jsonschema.Schema{Type: "object", Properties: progress.Properties}
	return d
}

// text is the whole document.
func (d *document) text() string {
	d.schema(reflect.TypeFor[troubleView]())
	paths := map[string]map[string]any{}
	for _, r := range routes {
		of, ok := documented[r.pattern]
		if !ok {
			d.t.Errorf("%s is not in the table documented", r.pattern)
		}
		if of.answer == nil && !of.page && of.file == "" {
			continue
		}
		method, pattern, _ := strings.Cut(r.pattern, " ")
		pattern = strings.NewReplacer("{$}", "", "...}", "}").Replace(pattern)
		if paths[pattern] == nil {
			paths[pattern] = map[string]any{}
		}
		paths[pattern][strings.ToLower(method)] = d.operation(method, pattern, r, of)
	}
	type object = map[string]any
	responses := object{}
	for status, about := range statuses {
		responses[status] = object{"description": about, "content": object{"application/json": object{"schema": object{"$ref": schemaPlace + d.names[reflect.TypeFor[troubleView]()]}}}}
	}
	text, err := json.MarshalIndent(struct {
		OpenAPI    string   `json:"openapi"`
		Info       object   `json:"info"`
		Servers    []object `json:"servers"`
		Security   []object `json:"security"`
		Paths      any      `json:"paths"`
		Components object   `json:"components"`
	}{
		"3.1.0",
		object{"title": "robots-audit dashboard", "version": json.RawMessage(ofVersion), "description": aboutDocument, "x-format-version": "1", "license": object{"name": "Apache-2.0", "identifier": "Apache-2.0"}},
		[]object{{"url": json.RawMessage(ofServer), "description": "this dashboard"}},
		[]object{{}, {"token": []string{}}},
		paths,
		object{"schemas": d.schemas, "responses": responses, "securitySchemes": object{"token": object{"type": "http", "scheme": "bearer", "description": "The token of -token-file. Without this option, the dashboard needs none."}}},
	}, "", " ")
	noError(d.t, err)
	return string(text) + "\n"
}

const aboutDocument = "What the dashboard of robots-audit answers to programs. Send `Accept: application/json`: otherwise most paths answer with a page for people. " +
	"Rule of format 1: later versions may add paths, fields, and values of texts. The names and the meaning of those that are here stay. A change that breaks this raises x-format-version. " +
	"Times are RFC 3339 in UTC. A field that is not required is left out if it has no value. Lists are never null, except where logs.json says so."

const schemaPlace = "#/components/schemas/"

// statuses are the errors, with their meaning.
var statuses = map[string]string{
	"400": "A parameter or the request is wrong. The text says what was expected.",
	"401": "The token is missing or wrong.",
	"403": "Not allowed: a request from another site, through a proxy without a token, or to write without a form token or bearer token.",
	"404": "There is no such run, site, file or version, or the dashboard has no history.",
	"410": "It was there, but its folder or file was removed.",
	"413": "The request is too large.",
	"415": "The request must have Content-Type: application/json.",
	"421": "The dashboard does not know this host name.",
	"422": "The request was understood, but cannot be carried out. The text says why.",
	"500": "An error of the dashboard, or of the disk.",
	"503": "The dashboard is busy, or the work took too long. Try again after Retry-After seconds.",
}

// operation describes a route.
func (d *document) operation(method, pattern string, r route, of described) map[string]any {
	type object = map[string]any
	op := object{"summary": sentence(r.about), "operationId": operationID(method, pattern)}
	failures := []string{"401", "403", "421", "500", "503"}
	var params []object
	for _, m := range regexp.MustCompile(`{(\w+)}`).FindAllStringSubmatch(pattern, -1) {
		params = append(params, object{"name": m[1], "in": "path", "required": true, "description": pathParams[m[1]], "schema": object{"type": "string"}})
	}
	if pattern != "/" && pattern != "/openapi.json" {
		failures = append(failures, "404", "410")
	}
	for _, p := range of.params {
		schema := object{"type": "string"}
		switch {
		case p.kind == "integer":
			schema["type"] = p.kind
		case p.kind != "":
			schema["enum"] = strings.Split(p.kind, "|")
		}
		params = append(params, object{"name": p.name, "in": "query", "description": sentence(p.about), "schema": schema})
	}
	if params != nil {
		op["parameters"] = params
	}
	if of.params != nil || method == "POST" {
		failures = append(failures, "400")
	}
	if method == "POST" {
		failures = append(failures, "413", "422")
		kind, body := "application/json", of.body
		if of.form != nil {
			kind, body = "application/x-www-form-urlencoded", of.form
		} else {
			failures = append(failures, "415")
		}
		op["requestBody"] = object{"required": true, "content": object{kind: object{"schema": d.schema(reflect.TypeOf(body))}}}
		schema := d.schemas[d.names[reflect.TypeOf(body)]]
		schema.Required, schema.AdditionalProperties = nil, &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}
	responses := object{}
	for _, status := range failures {
		responses[status] = object{"$ref": "#/components/responses/" + status}
	}
	op["responses"] = responses
	d.success(responses, of)
	return op
}

// success adds the answers that are no errors.
func (d *document) success(responses map[string]any, of described) {
	type object = map[string]any
	content := object{}
	if of.answer != nil {
		content["application/json"] = object{"schema": d.schema(reflect.TypeOf(of.answer))}
	}
	if of.file != "" {
		content[of.file] = object{}
	}
	switch {
	case of.form != nil:
		responses["303"] = object{"description": "The answer was saved. Leads to the page of alerts, without Accept: application/json."}
	case of.page && of.answer == nil:
		responses["303"] = object{"description": "Leads to another address of the same file."}
		content["*/*"] = object{}
	case of.events:
		content["text/event-stream"] = object{}
	case of.page:
		responses["303"] = object{"description": "May lead to a page, without Accept: application/json."}
		content["text/html"] = object{}
	}
	responses["200"] = object{"description": "OK", "content": content}
	if status, about, ok := strings.Cut(of.also, " "); ok {
		responses[status] = object{"description": about + ".", "content": object{"application/json": content["application/json"]}}
	}
}

var pathParams = map[string]string{
	"run":  "The name of a run, as in the list of runs.",
	"site": "The name of a site, or of its files.",
	"file": "The name or the path of a file. A path may contain slashes.",
	"name": "The name of a proposal, as in the list of proposals.",
	"id":   "The ID of an alert.",
}

// operationID is a name for generated code: getRunsRunSearch.
func operationID(method, pattern string) string {
	id := strings.ToLower(method)
	if pattern == "/" {
		return id + "Home"
	}
	for _, word := range strings.FieldsFunc(pattern, func(r rune) bool { return !unicode.IsLetter(r) }) {
		id += title(word)
	}
	return id
}

func title(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// schema is the schema of a type, with those of its structs in d.schemas.
func (d *document) schema(of reflect.Type) *jsonschema.Schema {
	s, err := jsonschema.ForType(of, d.options)
	noError(d.t, err)
	return d.share(of, s)
}

// share replaces the schemas of structs by references to d.schemas, and adds the comments of the fields.
func (d *document) share(of reflect.Type, s *jsonschema.Schema) *jsonschema.Schema {
	null := of.Kind() == reflect.Pointer
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if ownJSON[of] != nil {
		return s
	}
	for _, writes := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()} {
		if of.Implements(writes) || reflect.PointerTo(of).Implements(writes) {
			d.t.Errorf("%s writes its own JSON. Add its schema to ownJSON", of)
		}
	}
	switch of.Kind() {
	case reflect.String:
		s.Examples = d.source(of.PkgPath()).values[of.Name()]
	case reflect.Slice, reflect.Array:
		s.Types, s.Type = nil, "array" // never null
		s.Items = d.share(of.Elem(), s.Items)
	case reflect.Map:
		s.AdditionalProperties = d.share(of.Elem(), s.AdditionalProperties)
	case reflect.Struct:
		s = &jsonschema.Schema{Ref: schemaPlace + d.shareStruct(of, s)}
		if null {
			s = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "null"}}}
		}
	}
	return s
}

// goAffix is what names of types begin or end with and names of schemas do not.
var goAffix = regexp.MustCompile("^(json|view)|(View|JSON|Data|File)$")

// schemaNames are names of schemas that do not come from the names of their types.
var schemaNames = map[string]string{
	"serve.change": "AlertGroup", "serve.effect": "SiteAlerts", "serve.conditionView": "ConditionCount", "serve.confirmView": "AlertsToAnswer", "serve.handView": "TextFile", "serve.latest": "LatestRun", "serve.period": "ServedPeriod", "serve.shareOf": "SiteShare", "serve.changeView": "SiteChange", "audit.Logs": "SiteLogs", "changes.SiteData": "ComparedSite", "changes.runJSON": "ComparedRun", "serve.edited": "EditorRequest", "serve.startView": "StartText", "serve.progressView": "RunProgress", "serve.editView": "Editor",
	"edit.Edit": "LineEdit", "changes.lineJSON": "DiffLine", "changes.answerJSON": "RobotsAnswer", "logs.File": "LogFile", "logs.Head": "LogsHead",
}

// shareStruct adds the schema of a struct to d.schemas, and returns its name.
func (d *document) shareStruct(of reflect.Type, s *jsonschema.Schema) string {
	if name, ok := d.names[of]; ok {
		return name
	}
	name := schemaNames[of.String()]
	if name == "" {
		name = title(goAffix.ReplaceAllString(of.Name(), ""))
	}
	if d.schemas[name] != nil {
		name = title(path.Base(of.PkgPath())) + name
	}
	if d.schemas[name] != nil {
		d.t.Errorf("two types have the name %s", name)
	}
	s.Type, s.Types, s.AdditionalProperties = "object", nil, nil // later versions may add fields
	d.names[of], d.schemas[name] = name, s
	s.Description = d.source(of.PkgPath()).types[of.Name()]
	if words, ok := strings.CutPrefix(s.Description, of.Name()+" "); ok {
		s.Description = name + " " + words
	}
	for _, field := range reflect.VisibleFields(of) {
		key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous || s.Properties[key] == nil {
			continue
		}
		kind := field.Type
		if !slices.Contains(s.Required, key) { // it is left out rather than null
			for kind.Kind() == reflect.Pointer {
				kind = kind.Elem()
			}
			notNull(s.Properties[key])
		}
		p := d.share(kind, s.Properties[key])
		parent := of
		for _, at := range field.Index[:len(field.Index)-1] {
			if parent = parent.Field(at).Type; parent.Kind() == reflect.Pointer {
				parent = parent.Elem()
			}
		}
		if parent.PkgPath() == reflect.TypeFor[audit.Logs]().PkgPath() && p.Type == "array" && slices.Contains(s.Required, key) {
			p.Type, p.Types = "", []string{"array", "null"} // records keep an empty list as it was
		}
		p.Description = d.source(parent.PkgPath()).fields[parent.Name()+"."+field.Name]
		s.Properties[key] = p
	}
	return name
}

// notNull removes null from the types of a schema.
func notNull(s *jsonschema.Schema) {
	s.Types = slices.DeleteFunc(slices.Clone(s.Types), func(name string) bool { return name == "null" })
	if len(s.Types) == 1 {
		s.Type, s.Types = s.Types[0], nil
	}
}

// source has the comments of a package, and the values of its types of text.
type source struct {
	types, fields map[string]string
	values        map[string][]any
}

// source reads the source of a package.
func (d *document) source(pkg string) *source {
	if s := d.sources[pkg]; s != nil {
		return s
	}
	s := &source{map[string]string{}, map[string]string{}, map[string][]any{}}
	d.sources[pkg] = s
	of, ours := strings.CutPrefix(pkg, "robots-audit/")
	if !ours {
		return s
	}
	files, err := filepath.Glob("../../" + of + "/*.go")
	noError(d.t, err)
	for _, name := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		noError(d.t, err)
		ast.Inspect(parsed, s.read)
	}
	return s
}

// read reads a declaration.
func (s *source) read(n ast.Node) bool {
	g, ok := n.(*ast.GenDecl)
	if !ok {
		return true
	}
	for _, spec := range g.Specs {
		switch of := spec.(type) {
		case *ast.TypeSpec:
			s.types[of.Name.Name] = comment(g.Doc, of.Doc)
			if fields, ok := of.Type.(*ast.StructType); ok {
				for _, field := range fields.Fields.List {
					for _, name := range field.Names {
						s.fields[of.Name.Name+"."+name.Name] = comment(field.Doc, field.Comment)
					}
				}
			}
		case *ast.ValueSpec:
			name, isName := of.Type.(*ast.Ident)
			if !isName || g.Tok != token.CONST || len(of.Values) != 1 {
				continue
			}
			if text, ok := of.Values[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
				value, _ := strconv.Unquote(text.Value)
				s.values[name.Name] = append(s.values[name.Name], value)
			}
		}
	}
	return true
}

// comment is the first paragraph of comments in one line.
func comment(groups ...*ast.CommentGroup) string {
	var words []string
	for _, g := range groups {
		first, _, _ := strings.Cut(g.Text(), "\n\n")
		words = append(words, strings.Fields(first)...)
	}
	return strings.NewReplacer("nil = ", "left out = ", "nil if ", "left out if ", "omitted if ", "left out if ").Replace(strings.Join(words, " "))
}
