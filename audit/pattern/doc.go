// Package pattern finds the templates of a site in the addresses of its URLs.
package pattern
