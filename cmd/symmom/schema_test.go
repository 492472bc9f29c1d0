package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"symmom/cmd/symmom/internal/objects"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/spf13/cobra"
)

const schemaFile = "../../docs/reference/output.schema.json"

// schemaText is the schema of everything that --json prints. It is read before the
// tests begin, since scripts run in other directories.
var schemaText, schemaErr = os.ReadFile(schemaFile)

// schemas compiles the definition of each kind of output.
var schemas = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	if schemaErr != nil {
		return nil, schemaErr
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("output.schema.json", doc); err != nil {
		return nil, err
	}
	out := map[string]*jsonschema.Schema{}
	for _, one := range doc.(map[string]any)["oneOf"].([]any) {
		ref := one.(map[string]any)["$ref"].(string)
		s, err := c.Compile("output.schema.json" + ref)
		if err != nil {
			return nil, err
		}
		out[strings.TrimPrefix(ref, "#/$defs/")] = s
	}
	return out, nil
})

// conforms validates an object that --json printed against the definition that it
// names, and returns the name.
func conforms(object []byte) (kind string, err error) {
	all, err := schemas()
	if err != nil {
		return "", err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(object))
	if err != nil {
		return "", err
	}
	var named struct{ Schema string }
	if err := json.Unmarshal(object, &named); err != nil {
		return "", err
	}
	kind, _, _ = strings.Cut(named.Schema, "/")
	s, known := all[kind]
	if !known {
		return "", fmt.Errorf("the key schema is %q, which %s does not define", named.Schema, schemaFile)
	}
	return kind, s.Validate(v)
}

// cmdSchema: schema FILE KIND requires an object that conforms to that definition and,
// on standard output, has the warnings that are on standard error.
func cmdSchema(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: schema FILE KIND")
	}
	kind, err := conforms([]byte(ts.ReadFile(args[0])))
	if err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	if kind != args[1] {
		ts.Fatalf("%s is of the kind %s, want %s", args[0], kind, args[1])
	}
	if args[0] != "stdout" {
		return
	}
	var out struct{ Warnings []string }
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &out); err != nil {
		ts.Fatalf("%v", err)
	}
	want := ""
	for _, w := range out.Warnings {
		want += "symmom: warning: " + w + "\n"
	}
	if got := ts.ReadFile("stderr"); want != got {
		ts.Fatalf("warnings in the object:\n%son standard error:\n%s", want, got)
	}
}

// Every command with --json is in the script that validates its output; the
// commands of paper share their output code, so one of them is enough.
func TestSchemaScriptHasEveryCommand(t *testing.T) {
	script, err := os.ReadFile("testdata/script/schema.txtar")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range newRoot(&app{}).Commands() {
		if !slices.ContainsFunc(append(c.Commands(), c), func(c *cobra.Command) bool { return c.Flags().Lookup("json") != nil }) {
			continue
		}
		n++
		ran := slices.ContainsFunc(strings.Split(string(script), "\n"), func(line string) bool {
			return strings.HasPrefix(line, "exec "+c.CommandPath()+" ") && strings.Contains(line, " --json")
		})
		if !ran {
			t.Errorf("testdata/script/schema.txtar does not run %s --json", c.CommandPath())
		}
	}
	if n < 9 {
		t.Errorf("only %d commands have --json: this test looks at nothing", n)
	}
}

