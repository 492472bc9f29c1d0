package files

import (
	"net/url"
	"slices"
	"strings"

	"symmom/internal/faults"
	"symmom/internal/words"
)

// URL names an object.
type URL struct {
	Scheme string // s3, gs, azblob, https, http
	Bucket string // or container; the host of a page
	Key    string // in the bucket; without the slash between
	Query  string // settings of a store, without the question mark; of a page what its server wants
	user   *url.Userinfo
}

// String is the URL without what may be secret.
func (u URL) String() string {
	return faults.OneLine(u.Scheme + "://" + u.Bucket + "/" + u.Key)
}

// with is the path of another object in the bucket.
func (u URL) with(key string) string {
	path := u.Scheme + "://" + u.Bucket + "/" + key
	if u.Query != "" {
		path += "?" + u.Query
	}
	return path
}

// IsURL reports whether path is a URL.
func IsURL(path string) bool {
	_, ok := parse(path)
	return ok
}

// parse takes the URL of an object apart. ok is false if path names a file.
func parse(path string) (u URL, ok bool) {
	scheme, rest, ok := strings.Cut(path, "://")
	if !ok || scheme == "" || strings.ContainsFunc(scheme, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9')
	}) {
		return URL{}, false
	}
	u.Scheme = strings.ToLower(scheme)
	web := u.Scheme == "https" || u.Scheme == "http"
	// In the name of an object a question mark may be part of a pattern.
	if i := strings.IndexByte(rest, '?'); i >= 0 && (web || strings.Contains(rest[i:], "=")) {
		if !web {
			i = strings.LastIndexByte(rest, '?')
		}
		rest, u.Query = rest[:i], rest[i+1:]
	}
	if web {
		rest, _, _ = strings.Cut(rest, "#")
		u.Query, _, _ = strings.Cut(u.Query, "#")
	}
	u.Bucket, u.Key, _ = strings.Cut(rest, "/")
	if at := strings.LastIndexByte(u.Bucket, '@'); at >= 0 {
		name, password, given := strings.Cut(u.Bucket[:at], ":")
		if u.user = url.User(unescape(name)); given {
			u.user = url.UserPassword(unescape(name), unescape(password))
		}
		u.Bucket = u.Bucket[at+1:]
	}
	return u, true
}

func unescape(s string) string {
	if t, err := url.PathUnescape(s); err == nil {
		return t
	}
	return s
}

// Name is path for messages and results: on one line, and without what may be secret.
func Name(path string) string {
	if list, ok := strings.CutPrefix(path, "@"); ok && IsURL(list) {
		return "@" + Name(list)
	}
	if u, ok := parse(path); ok {
		return u.String()
	}
	return faults.OneLine(path)
}

// Plain is path without the query of a URL, so that it ends in the name of a file.
func Plain(path string) string {
	if u, ok := parse(path); ok {
		return u.Scheme + "://" + u.Bucket + "/" + u.Key
	}
	return path
}

// store returns the store of the URL's scheme.
func (u URL) store() (Store, error) {
	if u.Scheme == "https" || u.Scheme == "http" {
		return web{}, nil
	}
	if s, ok := stores[u.Scheme]; ok {
		if u.Bucket == "" {
			return nil, problem(nil, "the URL has no bucket; want %s://BUCKET/NAME", u.Scheme)
		}
		return s, nil
	}
	if slices.Contains(known, u.Scheme) {
		return nil, problem(nil, "this program was built without stores; in Go import _ \"symmom/cloud\", and build symmom without the tag nocloud")
	}
	return nil, problem(nil, "URLs with %s are not known; want %s:// or https://", words.Quote(u.Scheme+"://"), strings.Join(known, "://, "))
}

// known are the schemes that there are stores for.
var known = []string{"s3", "gs", "azblob"}
