package files

import (
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// URL names an object.
type URL struct {
	Scheme string // s3, gs, azblob, https, http
	Bucket string // or container; the host of a page
	Key    string // in the bucket; without the slash between
	Query  string // settings of a store, without the question mark; of a page what its server wants
	user   *url.Userinfo
	torn   bool // a password holds what ends the host, and should be escaped
}

// String is the URL without what may be secret.
func (u URL) String() string {
	return diag.OneLine(u.Scheme + "://" + u.Bucket + "/" + u.Key)
}

// with is the path of another object in the bucket, or of a page of the same host, for
// the same user.
func (u URL) with(key string) string {
	path := u.Scheme + "://"
	if u.user != nil {
		path += u.user.String() + "@"
	}
	path += u.Bucket + "/" + key
	if _, set := settings(key); u.Query != "" || set && !u.web() {
		path += "?" + u.Query
	}
	return path
}

func (u URL) web() bool { return u.Scheme == "https" || u.Scheme == "http" }

// cut takes off what follows a question mark.
func (u URL) cut(name string) (rest, query string) {
	at, set := settings(name)
	if u.web() {
		at = strings.IndexByte(name, '?')
		set = at >= 0
	}
	if !set {
		return name, ""
	}
	return name[:at], name[at+1:]
}

// settings returns where the settings of a store begin, at a question mark: they follow
// the last, and begin as "region=" does. In the name of an object a question mark may be
// part of a pattern, or of the name; where that looks like settings, one more question
// mark ends it.
func settings(name string) (at int, ok bool) {
	at = strings.LastIndexByte(name, '?')
	switch {
	case at < 0:
		return at, false
	case at == len(name)-1:
		_, ok = settings(name[:at])
		return at, ok
	}
	setting, _, ok := strings.Cut(name[at+1:], "=")
	return at, ok && setting != "" && strings.Trim(setting, "abcdefghijklmnopqrstuvwxyz_") == ""
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
	if u.torn = torn(rest, u.web()); u.torn {
		rest = "..." + rest[strings.LastIndexByte(rest, '@'):]
	}
	rest, u.Query = u.cut(rest)
	if u.web() {
		rest, _, _ = strings.Cut(rest, "#")
		u.Query, _, _ = strings.Cut(u.Query, "#")
	}
	if u.Scheme == "sc" { // Spark Connect, with a token or not
		rest, _, _ = strings.Cut(rest, "/;")
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

// torn reports whether a password is in what follows ://, in which a slash, a question mark or
// a number sign is not escaped, so that it looks like the path. What may as well be a host of
// the web with its port, and an @ in the path, is taken for that.
func torn(rest string, web bool) bool {
	host := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		host = rest[:end]
	}
	_, port, colon := strings.Cut(host, ":")
	isPort := web && port != "" && strings.Trim(port, "0123456789") == ""
	return colon && !isPort && !strings.Contains(host, "@") && !strings.HasPrefix(host, "[") && strings.Contains(rest, "@")
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
	return diag.OneLine(path)
}

// Args are the arguments of a command as they may be shown: with the Name of what is a URL,
// a list or the value of a flag.
func Args(args []string) []string {
	out := slices.Clone(args)
	for i, arg := range args {
		if path := valueOf(arg); path != "" {
			out[i] = strings.TrimSuffix(arg, path) + Name(path)
		}
	}
	return out
}

// Shown is a text about arguments, in which those that may have secrets are shown as Args has
// them: others may be the beginning of something else in it, as s3:// is.
func Shown(text string, args []string) string {
	for _, arg := range args {
		if path := valueOf(arg); strings.ContainsAny(path, "@?#;") {
			text = strings.ReplaceAll(text, path, Name(path))
		}
	}
	return text
}

// valueOf returns the URL, or the list that has one, that an argument is; "" if none.
func valueOf(arg string) string {
	if strings.HasPrefix(arg, "-") {
		_, arg, _ = strings.Cut(arg, "=")
	}
	if !IsURL(strings.TrimPrefix(arg, "@")) {
		return ""
	}
	return arg
}

// Plain is path without the query of a URL, so that it ends in the name of a file.
func Plain(path string) string {
	if u, ok := parse(path); ok {
		return u.Scheme + "://" + u.Bucket + "/" + u.Key
	}
	return path
}

// Ext is the extension of the file that path names, in lower case: ".csv".
func Ext(path string) string { return strings.ToLower(filepath.Ext(Plain(path))) }

// store returns the store of the URL's scheme.
func (u URL) store() (Store, error) {
	if u.torn {
		return nil, problem(nil, "the password has a /, ? or # that ends it too early; write %%2F, %%3F or %%23")
	}
	if u.web() {
		return web{}, nil
	}
	if o, ok := beingWritten.Load(u.Bucket); ok && u.Scheme == inMemoryScheme {
		return o.(*inMemory), nil
	}
	if s, ok := stores[u.Scheme]; ok {
		if u.Bucket == "" {
			return nil, problem(nil, "the URL has no bucket; want %s://BUCKET/NAME", u.Scheme)
		}
		return s, nil
	}
	if slices.Contains(known, u.Scheme) {
		return nil, withoutStores(runtime.GOOS)
	}
	return nil, problem(nil, "URLs with %s are not known; want %s:// or https://", words.Quote(u.Scheme+"://"), strings.Join(known, "://, "))
}

// withoutStores is the error where there are none.
func withoutStores(system string) error {
	if system == "js" {
		return problem(nil, "in a browser symmom reads from no store; use an https:// address of the object, or a copy among the files of the page")
	}
	return problem(nil, "this program was built without stores; in Go import _ \"symmom/cloud\", and build symmom without the tag slim")
}

// known are the schemes that there are stores for.
var known = []string{"s3", "gs", "azblob"}
