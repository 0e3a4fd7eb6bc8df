package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"robots-audit/crawl"
)

// openCache opens the cache that the settings ask for; nil = none. A file that
// was named must be had; where the usual one cannot be, as while another run
// uses it, the run goes on without.
func (s *settings) openCache(log *slog.Logger) (*crawl.Cache, error) {
	path, usual := s.cache, false
	if path == "" {
		if s.noCache || len(s.connectTo) > 0 {
			return nil, nil
		}
		dir, err := os.UserCacheDir()
		if err != nil {
			log.Warn(fmt.Sprintf("no cache: %v; name one by -cache", err))
			return nil, nil
		}
		path, usual = filepath.Join(dir, "robots-audit", "cache.db"), true
	}
	cache, err := crawl.OpenCache(path)
	if err != nil {
		if usual {
			log.Warn(fmt.Sprintf("no cache: %v", err))
			return nil, nil
		}
		return nil, fmt.Errorf("-cache: %w", err)
	}
	if cache.Warning != "" {
		log.Warn(cache.Warning)
	}
	return cache, nil
}
