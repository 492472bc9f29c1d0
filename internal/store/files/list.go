package files

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
)

// List returns the objects of a store that a URL names together, by name: all right
// below it if it ends in a slash, or those that match a pattern. several is false if it
// names one object.
func List(ctx context.Context, where string) (paths []string, several bool, err error) {
	u, ok := parse(where)
	if !ok || u.web() {
		return nil, false, nil
	}
	var keys []string
	whole := u
	pattern := u.Key
	below := u.Key == "" || strings.HasSuffix(u.Key, "/")
	meta := strings.IndexAny(pattern, "*?[")
	switch {
	case meta >= 0:
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, true, u.fail(problem(nil, "is not a pattern of names; want one such as s3://bucket/part-*.csv"))
		}
		u.Key = pattern[:meta]
	case !below:
		return nil, false, nil
	}
	store, err := u.store()
	if err == nil {
		flat := meta < 0 || !strings.Contains(pattern[meta:], "/")
		err = within(ctx, func(ctx context.Context, heard func()) error {
			return store.List(ctx, u, flat, func(key string) {
				heard()
				ok := meta < 0 && key != u.Key
				if meta >= 0 {
					ok, _ = path.Match(pattern, key)
				}
				if ok && !strings.HasSuffix(key, "/") {
					keys = append(keys, key)
				}
			})
		})
	}
	if err != nil {
		return nil, true, whole.fail(err)
	}
	slices.Sort(keys)
	for _, key := range keys {
		paths = append(paths, u.with(key))
	}
	return paths, true, nil
}

// Beside is the path of a file that a list at path names: relative to the list, unless
// it is absolute or a URL. It returns "" if list is not a URL.
func Beside(list, name string) string {
	u, ok := parse(list)
	switch {
	case !ok:
		return ""
	case IsURL(name):
		return name
	}
	name, query := u.cut(name)
	u.Query = cmp.Or(query, u.Query)
	return u.with(path.Join(path.Dir(u.Key), name))
}
