//go:build !js && !slim

package columnar

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/apache/arrow-go/v18/parquet/metadata"
	flatbuffers "github.com/google/flatbuffers/go"
)

// The fields of a Field in Schema.fbs, and types of one.
const (
	fieldName, fieldType = 4, 8

	typeStruct   = 13
	typeDuration = 18
)

// durations returns the names of columns of durations, or of lists of them. Parquet has no
// such type: the unit of their numbers is only in Arrow's schema, which programs
// with tables of Arrow keep beside Parquet's own.
func durations(m metadata.KeyValueMetadata) (map[string]bool, error) {
	found := map[string]bool{}
	text := m.FindValue("ARROW:schema")
	if text == nil {
		return found, nil
	}
	message, err := base64.StdEncoding.DecodeString(*text)
	if err != nil {
		return nil, damaged(err)
	}
	if binary.LittleEndian.Uint32(message) == 0xffffffff { // since version 0.15
		message = message[4:]
	}
	schema, ok := inner(table(message[4:]), messageHeader)
	if !ok {
		return found, nil
	}
	left := len(message)
	if err := verifyFields(schema, schemaFields, 0, &left); err != nil {
		return nil, damaged(err)
	}
	addDurations(found, schema, schemaFields, func(name string) string { return name })
	return found, nil
}

// addDurations adds the fields that a table has in one of its own; named makes names of
// columns of theirs.
func addDurations(found map[string]bool, t flatbuffers.Table, field flatbuffers.VOffsetT, named func(string) string) {
	at := flatbuffers.UOffsetT(t.Offset(field))
	if at == 0 {
		return
	}
	for i := range t.VectorLen(at) {
		child := flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(t.Vector(at) + flatbuffers.UOffsetT(4*i))}
		name := ""
		if s := flatbuffers.UOffsetT(child.Offset(fieldName)); s != 0 {
			name = child.String(child.Pos + s)
		}
		name = named(name)
		switch child.GetByteSlot(fieldType, 0) {
		case typeDuration:
			found[name] = true
		case typeStruct:
			addDurations(found, child, fieldChildren, func(inner string) string { return name + "." + inner })
		default: // lists are columns by their own names
			addDurations(found, child, fieldChildren, func(string) string { return name })
		}
	}
}
