package verify

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
)

// A fetchError is a failed request in words for the user.
type fetchError struct {
	text string
	err  error
	// lasting: it would fail again. silent: there was no answer. Otherwise the answer is wrong.
	lasting, silent bool
}

func (e *fetchError) Error() string { return e.text }
func (e *fetchError) Unwrap() error { return e.err }

func lasting(err error) bool {
	e, ok := errors.AsType[*fetchError](err)
	return ok && e.lasting
}

func silent(err error) bool {
	e, ok := errors.AsType[*fetchError](err)
	return ok && e.silent
}

// explain says in few words why a request failed.
func (f *fetcher) explain(err error) error {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var op *net.OpError
	var call *os.SyscallError
	var timeout net.Error
	isOp := errors.As(err, &op)
	late := errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
	e := &fetchError{text: err.Error(), err: err, lasting: errors.Is(err, ErrPrivate), silent: isOp || late}
	switch {
	case errors.As(err, &certificate):
		e.text, e.lasting = "the certificate of the host does not hold: "+certificate.Err.Error(), true
	case errors.As(err, &dns):
		e.text, e.lasting = "its name cannot be resolved: "+dns.Err, !dns.IsTemporary && !dns.IsTimeout
	case late && f.options.Timeout > 0:
		e.text = fmt.Sprintf("no answer within %v", f.options.Timeout)
	case late:
		e.text = "no answer in time"
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		e.text = "the answer is not gzip: " + err.Error()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		e.text = "the answer breaks off"
	case errors.As(err, &call):
		e.text = call.Err.Error()
	case isOp:
		e.text = op.Err.Error()
	}
	return e
}
