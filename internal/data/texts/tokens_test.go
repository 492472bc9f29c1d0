package texts

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plain are texts, their words, and those of CountVectorizer, "=" for the same; counts_e2e_test.go
// holds the last against scikit-learn. They differ
//   - in marks, which belong to words here;
//   - in numbers, which are no words unless they are asked for;
//   - in periods and other marks within words, which Unicode keeps;
//   - in what is not seen or written in two ways, which is the same word here;
//   - in underscores at an end.
var plain = []struct{ text, words, theirs string }{
	{"The pope's visit; he didn't say it's ‘fine’.", "the pope visit he didn say it fine", "="},
	{"L’été de l'homme qu'il aime", "été de homme qu il aime", "="},
	{"Straße, GRÖẞE und Übermut", "straße größe und übermut", "="},
	{"state-of-the-art e-mail, tête-à-tête", "state of the art mail tête tête", "="},
	{"EU:n päätös", "eu päätös", "="},
	{"Съешь ещё ЭТИХ булок", "съешь ещё этих булок", "="},
	{"п'ять, об’єкт", "п'ять об'єкт", "ять об єкт"},
	{"ΟΔΟΣ ὈΔΥΣΣΕΎΣ, ο Σωκράτης", "οδος ὀδυσσεύς σωκράτης", "="},
	{"קול ש'ל צ״ה", "קול ש'ל צ״ה", "קול"},
	{"السلام عليكم", "السلام عليكم", "="},
	{"هٰذَا كِتَابٌ", "هٰذَا كِتَابٌ", "اب"},
	{"हिन्दी की किताबें", "हिन्दी किताबें", ""},
	{"中国 人民,你好世界", "中国 人民 你好世界", "="},
	{"すごーい データ分析", "すごーい データ分析", "="},
	{"สวัสดี ครับ", "สวัสดี ครับ", "สว สด คร"},
	{"안녕하세요 세계", "안녕하세요 세계", "="},
	{"cafe\u0301 caf\u00e9", "café café", "cafe café"},
	{"Donau\u00addampf \u200eabc\u200f", "donaudampf abc", "donau dampf abc"},
	{"می\u200cخواهم", "می\u200cخواهم", "می خواهم"},
	{"U.S. e.g. example.com end.", "u.s e.g example.com end", "example com end"},
	{"col·lecció", "col·lecció", "col lecció"},
	{"In 1997, 3d and mp3: 3.14 and 42nd", "in and mp3 and 42nd", "in 1997 3d and mp3 14 and 42nd"},
	{"snake_case __init__ _x_ a_b", "snake_case init a_b", "snake_case __init__ _x_ a_b"},
	{"👍🏽 ok 🇩🇪 ❤️ 1️⃣", "ok", "="},
	{"a I x 7 é", "", "="},
	{"m² 10½ H₂O", "", "m² 10½ h₂o"},
	{"İstanbul DIYARBAKIR", "istanbul diyarbakir", "stanbul diyarbakir"},
	{"don\u2019t＇s o'clock", "don clock", "="},
	{"one,two;three\tfour\nfive\u00a0six\u3000seven/eight", "one two three four five six seven eight", "="},
}

func wordsOf(text string, numbers bool) (found []string) {
	t := tokenizer{numbers: numbers}
	t.each(text, func() bool { return true }, func(w []byte) { found = append(found, string(w)) })
	return found
}

func TestWords(t *testing.T) {
	for _, c := range plain {
		if got := strings.Join(wordsOf(c.text, false), " "); got != c.words {
			t.Errorf("%q: %q, want %q", c.text, got, c.words)
		}
	}
	if got, want := strings.Join(wordsOf("In 1997, 3d and mp3: 3.14, 1,000 and 7 ١٢", true), " "), "in 1997 3d and mp3 3.14 1,000 and ١٢"; got != want {
		t.Errorf("with numbers %q, want %q", got, want)
	}
}

// Words hold two letters or more, nothing in upper case, no space or line break, and are words
// again where they are the text.
func FuzzWords(f *testing.F) {
	for _, c := range plain {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		for _, w := range wordsOf(text, true) {
			letters := 0
			for _, r := range w {
				if unicode.IsLetter(r) || unicode.IsDigit(r) {
					letters++
				}
				if unicode.IsSpace(r) || unicode.ToLower(r) != r {
					t.Errorf("%q: %q has %q", text, w, r)
				}
			}
			if letters < 2 || !norm.NFC.IsNormalString(w) {
				t.Errorf("%q: %q", text, w)
			}
			if again := wordsOf(w, true); !slices.Equal(again, []string{w}) {
				t.Errorf("%q: %q becomes %q", text, w, again)
			}
		}
	})
}

func TestStopWords(t *testing.T) {
	all, err := Stop(t.Context(), "english, German")
	if err != nil {
		t.Fatal(err)
	}
	set := stopSet(all)
	for _, w := range []string{"the", "don", "doesn", "ll", "und", "für"} {
		if !set[w] {
			t.Errorf("%s is no stop word", w)
		}
	}
	if set["pope"] || set["don't"] {
		t.Error("a word too many")
	}
	if n := len(Languages()); n != 16 {
		t.Errorf("%d languages", n)
	}
	for _, l := range Languages() {
		if words, err := Stop(t.Context(), l); err != nil || len(words) < 50 || !slices.IsSorted(words) {
			t.Errorf("%s: %d words, %v", l, len(words), err)
		}
	}
}
