package parallel

import (
	"testing"
	"time"
)

// Helpers that lose time are not asked for twenty times of it, which doubles until they
// save time again.
func TestAccount(t *testing.T) {
	const ms = time.Millisecond
	a := newAccount()
	now := time.Second
	lose := func() (alone time.Duration) {
		for a.book(now, -time.Second); !a.closed(now); { // a second counts as mostLost
			a.book(now, -ms)
		}
		begin := now
		for a.closed(now) {
			now += ms / 4
		}
		return now - begin
	}
	// 5 ms are trusted: 4 and two of 1 ms overdraw 1 ms, and .5 ms may be lost later.
	want := 30 * ms
	if got := lose(); got != want {
		t.Errorf("alone for %v, want %v", got, want)
	}
	// Then a trial's .5 ms are: 4 overdraw 3.5.
	for doublings := 1; doublings <= mostDoublings+1; doublings++ {
		want = 80 * ms << min(doublings, mostDoublings)
		if got := lose(); got != want {
			t.Errorf("alone for %v the %d. time, want %v", got, doublings+1, want)
		}
	}
	for range 100 { // these save more than they may
		a.book(now, ms)
	}
	if got := lose(); got != 30*ms {
		t.Errorf("alone for %v after calls that saved time, want %v", got, 30*ms)
	}
	a.book(now, ms)
	a.book(now, -ms)
	if a.closed(now) {
		t.Error("alone without a loss")
	}
}

// The time saved by helpers is measured by the jobs of a shared call, and by calls alone as soon
// as there were some.
func TestPace(t *testing.T) {
	const us = time.Microsecond
	var p pace
	for _, c := range []struct {
		took, job, saved time.Duration
	}{
		{60 * us, 12 * us, 36 * us},
		{70 * us, 10 * us, 10 * us},
		{500 * us, 40 * us, -420 * us},
	} {
		if saved, short := p.saved(c.took, c.job, 8); saved != c.saved || !short {
			t.Errorf("a call of %v saves %v, short: %t, want %v", c.took, saved, short, c.saved)
		}
	}
	for range 200 {
		p.tookAlone(160 * us)
		p.tookAlone(170 * us)
		p.tookAlone(4000 * us) // a third of them do not move the median far
	}
	if p.alone < 155*us || p.alone > 185*us {
		t.Errorf("calls alone take %v, want about 170µs", p.alone)
	}
	if saved, _ := p.saved(60*us, 10*us, 8); saved != p.alone-60*us {
		t.Errorf("saves %v, want %v", saved, p.alone-60*us)
	}
	var long pace
	if _, short := long.saved(3*time.Millisecond, time.Millisecond, 8); short || long.short() {
		t.Error("3 ms count as short")
	}
}
