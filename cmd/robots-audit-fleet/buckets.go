//go:build buckets

package main

// A fleet's bucket may be on a service for objects. The drivers open s3://, gs:// and azblob://, and
// take credentials from where the service's own tools have them. They bring some 500 packages, which
// whoever runs go install ./... or the tests would compile: releases and the container have them.
import (
	_ "gocloud.dev/blob/azureblob"
	_ "gocloud.dev/blob/gcsblob"
	_ "gocloud.dev/blob/s3blob"
)
