package modelfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"symmom/internal/text/words"
)

// misread says what json.Unmarshal takes without a word, though who wrote the file may have meant
// something else: of a key that occurs twice the last, a key in other letters for ours, and 0
// for null in a list. data are valid JSON that was read into v.
func misread(data []byte, v any) string {
	ours := map[string]string{}
	for _, key := range keysOf(reflect.TypeOf(v)) {
		ours[folded(key)] = key
	}
	var within []map[string]bool // the keys so far of each object; nil for a list
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{':
			within = append(within, map[string]bool{})
		case '[':
			within = append(within, nil)
		case '}', ']':
			within = within[:len(within)-1]
		case 'n':
			if len(within) > 0 && within[len(within)-1] == nil {
				return "a list holds null, which many programs write for NaN; want numbers"
			}
		case '"':
			end := i + 1
			for ; data[end] != '"'; end++ {
				if data[end] == '\\' {
					end++
				}
			}
			text := data[i : end+1]
			i = end
			if rest := bytes.TrimLeft(data[end+1:], " \t\r\n"); len(rest) == 0 || rest[0] != ':' {
				continue
			}
			var key string
			_ = json.Unmarshal(text, &key) // it was valid
			keys := within[len(within)-1]
			switch want := ours[folded(key)]; {
			case keys[folded(key)]:
				return fmt.Sprintf("the key %s occurs twice; want each once", words.Quote(key))
			case len(within) == 1 && want != "" && key != want:
				return fmt.Sprintf("the key is %s, want %q", words.Quote(key), want)
			}
			keys[folded(key)] = true
		}
	}
	return ""
}

// folded is the same for keys that json.Unmarshal takes for each other.
func folded(key string) string { return strings.ToLower(strings.ToUpper(key)) }

// keysOf returns the keys of the JSON of a struct, or a pointer to one.
func keysOf(t reflect.Type) (keys []string) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case key == "-", key == "" && !f.Anonymous:
		case key == "":
			keys = append(keys, keysOf(f.Type)...)
		default:
			keys = append(keys, key)
		}
	}
	return keys
}
