package notebook

import (
	"strings"
	"testing"
)

// stored was written by nbformat 5.11 (json.dumps with indent 1 and sorted keys), from a
// notebook with what Python and Go write differently: line ends, characters that JSON may
// escape, numbers.
const stored = `{
 "cells": [
  {
   "attachments": {
    "a.png": {
     "image/png": "aGk=\n"
    }
   },
   "cell_type": "markdown",
   "id": "a-1",
   "metadata": {},
   "source": [
    "é <b> & \u0001\u001f\b\f",
    " ` + "\u2028" + `",
    "\\u2028\r\n",
    "end"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "b",
   "metadata": {
    "odd": [
     1.5,
     12345678901234567890,
     [],
     {}
    ]
   },
   "outputs": [
    {
     "data": {
      "application/json": {
       "text": "a\nb"
      },
      "application/x-own": "a\nb",
      "image/png": "aGk=\naGk=",
      "image/svg+xml": [
       "<svg>\n",
       "</svg>"
      ],
      "text/plain": []
     },
     "execution_count": 1,
     "metadata": {},
     "output_type": "execute_result"
    },
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "a\u001c",
      "x\r",
      "b\n"
     ]
    },
    {
     "ename": "e",
     "evalue": "a\nb",
     "output_type": "error",
     "traceback": [
      "a\nb"
     ]
    }
   ],
   "source": [],
   "unknown": null
  }
 ],
 "metadata": {
  "mine": "kept"
 },
 "nbformat": 4,
 "nbformat_minor": 5,
 "own": true
}
`

func TestFilesAreNbformats(t *testing.T) {
	nb, err := Read("a.ipynb", []byte(stored))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // writing changes nothing
		if got := string(nb.Bytes()); got != stored {
			t.Errorf("got\n%s\nwant\n%s", got, stored)
		}
	}
	if got := nb.Cells[1].Outputs()[0].Data("image/svg+xml"); got != "<svg>\n</svg>" {
		t.Errorf("the picture is %q", got)
	}
	// What files should not have is left out; texts may be in one piece.
	nb, err = Read("a.ipynb", []byte(`{"nbformat":4,"nbformat_minor":0,"metadata":{"signature":"x","orig_nbformat":3},"cells":[{"cell_type":"code","source":"a\nb","metadata":{"trusted":true}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{
 "cells": [
  {
   "cell_type": "code",
   "metadata": {},
   "outputs": [],
   "source": [
    "a\n",
    "b"
   ]
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 0
}
`
	if got := string(nb.Bytes()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNoNotebook(t *testing.T) {
	for text, want := range map[string]string{
		``:                               "a.ipynb is no notebook, which is JSON: EOF",
		`{"a":`:                          "a.ipynb is no notebook, which is JSON: unexpected EOF",
		`[1]`:                            "a.ipynb is no notebook, which is one object of JSON",
		`{} {}`:                          "a.ipynb is no notebook, which is one object of JSON",
		`{}`:                             "a.ipynb is no notebook: it has no nbformat",
		`{"nbformat":3,"worksheets":[]}`: "a.ipynb is in version 3 of the format, want 4: jupyter nbconvert --to notebook a.ipynb",
		`{"nbformat":5}`:                 "a.ipynb is in version 5 of the format, want 4",
		`{"nbformat":4}`:                 "a.ipynb is broken: it has no list of cells",
		`{"nbformat":4,"cells":[1]}`:     "a.ipynb is broken: cell 1 is no object",
		`{"nbformat":4,"cells":[{"cell_type":"markdown","source":""},{"cell_type":"other"}]}`: `a.ipynb is broken: cell 2 is of type "other", want code, markdown or raw`,
		`{"nbformat":4,"cells":[{"cell_type":"code"}]}`:                                       "a.ipynb is broken: cell 1 has no source",
		`{"nbformat":4,"cells":[{"cell_type":"code","source":[1]}]}`:                          "a.ipynb is broken: cell 1 has no source",
		`{"nbformat":4,"cells":[{"cell_type":"code","source":"","outputs":{}}]}`:              "a.ipynb is broken: cell 1 has outputs that are none",
		`{"nbformat":4,"cells":[{"cell_type":"code","source":"","outputs":[1]}]}`:             "a.ipynb is broken: cell 1 has outputs that are none",
	} {
		if _, err := Read("a.ipynb", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// Any input gives a notebook or an error, and what is read can be written, rendered and
// read again.
func FuzzRead(f *testing.F) {
	f.Add(stored)
	f.Add(`{"nbformat":4,"cells":[{"cell_type":"code","source":["a"],"outputs":[{"output_type":"error","traceback":[1]}]}]}`)
	f.Fuzz(func(t *testing.T, data string) {
		nb, err := Read("a.ipynb", []byte(data))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		if _, err := nb.Page(); err != nil {
			t.Error(err)
		}
		_ = nb.Inject([]Parameter{{"x", "1"}})
		once := nb.Bytes()
		again, err := Read("a.ipynb", once)
		if err != nil {
			t.Fatal(err)
		}
		if got := again.Bytes(); string(got) != string(once) {
			t.Errorf("%s\nis written again as\n%s", once, got)
		}
	})
}
