package texts

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

// tokenizer finds the words of a text. The package comment has the rules.
type tokenizer struct {
	numbers bool // words may be of digits

	word []byte // the last one
	form []byte // scratch

	// Words in scripts without spaces, and their letters.
	unspaced, unspacedLetters int
}

// mark keeps a whole text from being one word after the other without a look at the context.
const mark = 1 << 12 // segments

// each calls take with the words of a text, which are valid until it returns, and look now and
// then; it ends if that returns false.
func (t *tokenizer) each(text string, look func() bool, take func(word []byte)) {
	state, rest := -1, text
	from, to := 0, 0 // the segments that may be of one word
	joins := rune(0) // the last letter of them, if letters may follow
	for k := 1; len(rest) > 0; k++ {
		var segment string
		at := len(text) - len(rest)
		segment, rest, state = uniseg.FirstWordInString(rest, state)
		if k%mark == 0 && !look() {
			return
		}
		first, last := ends(segment)
		if first == 0 {
			joins = 0
			continue
		}
		if joins != 0 && at == to && withoutSpaces(first) {
			to = at + len(segment)
		} else {
			t.take(text[from:to], take)
			from, to = at, at+len(segment)
		}
		joins = 0
		if withoutSpaces(last) {
			joins = last
		}
	}
	t.take(text[from:to], take)
}

// ends returns the first and the last letter or digit of a segment, 0 if it has none.
func ends(segment string) (first, last rune) {
	if len(segment) == 1 {
		if c := segment[0]; 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' {
			return rune(c), rune(c)
		}
		return 0, 0
	}
	for _, r := range segment {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if first == 0 {
				first = r
			}
			last = r
		}
	}
	return first, last
}

var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// withoutSpaces reports whether a letter is of a script that has no spaces between words.
func withoutSpaces(r rune) bool {
	const prolonged = 'ー' // of kana
	return r >= 0xe00 && (r == prolonged || unicode.In(r, unspaced...))
}

const (
	narrowSpace = '\u202f' // which does not end a word of the annex
	nonJoiner   = '\u200c'
	joiner      = '\u200d'
)

// take passes on the words of a few segments: several, if apostrophes or colons separate them.
func (t *tokenizer) take(text string, take func(word []byte)) {
	t.word = t.word[:0]
	ascii, latin, sigma := true, false, false // the last letter
	for _, r := range text {
		switch {
		case 'a' <= r && r <= 'z':
			t.word, latin, sigma = append(t.word, byte(r)), true, false
		case 'A' <= r && r <= 'Z':
			t.word, latin, sigma = append(t.word, byte(r)|0x20), true, false
		case '0' <= r && r <= '9', r == '_':
			t.word, latin, sigma = append(t.word, byte(r)), false, false
		case r == ':' || r == '：' || r == narrowSpace || latin && apostrophe(r):
			t.end(ascii, sigma, take)
			t.word, ascii, latin, sigma = t.word[:0], true, false, false
		case apostrophe(r):
			t.word = append(t.word, '\'')
		case r < utf8.RuneSelf:
			t.word = append(t.word, byte(r))
		case unicode.Is(unicode.Cf, r) && r != joiner && r != nonJoiner: // such as soft hyphens
		default:
			ascii = false
			t.word = utf8.AppendRune(t.word, unicode.ToLower(r))
			if !unicode.Is(unicode.M, r) {
				latin, sigma = unicode.Is(unicode.Latin, r), r == 'Σ'
			}
		}
	}
	t.end(ascii, sigma, take)
}

func apostrophe(r rune) bool { return r == '\'' || r == '’' || r == '＇' }

// edge reports whether a character may be within a word but not at its end.
func edge(r rune) bool {
	return r == '_' || r >= utf8.RuneSelf && (r == joiner || r == nonJoiner || unicode.Is(unicode.Pc, r))
}

// end passes on a word, if it is one. sigma says that a capital one is the last letter.
func (t *tokenizer) end(ascii, sigma bool, take func(word []byte)) {
	word := bytes.TrimRightFunc(t.word, edge)
	word = bytes.TrimLeftFunc(word, func(r rune) bool { return edge(r) || r >= utf8.RuneSelf && unicode.Is(unicode.M, r) })
	if ascii {
		letters, digits := 0, 0
		for _, c := range word {
			if 'a' <= c && c <= 'z' {
				letters++
			} else if '0' <= c && c <= '9' {
				digits++
			}
		}
		if t.enough(letters, digits) {
			take(word)
		}
		return
	}
	if !norm.NFC.IsNormal(word) {
		t.form = norm.NFC.Append(t.form[:0], word...)
		word = t.form
	}
	letters, digits, open := 0, 0, false
	for i := 0; i < len(word); {
		r, size := utf8.DecodeRune(word[i:])
		i += size
		switch {
		case unicode.IsLetter(r):
			letters++
			open = open || withoutSpaces(r)
		case unicode.IsDigit(r):
			digits++
		}
	}
	if !t.enough(letters, digits) {
		return
	}
	if open {
		t.unspaced++
		t.unspacedLetters += letters
	}
	if last, size := utf8.DecodeLastRune(word); sigma && last == 'σ' {
		word = utf8.AppendRune(word[:len(word)-size], 'ς')
	}
	take(word)
}

// enough reports whether something with so many letters and digits is a word.
func (t *tokenizer) enough(letters, digits int) bool {
	return letters >= 2 || t.numbers && letters+digits >= 2
}
