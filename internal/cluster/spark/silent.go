package spark

import (
	"context"
	"errors"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

var errSilent = errors.New("has not answered")

// attend returns the context of a call, for whose messages heard must be called: errSilent
// ends it if there are none, and a probe is not answered either. The probe is an ordinary
// call, because servers close connections on which the transport's keepalive pings come
// more often than every five minutes.
func (e *Engine) attend(ctx context.Context) (call context.Context, heard, end func()) {
	call, cancel := context.WithCancelCause(e.outgoing(ctx))
	messages := make(chan struct{}, 1)
	go func() {
		quiet := time.NewTimer(e.silence)
		defer quiet.Stop()
		for {
			select {
			case <-call.Done():
				return
			case <-messages:
			case <-quiet.C:
				if !e.there(call) {
					cancel(errSilent)
					return
				}
			}
			quiet.Reset(e.silence)
		}
	}()
	heard = func() {
		select {
		case messages <- struct{}{}:
		default:
		}
	}
	return call, heard, func() { cancel(nil) }
}

// there reports whether the server answers the probe, an interrupt of a query that does not
// exist.
func (e *Engine) there(call context.Context) bool {
	call, cancel := context.WithTimeout(call, e.silence)
	defer cancel()
	code := status.Code(e.tell(call, id()))
	return code != codes.DeadlineExceeded && code != codes.Unavailable
}
