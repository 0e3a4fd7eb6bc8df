//go:build !unix

package store

func isQuota(error) bool { return false }
