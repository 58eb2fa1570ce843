package verify

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// refused are the statuses by which an edge keeps a client out.
var refused = []int{http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusNotAcceptable,
	http.StatusTooManyRequests, http.StatusServiceUnavailable}

// refusalOf says how an edge refuses a client that calls itself by a name: "refuses a client that calls itself GPTBot
// (403)". It is empty if the edge answers, or if the fault cannot come of the name. p and err are those of
// [fetcher.sendOnce].
func refusalOf(name string, p *response, err error) string {
	client := "a client that calls itself " + name
	fault, isExplained := errors.AsType[*fetchError](err)
	switch {
	case isTimeout(err):
		return "gives " + fault.text + " to " + client
	case isExplained && !fault.lasting && !isOfConnecting(err):
		return "gives no answer to " + client + " (" + fault.text + ")"
	case err != nil:
		return ""
	case slices.Contains(refused, p.status):
		return fmt.Sprintf("refuses %s (%d)", client, p.status)
	case isChallenge(p.header):
		return fmt.Sprintf("refuses %s (%d, %s: challenge)", client, p.status, mitigated)
	}
	return ""
}

// isTimeout reports whether a request failed because no answer came in time.
func isTimeout(err error) bool {
	fault, isExplained := errors.AsType[*fetchError](err)
	return isExplained && fault.timedOut
}

// isOfConnecting reports whether a request failed before its headers were sent, so that no server knew the client's name.
func isOfConnecting(err error) bool {
	operation, isOperation := errors.AsType[*net.OpError](err)
	return isOperation && operation.Op == "dial"
}

// mitigated is the header by which Cloudflare says that an answer is a challenge, whatever its status is.
// https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/
const mitigated = "cf-mitigated"

func isChallenge(header http.Header) bool {
	return strings.EqualFold(header.Get(mitigated), "challenge")
}

// sendAs sends one request under a user agent of its own. The error may be that of a server that was given up.
func (f *fetcher) sendAs(ctx context.Context, s *server, at *url.URL, userAgent string, limit bodyLimit) (*response, error) {
	if err := f.wait(ctx, s); err != nil {
		return nil, err
	}
	options := *f.options
	options.UserAgent = userAgent
	return (&fetcher{options: &options}).sendOnce(ctx, at, limit)
}
