package chartjson

import "testing"

func TestShort(t *testing.T) {
	in := `{"a":[1.23456789,-0.000123456789,1234567890,-1.5e-300,12345678.912,true,null],"1.23456789\"":"1.23456789\\","b":-2.2204460492503131e-16}`
	want := `{"a":[1.23457,-0.000123457,1234567890,-1.5e-300,1.23457e+07,true,null],"1.23456789\"":"1.23456789\\","b":-2.22045e-16}`
	if got := Short(in); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
