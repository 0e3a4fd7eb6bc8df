package history

import (
	"context"
	"time"
)

// Version is a robots.txt that a site's own origin served. There is one for each content. If a file
// was replaced and came back later, First and Last are the first and the last of all its runs, with
// other versions between them. SiteRuns has the version of each run.
type Version struct {
	SHA256   string
	Bytes    int64     // number of bytes read
	Body     []byte    // maximum length: see crawl.RobotsFile; nil = no run kept it
	First    time.Time // start of FirstRun
	Last     time.Time // start of LastRun
	FirstRun string    // id of the first run with it
	LastRun  string    // id of the last run with it, settled or not
}

// emptySHA256 is the SHA-256 of an empty file.
const emptySHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

const versionColumns = "SELECT v.sha256, v.bytes, v.body, f.id, f.started, t.id, t.started "

func (v *Version) fields() []any {
	return []any{&v.SHA256, &v.Bytes, &v.Body, &v.FirstRun, storedTime{&v.First}, &v.LastRun, storedTime{&v.Last}}
}

// versionsQuery finds the versions by the runs of the site, whose rows are small. Rows in the table
// of versions include the bodies.
const versionsQuery = versionColumns + `FROM (SELECT version, max(run) AS run FROM site_run
WHERE site = (SELECT site FROM site WHERE name = ?) AND version IS NOT NULL GROUP BY version ORDER BY max(run) DESC LIMIT ?) l
CROSS JOIN robots_version v ON v.version = l.version JOIN run f ON f.run = v.first_run JOIN run t ON t.run = v.last_run ORDER BY l.run DESC`

// Versions returns the robots.txt versions of a site, at most limit, by their last runs, newest
// first; none for an unknown site. They take the memory of their bodies, which crawl bounds.
func (db *DB) Versions(ctx context.Context, site string, limit int) ([]Version, error) {
	all, err := list(ctx, db, (*Version).fields, versionsQuery, site, max(limit, 0))
	for i := range all {
		all[i].addEmptyBody()
	}
	return all, err
}

// addEmptyBody adds the body of an empty file, even if no run kept it.
func (v *Version) addEmptyBody() {
	if v.SHA256 == emptySHA256 {
		v.Body = []byte{}
	}
}

const versionQuery = versionColumns + `FROM robots_version v JOIN run f ON f.run = v.first_run JOIN run t ON t.run = v.last_run
WHERE v.site = (SELECT site FROM site WHERE name = ?) AND v.sha256 = ?`

// Version returns the robots.txt of a site by its SHA-256; ok = false if the site did not serve it.
func (db *DB) Version(ctx context.Context, site, sha256 string) (v Version, ok bool, err error) {
	v, ok, err = only(ctx, db, (*Version).fields, versionQuery, site, sha256)
	v.addEmptyBody()
	return v, ok, err
}