// The printed keys and the keys of the schema are the same, including optional
// ones.
func TestSchemaHasEveryKey(t *testing.T) {
	if schemaErr != nil {
		t.Fatal(schemaErr)
	}
	var doc struct {
		Defs map[string]map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(schemaText, &doc); err != nil {
		t.Fatal(err)
	}
	for kind, v := range map[string]any{"info": objects.Info{}, "decompose": objects.Fit{}, "evaluate": objects.Evaluation{}, "sweep": objects.Sweep{},
		"rank": objects.Rank{}, "mixture": objects.Mixture{}, "mixtures": objects.Mixtures{}, "ica": objects.ICA{}, "topics": objects.Topics{}, "evaluate_mixture": objects.MixtureEvaluation{}} {
		sameKeys(t, kind, reflect.TypeOf(v), doc.Defs[kind])
	}
	for name, def := range doc.Defs {
		closed(t, name, def)
	}
}

// sameKeys compares the JSON keys of a struct with the properties of a schema.
func sameKeys(t *testing.T, at string, s reflect.Type, schema map[string]any) {
	t.Helper()
	properties, _ := schema["properties"].(map[string]any)
	var documented, printed []string
	for key := range properties {
		documented = append(documented, key)
	}
	for _, f := range reflect.VisibleFields(s) {
		key, options, tagged := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || key == "-" {
			continue
		}
		printed = append(printed, key)
		property, _ := properties[key].(map[string]any)
		required, _ := schema["required"].([]any)
		if tagged == slices.Contains(required, any(key)) {
			t.Errorf("%s.%s: required in the schema %v, option %q in the struct", at, key, !tagged, options)
		}
		elem := f.Type
		for elem.Kind() == reflect.Slice || elem.Kind() == reflect.Pointer {
			elem = elem.Elem()
		}
		if items, ok := property["items"].(map[string]any); ok {
			property = items
		}
		if elem.Kind() == reflect.Struct && property["properties"] != nil {
			sameKeys(t, at+"."+key, elem, property)
		}
	}
	slices.Sort(documented)
	slices.Sort(printed)
	if !slices.Equal(documented, printed) || len(printed) == 0 {
		t.Errorf("%s: documented keys %q, printed %q", at, documented, printed)
	}
}

// closed requires every object of a schema to reject unlisted keys, and every key
// to have a description.
func closed(t *testing.T, at string, schema map[string]any) {
	t.Helper()
	if properties, ok := schema["properties"].(map[string]any); ok {
		if schema["additionalProperties"] != false {
			t.Errorf("%s takes keys that are not documented", at)
		}
		for key, v := range properties {
			p := v.(map[string]any)
			if d, _ := p["description"].(string); d == "" && p["$ref"] != "#/$defs/covariance" {
				t.Errorf("%s.%s has no description", at, key)
			}
			closed(t, at+"."+key, p)
		}
	}
	if items, ok := schema["items"].(map[string]any); ok {
		closed(t, at+"[]", items)
	}
}

func TestSchemaRefuses(t *testing.T) {
	good := `{"schema":"sweep/2","order":3,"results":[{"rank":2,"relative_error":0.5,"score":null,"seconds":0.1,"evaluations":7}],"warnings":[]}`
	if kind, err := conforms([]byte(good)); err != nil || kind != "sweep" {
		t.Fatalf("%s: %v", kind, err)
	}
	for old, bad := range map[string]string{
		`"order":3`:          `"order":3,"new":1`,
		`"rank":2`:           `"rank":2,"new":1`,
		`"seconds":0.1,`:     ``,
		`"evaluations":7`:    `"evaluations":"7"`,
		`"schema":"sweep/2"`: `"schema":"sweep/1"`,
		`"sweep/2"`:          `"swap/2"`,
	} {
		object := strings.Replace(good, old, bad, 1)
		if _, err := conforms([]byte(object)); err == nil {
			t.Errorf("%s is taken", object)
		}
	}
}

// The schema says when a condition is null, which the text has as +Inf or NaN.
func TestSchemaSaysWhenConditionIsNull(t *testing.T) {
	var doc struct {
		Defs map[string]struct {
			Properties map[string]struct{ Description string }
		} `json:"$defs"`
	}
	if err := errors.Join(schemaErr, json.Unmarshal(schemaText, &doc)); err != nil {
		t.Fatal(err)
	}
	for kind, d := range doc.Defs {
		c, has := d.Properties["condition"]
		if out, err := json.Marshal(objects.Number(math.Inf(1))); has && (err != nil || string(out) != "null" || !strings.Contains(c.Description, "null where it is infinite")) {
			t.Errorf("%s: %s, %q", kind, out, c.Description)
		}
	}
}
