// Package logs reads access logs of web servers and says what crawlers did: which of their requests
// robots.txt blocked, by the version that they could know, and what they never fetched.
package logs
