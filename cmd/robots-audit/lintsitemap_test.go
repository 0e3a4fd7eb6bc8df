package main

import "testing"

// TestIsSitemapURL tells sitemaps from robots.txt files in the wrong place, and other files.
func TestIsSitemapURL(t *testing.T) {
	for url, want := range map[string]bool{
		"https://a.example/sitemap.xml": true, "https://a.example/s/Products.XML.gz?page=2": true, "https://a.example/sitemap.txt": true, "https://a.example/sitemap_1.txt.gz": true,
		"https://a.example": false, "https://a.example/robots.txt": false, "https://a.example/sub/robots.txt": false, "https://a.example/robots-old.txt": false,
		"https://a.example/ads.txt": false, "https://a.example/sitemap/": false,
	} {
		if got := isSitemapURL(url); got != want {
			t.Errorf("%s: %t", url, got)
		}
	}
}
