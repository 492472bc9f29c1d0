package texts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"symmom/internal/data/formats"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// vocabulary numbers the words as they come.
type vocabulary struct {
	number    map[string]int32
	words     []string
	documents []int32 // that each is in
	total     []int   // how often it is there
	given     map[string]bool
	bytes     float64 // that it takes, and the parts
}

// newVocabulary returns an empty one, or that of the options.
func newVocabulary(o Options) (*vocabulary, error) {
	v := &vocabulary{number: map[string]int32{}}
	if o.Vocabulary == nil {
		return v, nil
	}
	v.given = map[string]bool{}
	for i, w := range o.Vocabulary {
		if v.given[w] {
			return nil, fmt.Errorf("the vocabulary has the word %s twice, the second time as number %d", words.Quote(w), i+1)
		}
		v.given[w] = true
		v.add(w)
	}
	return v, nil
}

func (v *vocabulary) add(word string) int32 {
	const each = 80 // bytes beside the letters: in the map and in the lists
	id := int32(len(v.words))
	v.number[word] = id
	v.words, v.documents, v.total = append(v.words, word), append(v.documents, 0), append(v.total, 0)
	v.bytes += float64(len(word) + each)
	return id
}

// join takes the words of a batch, and returns their numbers.
func (v *vocabulary) join(b *batch) []int32 {
	ids := make([]int32, len(b.words))
	for k, w := range b.words {
		id, ok := v.number[w]
		if !ok {
			id = v.add(w)
		}
		ids[k] = id
		v.documents[id] += b.inDocuments[k]
		v.total[id] += b.times[k]
	}
	return ids
}

// choose makes columns of words.
func (v *vocabulary) choose(c *Counts, o Options) error {
	c.Found.Words = len(v.words)
	var kept []int32
	if v.given == nil {
		kept = v.pick(c, o)
	} else {
		c.Found.Words = 0
		for id := range v.words {
			kept = append(kept, int32(id))
			if v.total[id] > 0 {
				c.Found.Words++
			}
		}
	}
	if len(kept) == 0 {
		return v.none(c, o)
	}
	c.columns = make([]int32, len(v.words))
	for id := range c.columns {
		c.columns[id] = -1
	}
	for j, id := range kept {
		c.columns[id] = int32(j)
		c.Words = append(c.Words, v.words[id])
		c.Stored += int(v.documents[id])
		c.Total += v.total[id]
	}
	return nil
}

// pick returns the words that the options keep, sorted.
func (v *vocabulary) pick(c *Counts, o Options) (kept []int32) {
	least, most := max(1, o.MinDocuments), o.MaxShare
	if most == 0 {
		most = 1
	}
	var common []int32
	for id, n := range v.documents {
		switch {
		case float64(n) > most*float64(c.Documents):
			common = append(common, int32(id))
		case int(n) < least:
			c.Found.Rare++
		default:
			kept = append(kept, int32(id))
		}
	}
	frequent := func(a, b int32) int { // the most frequent first, or by the alphabet
		return cmp.Or(v.total[b]-v.total[a], strings.Compare(v.words[a], v.words[b]))
	}
	slices.SortFunc(common, frequent)
	c.Found.Common = len(common)
	for _, id := range common[:min(len(common), 8)] {
		c.Found.First = append(c.Found.First, v.words[id])
	}
	if o.MaxWords > 0 && len(kept) > o.MaxWords {
		slices.SortFunc(kept, frequent)
		c.Found.Beyond = len(kept) - o.MaxWords
		kept = kept[:o.MaxWords]
	}
	slices.SortFunc(kept, func(a, b int32) int { return strings.Compare(v.words[a], v.words[b]) })
	return kept
}

// none says why no word is left.
func (v *vocabulary) none(c *Counts, o Options) error {
	var why []string
	if c.Found.Stop > 0 {
		why = append(why, words.Plural(c.Found.Stop, "stop word"))
	}
	if c.Found.Rare > 0 {
		why = append(why, fmt.Sprintf("%s in fewer than %d documents", words.Plural(c.Found.Rare, "word"), o.MinDocuments))
	}
	if c.Found.Common > 0 {
		why = append(why, fmt.Sprintf("%s in more than %s of them", words.Plural(c.Found.Common, "word"), words.Percent(o.MaxShare)))
	}
	if why == nil {
		return diag.Empty(c.Source, "%s without a word; a word has two letters or more", words.Plural(c.Documents, "document"))
	}
	return diag.Helped(diag.Empty(c.Source, "of %s no word is left: %s", words.Plural(c.Documents, "document"), strings.Join(why, ", ")), "MinDocuments", "MaxShare")
}

// Room refuses counts that do not fit in memory as bytes for each entry.
func (c *Counts) room(entry float64, limit uint64) error {
	return formats.Budget{Name: c.Source, Limit: limit}.Room("its "+words.Count(c.Stored)+" counts", entry*float64(c.Stored)+16*float64(c.Documents), 0)
}
