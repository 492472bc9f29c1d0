//go:build !nocloud

package cloud

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"

	"gocloud.dev/gcerrors"

	"symmom/internal/files"
)

// explain puts an error of a store in words of our own: those of the libraries are many
// lines long, and some hold addresses with signatures.
func (s store) explain(ctx context.Context, u files.URL, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if p := s.say(u, err); p != nil {
		return p
	}
	switch gcerrors.Code(err) {
	case gcerrors.NotFound:
		return noObject(u)
	case gcerrors.PermissionDenied:
		return denied(u)
	case gcerrors.FailedPrecondition:
		return files.ErrChanged
	case gcerrors.InvalidArgument:
		return files.NewProblem(nil, "the store does not accept the request; check the URL")
	}
	var problem *files.Problem
	var host *net.DNSError
	var at *url.Error
	var op *net.OpError
	switch {
	case errors.As(err, &problem):
		return problem
	case errors.As(err, &host):
		return files.NewProblem(nil, "there is no server of this name (%s); check the endpoint, the region and the network", host.Name)
	case errors.As(err, &op):
		return op
	case errors.As(err, &at):
		return at.Err // without the address
	case errors.Is(err, io.ErrUnexpectedEOF):
		return io.ErrUnexpectedEOF
	}
	code := gcerrors.Code(err).String()
	var api interface{ ErrorCode() string }
	if errors.As(err, &api) {
		code = api.ErrorCode()
	}
	return fmt.Errorf("the store answers with an error (%s)", code)
}

func noObject(u files.URL) *files.Problem {
	return files.NewProblem(fs.ErrNotExist, "there is no such object in the bucket %s; check the URL (that of a directory ends in a slash)", u.Bucket)
}

func noBucket(u files.URL) *files.Problem {
	return files.NewProblem(fs.ErrNotExist, "there is no bucket %s; check the URL", u.Bucket)
}

func denied(u files.URL) *files.Problem {
	return files.NewProblem(fs.ErrPermission, "access to the bucket %s is denied; check which credentials are in use and what they may do", u.Bucket)
}
