package kernel

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"
	"sync"
	"time"
)

// protocolVersion is the version of the Jupyter messages sent.
const protocolVersion = "5.5"

// delimiter separates the routing frames of a message from its own.
const delimiter = "<IDS|MSG>"

// header is the header of a message.
type header struct {
	MsgID    string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	MsgType  string `json:"msg_type"`
	Version  string `json:"version"`
	Subshell string `json:"subshell_id,omitempty"` // of a request
}

// message is a received message.
type message struct {
	header
	raw     json.RawMessage // the header as received, for the answers
	content json.RawMessage
	cell    string // of the notebook, as JupyterLab and VS Code name it; "" if unknown

	peer    caller   // the sender
	routing [][]byte // frames before the delimiter, which the answer repeats
	aborted bool     // a cell before it failed
}

var empty = json.RawMessage("{}")

// parse parses a message. It returns an error if the signature does not verify, if
// the message was received before, or if it is malformed.
func parse(s *signer, frames [][]byte) (*message, error) {
	start := 0
	for start < len(frames) && string(frames[start]) != delimiter {
		start++
	}
	if len(frames)-start < 6 {
		return nil, fmt.Errorf("message of %d frames: want %s, a signature, header, parent header, metadata and content", len(frames), delimiter)
	}
	parts := frames[start+2 : start+6]
	if err := s.verify(frames[start+1], parts); err != nil {
		return nil, err
	}
	m := &message{raw: parts[0], content: parts[3], routing: frames[:start]}
	for i, name := range []string{"header", "parent header", "metadata", "content"} {
		if p := bytes.TrimSpace(parts[i]); len(p) == 0 || p[0] != '{' || !json.Valid(p) {
			return nil, fmt.Errorf("the %s is not a JSON object", name)
		}
	}
	if err := json.Unmarshal(parts[0], &m.header); err != nil {
		return nil, fmt.Errorf("the header: %w", err)
	}
	if m.MsgType == "" || m.MsgID == "" {
		return nil, errors.New("the header has no msg_type or no msg_id")
	}
	var metadata struct{ CellID string }
	if json.Unmarshal(parts[2], &metadata) == nil {
		m.cell = metadata.CellID
	}
	return m, s.remember(frames[start+1])
}

// signer signs messages, verifies signatures, and remembers those it has seen.
type signer struct {
	hash func() hash.Hash
	key  []byte // nil: messages are not signed

	mu   sync.Mutex
	seen map[string]bool
	ring []string // the same, oldest at next
	next int
}

// remembered is the number of signatures kept to detect repeated messages.
const remembered = 1 << 16

func newSigner(scheme, key string) (*signer, error) {
	s := &signer{seen: map[string]bool{}}
	if key != "" {
		s.key = []byte(key)
	}
	switch strings.ToLower(scheme) {
	case "", "hmac-sha256":
		s.hash = sha256.New
	case "hmac-sha512":
		s.hash = sha512.New
	case "hmac-sha384":
		s.hash = sha512.New384
	case "hmac-sha1":
		s.hash = sha1.New
	default:
		return nil, fmt.Errorf("signature_scheme is %q, want hmac-sha256, hmac-sha384, hmac-sha512 or hmac-sha1", scheme)
	}
	return s, nil
}

// sign returns the signature of the four parts, in hex digits.
func (s *signer) sign(parts [][]byte) []byte {
	if s.key == nil {
		return nil
	}
	h := hmac.New(s.hash, s.key)
	for _, p := range parts {
		h.Write(p)
	}
	return hex.AppendEncode(nil, h.Sum(nil))
}

var (
	errSignature = errors.New("wrong signature")
	errReplayed  = errors.New("this message came before")
)

// verify compares a signature in constant time.
func (s *signer) verify(signature []byte, parts [][]byte) error {
	if s.key != nil && !hmac.Equal(signature, s.sign(parts)) {
		return errSignature
	}
	return nil
}

// remember returns an error if a signature was seen before. Messages that differ in
// anything, such as their msg_id, have different signatures.
func (s *signer) remember(signature []byte) error {
	if s.key == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := string(signature)
	switch {
	case s.seen[t]:
		return errReplayed
	case len(s.ring) < remembered:
		s.ring = append(s.ring, t)
	default:
		delete(s.seen, s.ring[s.next])
		s.ring[s.next] = t
		s.next = (s.next + 1) % remembered
	}
	s.seen[t] = true
	return nil
}

// dict is the content of a message to send.
type dict = map[string]any

// compose returns the frames of a message: routing is its destination, parent the
// header of the message that it answers, or nil.
func (k *kernel) compose(routing [][]byte, msgType string, parent json.RawMessage, content any) [][]byte {
	h := header{MsgID: newID(), Session: k.session, Username: "kernel", MsgType: msgType, Version: protocolVersion,
		Date: time.Now().UTC().Format("2006-01-02T15:04:05.000000Z07:00")}
	if parent == nil {
		parent = empty
	}
	metadata := empty
	if msgType == "comm_open" {
		metadata = widgetsVersion
	}
	parts := [][]byte{encode(h), parent, metadata, encode(content)}
	frames := append(slices.Clip(routing), []byte(delimiter), k.signer.sign(parts))
	return append(frames, parts...)
}

// encode returns JSON without the escapes for HTML, which double the size of a
// page.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		// This package only sends what can be encoded; the JSON of a value was
		// validated before (repl).
		panic(fmt.Sprintf("kernel: %v", err))
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

func newID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
