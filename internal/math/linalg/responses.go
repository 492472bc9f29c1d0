package linalg

// Responses says, of each place of a document, how likely it has each of some topics, and adds
// these up. All vectors have a multiple of 8 elements: further topics have zeros.
type Responses struct {
	Now     []float64 // counts of the document by topic, and what they are at least without a place
	Least   []float64
	Inverse []float64 // 1 / the counts of each topic
	Scaled  []float64 // Now * Inverse
	Weight  float64   // of the document among the counts of a word
	Eta     float64   // what the counts of a word are at least without a place

	G    []float64 // count times what the last word had
	Next []float64 // the sums of these
}

// Of takes a word, of which the document has count places: with its counts by topic
//
//	own = word Scaled / (word'Scaled)
//	G   ~ max(word - Weight own, Eta) max(Now - own, Least) Inverse,   of sum count,
//
// and adds G to Next, and Weight G to sums. It returns word'Scaled. 20 operations a topic.
func (t *Responses) Of(word, sums []float64, count float64) float64 {
	if active == generic {
		return t.generic(word, sums, count)
	}
	return t.vectors(word, sums, count)
}

// leastNormal keeps a word that no topic has from dividing by 0: its inverse is finite.
const leastNormal = 0x1p-1022

func (t *Responses) generic(word, sums []float64, count float64) float64 {
	norm := dotGeneric(word, t.Scaled) + leastNormal
	n := len(word)
	scaled, now, least, inverse, g, next := t.Scaled[:n], t.Now[:n], t.Least[:n], t.Inverse[:n], t.G[:n], t.Next[:n]
	by, total := 1/norm, 0.
	for j, x := range word {
		own := x * scaled[j] * by
		x -= t.Weight * own
		if x < t.Eta {
			x = t.Eta
		}
		share := now[j] - own
		if share < least[j] {
			share = least[j]
		}
		x *= share * inverse[j]
		g[j] = x
		total += x
	}
	by = 1 / (total + leastNormal)
	for j := range g {
		g[j] = g[j] * by * count // count / total might overflow
		next[j] += g[j]
		sums[j] += t.Weight * g[j]
	}
	return norm
}
