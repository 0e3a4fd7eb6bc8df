// Package weburl reads URLs and hosts as the web writes them. It converts each
// into the form for requests, and into a key for comparisons. It uses no
// network: names are not looked up.
package weburl
