package kernel

// Comms are channels between a kernel and code in the client, for widgets. No Go
// code here offers any, so whatever a client opens is closed again, as the protocol
// requires.

func (k *kernel) commOpen(m *message) dict {
	var r struct {
		ID string `json:"comm_id"`
	}
	if bad := m.read(&r); bad == nil {
		k.publish("comm_close", m.raw, dict{"comm_id": r.ID, "data": dict{}})
	}
	return nil
}

// commOther ignores messages for a comm that is closed.
func (k *kernel) commOther(*message) dict { return nil }

func (k *kernel) commInfo(*message) dict { return ok(dict{"comms": dict{}}) }
