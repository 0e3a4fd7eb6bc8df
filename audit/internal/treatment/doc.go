// Package treatment compares the answers of a server to requests in different names.
package treatment
