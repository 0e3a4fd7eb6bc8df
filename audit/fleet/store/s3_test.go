//go:build readers

package store

import _ "gocloud.dev/blob/s3blob" // for TEST_BUCKET, which cmd/robots-audit-fleet sets
