package audits

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"robots-audit/crawl"
)

// Remarks in a run's reports about its cache. The log has the file's name.
const (
	CacheBusy    = "Another run was using the cache of robots.txt answers. This run fetched every robots.txt again."
	CacheDamaged = "The cache of robots.txt answers was damaged and is not used. This report has no answers from earlier runs."
)

// OpenCache opens the cache of the settings; nil = none. A named file that cannot be opened is an
// error, unless another run uses it. Without the default file the run continues without a cache.
// remark is the text for the reports about that.
func (s *Settings) OpenCache(log *slog.Logger) (cache *crawl.Cache, remark string, err error) {
	path, usual := s.Cache, false
	if path == "" {
		if s.NoCache || len(s.ConnectTo) > 0 {
			return nil, "", nil
		}
		dir, err := os.UserCacheDir()
		if err != nil {
			log.Warn(fmt.Sprintf("no cache: %v. Name one with -cache", err))
			return nil, "", nil
		}
		path, usual = filepath.Join(dir, "robots-audit", "cache.db"), true
	}
	cache, err = crawl.OpenCache(path)
	switch {
	case errors.Is(err, crawl.ErrCacheBusy):
		log.Warn(fmt.Sprintf("no cache: %v. The run continues without it", err))
		return nil, CacheBusy, nil
	case err != nil && usual:
		log.Warn(fmt.Sprintf("no cache: %v", err))
		return nil, "", nil
	case err != nil:
		return nil, "", fmt.Errorf("-cache: %w", err)
	case cache.Warning != "":
		log.Warn(cache.Warning)
		remark = CacheDamaged
	}
	return cache, remark, nil
}

// CloseCache closes the cache and returns a remark for the run's reports.
func CloseCache(cache *crawl.Cache, log *slog.Logger) (remark string) {
	if cache == nil {
		return ""
	}
	if err := cache.Close(); err != nil {
		log.Warn(err.Error())
		return "The cache of robots.txt answers failed and was not used any more. The log has the reason."
	}
	return ""
}
