package serve

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"net/http"
	"strings"
)

// openAPI describes all answers in JSON. "go test ./reports/serve -run TestOpenAPI -update" makes it from the routes
// and from the types of their answers, so that the program needs no library for it, and a review shows every
// change of what programs of users rely on.
//
//go:embed openapi.json
var openAPI string

// Texts of openAPI that a dashboard replaces.
const (
	ofVersion = `"VERSION"`
	ofServer  = `"/BASE-PATH"`
)

// viewOpenAPI sends the description of all answers in JSON, for this version and this path.
func (d *Desk) viewOpenAPI(e *exchange) error {
	version, err := json.Marshal(d.o.Version)
	if err != nil {
		return err
	}
	text := strings.NewReplacer(ofVersion, string(version), ofServer, `"`+cmp.Or(d.o.BasePath, "/")+`"`).Replace(openAPI)
	return e.write(http.StatusOK, "application/json; charset=utf-8", []byte(text))
}
