package modelfile

import (
	"strings"
	"testing"
)

// Input that json.Unmarshal misreads silently is refused.
func TestMisread(t *testing.T) {
	type contents struct {
		Head
		Lambda []float64      `json:"lambda"`
		More   map[string]int `json:"more,omitempty"`
	}
	k := Kind{What: "model", Format: "symmom-model", Version: 1}
	for text, want := range map[string]string{
		`{"format":"symmom-model","version":1,"lambda":[1,2]}`:                                    "",
		`{"format":"symmom-model","version":1,"lambda":[1],"comment":"lambda","Other":{}}`:        "",
		`{"format":"symmom-model","version":1,"lambda":[1],"more":{"a":1,"lambda":2}}`:            "",
		`{"format":"symmom-model","version":1,"lambda":[1],"note":"a \\"lambda\\": null [null]"}`: "",
		`{"format":"symmom-model","version":1,"lambda":[1],"lambda":[2]}`:                         `the key "lambda" occurs twice`,
		`{"format":"symmom-model","version":1,"lambda":[1],"LAMBDA" :[2]}`:                        `the key "LAMBDA" occurs twice`,
		`{"format":"symmom-model","version":1,"LAMBDA":[2]}`:                                      `the key is "LAMBDA", want "lambda"`,
		`{"Format":"symmom-model","version":1}`:                                                   `the key is "Format", want "format"`,
		`{"format":"symmom-model","ver\\u017fion":1}`:                                             "the key is \"ver\u017fion\", want \"version\"",
		`{"format":"symmom-model","version":1,"more":{"a":1,"a":2}}`:                              `the key "a" occurs twice`,
		`{"format":"symmom-model","version":1,"lambda":[1, null]}`:                                "a list holds null",
		`{"format":"symmom-model","version":1,"lambda":null}`:                                     "",
		`{"format":"` + strings.Repeat("x", 1e6) + `"}`:                                           `"format" is "xxxx`,
	} {
		text = strings.ReplaceAll(text, "\\\\", "\\")
		var c contents
		err := k.Decode("x.json", []byte(text), &c, &c.Head)
		switch {
		case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 300):
			t.Errorf("%.200s: got %.300v, want %q", text, err, want)
		}
	}
}
