package disk

import "robots-audit/crawl/errno"

// IsFull reports whether an error says that there is no space left, or that a user's quota is used
// up.
func IsFull(err error) bool { return errno.DiskFull(err) }

// IsReadOnly reports whether an error says that a file or folder may not be written.
func IsReadOnly(err error) bool { return errno.ReadOnly(err) }
