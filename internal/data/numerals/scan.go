package numerals

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"sync"
)

// Scanner reads numbers at the beginning of a text, several times as fast as Parse. No
// library in Go does: those that are faster than strconv go digit by digit too, or to
// values that are not the nearest.
type Scanner struct {
	decimal byte
	powers  *[maxPower - minPower + 1]uint64
}

// Scanner returns a scanner of numbers in this style; ok is false if a number can only
// be read with the field that it is in.
func (s Style) Scanner() (c Scanner, ok bool) {
	return Scanner{byte(s.decimal()), powersOfTen()}, !s.Doubt && s.decimal() < 0x80
}

// Scan reads the number that text begins with if it is written as
// [+-]digits[.digits][e[+-]digits], with the decimal sign of the style. It returns what
// strconv.ParseFloat does for the same number, and its length, which is 0 if Parse is to
// decide: text begins in another way, or with a number that is not read here.
func (c Scanner) Scan(text []byte) (v float64, length int) {
	if len(text) == 0 {
		return 0, 0
	}
	// Steps that vary unpredictably between numbers are done without branches, which
	// would be mispredicted: each costs as much as four digits.
	sign := (uint64(text[0]^'-') - 1) >> 63
	i := int(sign)
	if text[0] == '+' {
		i = 1
	}
	begin, man := i, uint64(0)
	for ; i < len(text) && text[i]-'0' <= 9; i++ { // mostly few
		man = 10*man + uint64(text[i]-'0')
	}
	digits, exp10 := i-begin, 0
	if digits == 0 {
		return 0, 0
	}
	if i < len(text) && text[i] == c.decimal {
		i++
		from := i
		for {
			if i+8 > len(text) {
				for ; i < len(text) && text[i]-'0' <= 9; i++ {
					man = 10*man + uint64(text[i]-'0')
				}
				break
			}
			// In each byte the value of the digit, or 10 and more: 10+0x76 sets the upper
			// bit. Only what follows the first of these can have a carry.
			word := binary.LittleEndian.Uint64(text[i:]) ^ 0x3030303030303030
			others := (word + 0x7676767676767676 | word) & 0x8080808080808080
			if others == 0 {
				man = 1e8*man + eight(word)
				i += 8 // and not the number of digits, which takes longer to know
				continue
			}
			k := bits.TrailingZeros64(others) / 8
			man = tens[k]*man + eight(word<<(64-8*k))
			i += k
			break
		}
		if i == from {
			return 0, 0
		}
		exp10 = from - i
		digits += i - from
	}
	if digits > 19 && (digits > 20 || text[begin] != '0') {
		return 0, 0 // more than man holds
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		i++
		minus := i < len(text) && text[i] == '-'
		if minus || i < len(text) && text[i] == '+' {
			i++
		}
		from, e := i, 0
		for ; i < len(text) && text[i]-'0' <= 9; i++ {
			e = 10*e + int(text[i]-'0')
		}
		if i == from || i > from+4 {
			return 0, 0
		}
		if minus {
			e = -e
		}
		exp10 += e
	}
	switch {
	case man == 0:
	case digits <= 15 && -22 <= exp10 && exp10 <= 0: // two exact numbers, rounded once
		v = float64(man) / exact[-exp10]
	case digits <= 15 && 0 < exp10 && exp10 <= 22:
		v = float64(man) * exact[exp10]
	default:
		if v = c.nearest(man, exp10); v == 0 {
			return 0, 0
		}
	}
	return math.Float64frombits(math.Float64bits(v) | sign<<63), i
}

// eight is the number of eight digits, one in each byte, the first in the lowest.
func eight(word uint64) uint64 {
	word = 10*word + word>>8 // pairs
	const every = 0x000000FF000000FF
	return ((word&every)*(100+1000000<<32) + (word>>16&every)*(1+10000<<32)) >> 32
}

// nearest returns the float64 nearest to man 10^exp10, man > 0, or 0 if 64 bits of the
// power cannot tell, one time in a thousand, or it is no normal number. It is the first
// step of the algorithm of Eisel and Lemire (Lemire, Number parsing at a gigabyte per
// second, 2021): the product with the power cut off is too small by less than one in the
// lower word.
func (c Scanner) nearest(man uint64, exp10 int) float64 {
	if exp10 < minPower || exp10 > maxPower {
		return 0
	}
	zeros := bits.LeadingZeros64(man)
	man <<= zeros
	hi, lo := bits.Mul64(man, c.powers[exp10-minPower])
	upper := int(hi >> 63)
	kept := hi >> ((upper + 9) & 63) // 53 bits and the one that rounds
	switch {
	case hi&0x1FF == 0x1FF && kept&1 == 0 && lo+man < man:
		return 0 // a carry may set the bit that rounds; where it is set both round up
	case hi&0x1FF == 0 && kept&3 == 1 && lo == 0:
		return 0 // perhaps half way
	}
	kept = (kept + kept&1) >> 1
	// 217706/2^16 is log2(10), close enough for these exponents.
	exp2 := 217706*exp10>>16 + 63 - zeros + upper + 1023
	exp2 += int(kept >> 53)
	if exp2 < 1 || exp2 > 2046 {
		return 0
	}
	return math.Float64frombits(uint64(exp2)<<52 | kept>>(kept>>53)&(1<<52-1))
}

// The powers of ten that numbers of at most 19 digits need.
const minPower, maxPower = -330, 308

// powersOfTen returns the upper 64 bits of them, cut off. They take .1 ms.
var powersOfTen = sync.OnceValue(makePowers)

func makePowers() *[maxPower - minPower + 1]uint64 {
	all := new([maxPower - minPower + 1]uint64)
	ten, p, q := big.NewInt(10), big.NewInt(1), new(big.Int)
	for e := 0; e <= -minPower; e++ {
		size := uint(p.BitLen())
		if e <= maxPower {
			all[e-minPower] = q.Rsh(q.Lsh(p, 64), size).Uint64()
		}
		if e > 0 { // the inverse has its first bit size places behind the point
			all[-e-minPower] = q.Quo(q.Lsh(q.SetUint64(1), size+63), p).Uint64()
		}
		p.Mul(p, ten)
	}
	return all
}

// exact holds the powers of ten that are float64, tens those that are needed of integers.
var (
	exact = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}
	tens  = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}
)
