package notebook

import "encoding/json"

// collector makes outputs of messages, as Python's nbclient does.
type collector struct {
	cell  *Cell
	clear bool                        // before the next output
	shown map[string][]map[string]any // outputs by their display_id
}

// begin makes c the cell to which outputs belong.
func (k *collector) begin(c *Cell) {
	k.cell, k.clear = c, false
	c.fields["outputs"], c.fields["execution_count"] = []any{}, nil
}

// published is the content of a message about outputs.
type published struct {
	Transient struct {
		ID string `json:"display_id"`
	} `json:"transient"`
	Wait bool `json:"wait"`
}

// fieldsOf are the fields of outputs, which they have of the messages for them.
var fieldsOf = map[string][]string{
	"stream":         {"name", "text"},
	"display_data":   {"data", "metadata"},
	"execute_result": {"data", "metadata", "execution_count"},
	"error":          {"ename", "evalue", "traceback"},
}

// take takes a message of the running cell: its type, its content and the same decoded.
func (k *collector) take(msgType string, raw []byte, content map[string]any) {
	var p published
	if json.Unmarshal(raw, &p) != nil {
		return
	}
	if n, has := content["execution_count"]; has {
		k.cell.fields["execution_count"] = n
	}
	for _, o := range k.shown[p.Transient.ID] {
		o["data"], o["metadata"] = content["data"], content["metadata"]
	}
	fields := fieldsOf[msgType]
	switch {
	case msgType == "clear_output" && p.Wait:
		k.clear = true
		return
	case msgType == "clear_output":
		k.cell.fields["outputs"] = []any{}
		return
	case fields == nil:
		return
	}
	outputs, _ := k.cell.fields["outputs"].([]any)
	if k.clear {
		outputs, k.clear = nil, false
	}
	if msgType == "stream" && len(outputs) > 0 {
		if last := object(outputs[len(outputs)-1]); last["output_type"] == "stream" && last["name"] == content["name"] {
			last["text"] = str(last["text"]) + str(content["text"])
			return
		}
	}
	o := map[string]any{"output_type": msgType}
	for _, f := range fields {
		o[f] = content[f]
	}
	if id := p.Transient.ID; id != "" {
		k.shown[id] = append(k.shown[id], o)
	}
	k.cell.fields["outputs"] = append(outputs, o)
}
