package chartjson

import (
	"strings"
	"testing"
)

func TestShort(t *testing.T) {
	in := `{"a":[1.23456789,-0.000123456789,1234567890,-1.5e-300,12345678.912,true,null],"1.23456789\"":"1.23456789\\","b":-2.2204460492503131e-16}`
	want := `{"a":[1.23457,-0.000123457,1234567890,-1.5e-300,1.23457e+07,true,null],"1.23456789\"":"1.23456789\\","b":-2.22045e-16}`
	if got := Short(in); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Data that charts have in common are kept once, and text in a name is none.
func TestShared(t *testing.T) {
	data := "[" + strings.Repeat(`{"value":[1,2]},`, 20) + `{"name":"]\"data\":["}]`
	in := `{"series":[{"data":` + data + `},{"data":[1]},{"name":"x\",\"data\":[","data":` + data + `}]}`
	var s Shared
	got := s.Refer(in) + s.Refer(in)
	if len(s.Data) != 1 || s.Data[0] != data || strings.Count(got, `{"$data":0}`) != 4 {
		t.Fatalf("%d shared: %s", len(s.Data), got)
	}
	if back := strings.ReplaceAll(got, `{"$data":0}`, data); back != in+in {
		t.Errorf("got  %s\nwant %s", back, in+in)
	}
}
