package passes

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"symmom/internal/data/columns"
	"symmom/internal/data/load"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
)

// version is that of messages and answers.
const version = 7

// Message is a request to workers.
type Message struct {
	Pass    block.Pass // one of those of internal/moment, internal/estimate/gmm or internal/estimate/topics, or of the kinds below
	N       int        // variables; not known before a survey
	Options load.Options
	Splits  []Split

	Tree *tree `json:",omitempty"` // if workers add up the answers of its groups

	Seed   uint64 // of a Sample
	Counts []int  // how many of its observations come from each split
}

// Kinds of passes apart from those of internal/moment.
const (
	Look   = "look"   // the row groups of columnar files
	Survey = "survey" // what is to know of the observations, and whether they are valid
	Sample = "sample" // observations drawn by their weights
	Rows   = "rows"   // all observations
)

// Split is the part of a table that one worker reads at a time: a file, or Groups of
// it, from the first to before the second. What a survey found out is in the rest.
type Split struct {
	Path    string
	Groups  [2]int  `json:",omitzero"`
	Rows    int     // after those with missing values were dropped
	Largest float64 // of its weights, 0 if it has none
	Digest  string
}

// answer is a worker's answer for a split.
type answer struct {
	Split  int
	Error  string   `json:",omitempty"`
	Help   []string `json:",omitempty"` // against it
	Empty  bool     `json:",omitempty"` // the error is that there are no observations
	Kernel string
	Found  *found `json:",omitempty"`
	// Found by a survey, also where no observation is left.
	Coded   []columns.Count `json:",omitempty"`
	Dropped int             `json:",omitempty"`
	Tree    *tree           `json:",omitempty"` // that of the message
	Parts   []answer        `json:",omitempty"` // of this split and the next ones, if it is their sum
	Groups  []int           `json:",omitempty"` // rows of each row group, for Look
	Width   int             `json:",omitempty"` // and numbers in a row
}

// found is the result of a survey of a split.
type found struct {
	Rows           int
	Names          []string
	N              int
	Columns        []int   // load.Info
	Weighted       bool    // with a column of weights, which may be equal
	Sum            float64 // of the weights,
	Least, Largest float64 // and the least and the largest
	Digest         string
	Notes          []note // but for those about values, codes and rows left out
}

// note is a warning with its code, for JSON.
type note diag.Warning

// envelope is the header of a message or an answer, before its numbers.
type envelope struct {
	Version int
	Sizes   []int
	Is      json.RawMessage
}

// pack returns a line: the length of its last word, its checksum, and in base64 a
// header and arrays of numbers.
func pack(is any, data [][]float64) (string, error) {
	e := envelope{Version: version}
	total := 0
	for _, v := range data {
		e.Sizes = append(e.Sizes, len(v))
		total += len(v)
	}
	var err error
	if e.Is, err = json.Marshal(is); err != nil {
		return "", err
	}
	head, err := json.Marshal(e)
	if err != nil {
		return "", err
	}
	b := make([]byte, 0, 4+len(head)+8*total)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	b = append(b, head...)
	for _, v := range data {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	text := base64.StdEncoding.EncodeToString(b)
	return fmt.Sprintf("%d %s %s", len(text), checksum(text), text), nil
}

func checksum(text string) string {
	sum := xxh3.HashString128(text).Bytes()
	return hex.EncodeToString(sum[:])
}

var (
	errDamaged = errors.New("is damaged")
	errVersion = errors.New("is of another version of symmom: use the same on both sides")
)

// unpack reads a line of pack.
func unpack(line string, is any) ([][]float64, error) {
	words := strings.Split(strings.TrimRight(line, "\r\n"), " ")
	if len(words) != 3 {
		return nil, errDamaged
	}
	if n, err := strconv.Atoi(words[0]); err != nil || n != len(words[2]) || checksum(words[2]) != words[1] {
		return nil, errDamaged
	}
	b, err := base64.StdEncoding.DecodeString(words[2])
	if err != nil || len(b) < 4 {
		return nil, errDamaged
	}
	head := int64(binary.LittleEndian.Uint32(b))
	if head > int64(len(b)-4) {
		return nil, errDamaged
	}
	var e envelope
	if json.Unmarshal(b[4:4+head], &e) != nil {
		return nil, errDamaged
	}
	if e.Version != version {
		return nil, errVersion
	}
	d := json.NewDecoder(bytes.NewReader(e.Is))
	d.DisallowUnknownFields()
	if d.Decode(is) != nil {
		return nil, errDamaged
	}
	b = b[4+head:]
	var data [][]float64
	for _, size := range e.Sizes {
		if size < 0 || size > len(b)/8 {
			return nil, errDamaged
		}
		v := make([]float64, size)
		for i := range v {
			v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
		data, b = append(data, v), b[8*size:]
	}
	if len(b) > 0 {
		return nil, errDamaged
	}
	return data, nil
}

// Encode returns the message as a line.
func (m *Message) Encode() (string, error) {
	c := *m
	c.Pass.Data, c.Pass.Shift = nil, nil
	return pack(c, append(slices.Clone(m.Pass.Data), m.Pass.Shift))
}

// Decode reads a message and checks what a pass relies on.
func Decode(line string) (*Message, error) {
	m := &Message{}
	data, err := unpack(line, m)
	if err != nil {
		return nil, fmt.Errorf("the message %w", err)
	}
	if len(data) == 0 || len(data[len(data)-1])%max(1, m.N) != 0 || len(data[len(data)-1]) > m.N {
		return nil, fmt.Errorf("the message %w", errDamaged)
	}
	m.Pass.Data = data[:len(data)-1]
	if last := data[len(data)-1]; len(last) > 0 {
		m.Pass.Shift = last
	}
	if len(m.Splits) == 0 || m.N < 0 || m.N == 0 && m.Pass.Kind != Survey && m.Pass.Kind != Look || m.Pass.Kind == Sample && len(m.Counts) != len(m.Splits) {
		return nil, fmt.Errorf("the message %w", errDamaged)
	}
	return m, nil
}
