//go:build buckets

package main

// A fleet's bucket may be in an object store. These drivers open s3://, gs:// and azblob://, and
// take credentials from the same places as the service's own tools. They need some 500 packages,
// which go install ./... and the tests would have to compile. So only releases and the container
// have them.
import (
	_ "gocloud.dev/blob/azureblob"
	_ "gocloud.dev/blob/gcsblob"
	_ "gocloud.dev/blob/s3blob"
)
