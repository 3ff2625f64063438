package stream

import (
	"crypto/subtle"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/coder/websocket"
)

// Protocol is the subprotocol of every WebSocket of ours. The page offers it
// with "token." and its token, so that the token is in no URL and no log.
const Protocol = "drover.1"

// Guard decides who may open a WebSocket: who knows the token, comes from a page
// of ours (Origin) and asked for this very host (Host; DNS rebinding).
type Guard struct {
	Token string
	// Hosts are host:port as the page has them in its address; Origins are the
	// pages that may connect.
	Hosts   func() []string
	Origins func() []string
}

// Accept upgrades a request, or answers it with what is wrong.
func (g Guard) Accept(w http.ResponseWriter, r *http.Request) (*websocket.Conn, bool) {
	if why, code := g.refusal(r); why != "" {
		http.Error(w, why, code)
		return nil, false
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols:       []string{Protocol},
		InsecureSkipVerify: true, // the Origin was checked above, more strictly
		CompressionMode:    websocket.CompressionDisabled,
	})
	return conn, err == nil // Accept has answered
}

func (g Guard) refusal(r *http.Request) (why string, code int) {
	if !slices.Contains(g.Hosts(), strings.ToLower(r.Host)) {
		return "This is not the address that Drover listens on.", http.StatusForbidden
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	if err != nil || !slices.Contains(g.Origins(), strings.ToLower(origin.Scheme+"://"+origin.Host)) {
		return "This page is not Drover's.", http.StatusForbidden
	}
	if !g.knows(offered(r)) {
		return "The access key is missing or wrong.", http.StatusUnauthorized
	}
	return "", 0
}

func (g Guard) knows(token string) bool {
	return token != "" && subtle.ConstantTimeCompare([]byte(token), []byte(g.Token)) == 1
}

// offered is the token among a request's subprotocols.
func offered(r *http.Request) string {
	for _, line := range r.Header.Values("Sec-WebSocket-Protocol") {
		for p := range strings.SplitSeq(line, ",") {
			if token, ok := strings.CutPrefix(strings.TrimSpace(p), "token."); ok {
				return token
			}
		}
	}
	return ""
}
