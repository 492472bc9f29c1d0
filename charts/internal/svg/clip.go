package svg

import "git.sr.ht/~sbinet/gg"

type clip struct {
	node *Node
	m    gg.Matrix
}

func (p *painter) index(n *Node) {
	if id := n.Get("id"); id != "" {
		p.ids[id] = n
		if n.Name == "clipPath" { // each series has its own, and setting one takes a whole mask
			shape := ""
			for _, k := range n.Kids {
				shape += k.String()
			}
			if same := p.clipOf[shape]; same != nil {
				p.ids[id] = same
			} else {
				p.clipOf[shape] = n
			}
		}
	}
	for _, k := range n.Kids {
		p.index(k)
	}
}

// clip sets the clip paths, unless they are set already.
func (p *painter) clip(clips []clip) error {
	same := len(clips) == len(p.clips)
	for i := 0; same && i < len(clips); i++ {
		same = clips[i] == p.clips[i]
	}
	if same {
		return nil
	}
	p.dc.ResetClip()
	for _, c := range clips {
		p.dc.ClearPath()
		for _, k := range c.node.Kids {
			s := state{m: c.m}
			if err := s.inherit(k); err != nil {
				return err
			}
			if err := outline(k, pen{dc: p.dc, m: s.m}); err != nil {
				return err
			}
		}
		p.dc.SetFillRuleWinding()
		p.dc.Clip()
	}
	p.clips = clips
	return nil
}
