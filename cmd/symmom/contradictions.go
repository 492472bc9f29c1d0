package main

// contradiction is a pair of flags of which a command line can have one.
type contradiction struct {
	is        bool
	one, more string // as they are written: --form sampled
	why       string
}

// refuse returns an error for the first contradiction that is there. The library refuses
// most of them, too, but in its own words, and only after the data have been read.
func refuse(pairs ...contradiction) error {
	for _, p := range pairs {
		if p.is {
			return oneOfThem(p.one, p.more, p.why)
		}
	}
	return nil
}

func oneOfThem(one, more, why string) error {
	if why != "" {
		why = "; " + why
	}
	return usagef("%s and %s: want one of them%s", one, more, why)
}
