//go:build !js && !slim

package columnar

import (
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"
)

// The fields of File.fbs, Schema.fbs and Message.fbs of Arrow's format that hold
// vectors, by their places in the table of fields.
const (
	footerSchema, footerDictionaries, footerBatches, footerMetadata = 6, 8, 10, 12
	schemaFields, schemaMetadata, schemaFeatures                    = 6, 8, 10
	fieldDictionary, fieldChildren, fieldMetadata                   = 12, 14, 16
	messageHeader, messageMetadata                                  = 8, 12
	batchRowCount, batchNodes, batchBuffers, batchCounts            = 4, 6, 8, 12
	blockSize                                                       = 24
)

// verifyFooter checks the lengths of the vectors in a footer: the library makes
// room for as many elements as they say.
func verifyFooter(footer flatbuffers.Table) error {
	for _, v := range []struct{ field, size int }{{footerDictionaries, blockSize}, {footerBatches, blockSize}, {footerMetadata, 4}} {
		if _, err := vector(footer, v.field, v.size); err != nil {
			return err
		}
	}
	schema, ok := inner(footer, footerSchema)
	if !ok {
		return fmt.Errorf("no schema")
	}
	if _, err := vector(schema, schemaMetadata, 4); err != nil {
		return err
	}
	if _, err := vector(schema, schemaFeatures, 8); err != nil {
		return err
	}
	budget := len(footer.Bytes) // more fields than that are there twice
	return verifyFields(schema, schemaFields, 0, &budget)
}

func verifyFields(t flatbuffers.Table, field, depth int, budget *int) error {
	const deepest = 64
	if depth > deepest {
		return fmt.Errorf("more than %d levels of fields", deepest)
	}
	n, err := vector(t, field, 4)
	if err != nil || n == 0 {
		return err
	}
	if *budget -= n; *budget < 0 {
		return fmt.Errorf("too many fields")
	}
	at := t.Vector(flatbuffers.UOffsetT(t.Offset(flatbuffers.VOffsetT(field))))
	for i := range n {
		child := flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(at + flatbuffers.UOffsetT(4*i))}
		if _, err := vector(child, fieldMetadata, 4); err != nil {
			return err
		}
		if err := verifyFields(child, fieldChildren, depth+1, budget); err != nil {
			return err
		}
	}
	return nil
}

// vector returns the length of a vector, 0 if there is none.
func vector(t flatbuffers.Table, field, size int) (int, error) {
	at := t.Offset(flatbuffers.VOffsetT(field))
	if at == 0 {
		return 0, nil
	}
	n := t.VectorLen(flatbuffers.UOffsetT(at))
	if n < 0 || n > (len(t.Bytes)-int(t.Vector(flatbuffers.UOffsetT(at))))/size {
		return 0, fmt.Errorf("a vector of %d elements", n)
	}
	return n, nil
}

// inner returns a table in a field.
func inner(t flatbuffers.Table, field int) (flatbuffers.Table, bool) {
	at := t.Offset(flatbuffers.VOffsetT(field))
	if at == 0 {
		return t, false
	}
	return flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(flatbuffers.UOffsetT(at) + t.Pos)}, true
}
