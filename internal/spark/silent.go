package spark

import (
	"context"
	"errors"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

var errSilent = errors.New("has not answered")

// attend returns the context of a call, whose messages are to be told to heard: errSilent
// ends it if there are none, and a question is not answered either. The question is a call
// like others, because servers end connections on which the transport's own ones (keepalive)
// come more often than every five minutes.
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

// there reports whether the server answers. It is told to interrupt what does not exist.
func (e *Engine) there(call context.Context) bool {
	call, cancel := context.WithTimeout(call, e.silence)
	defer cancel()
	code := status.Code(e.tell(call, id()))
	return code != codes.DeadlineExceeded && code != codes.Unavailable
}
