package live

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// guard lets only the person's own browser in. A page on 127.0.0.1 can be asked for by
// every user of the machine, and by every page that the browser has open:
//
//   - who does not know the token, 256 random bits in the address that was printed, gets
//     nothing. The first visit puts it in a cookie, which scripts cannot read, and takes it
//     out of the address;
//   - a name other than the server's own, which a foreign page can have resolved to
//     127.0.0.1 ("DNS rebinding"), is refused whatever the token;
//   - so is every request that another origin has made, except for the first visit.
type guard struct {
	token  string
	cookie string   // its name; cookies know no ports
	hosts  []string // that the browser may have asked for, with the port
	next   http.Handler
}

// newToken returns 256 random bits.
func newToken() string {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

func newGuard(addr net.Addr, token string, next http.Handler) *guard {
	host, port, _ := net.SplitHostPort(addr.String()) // of a listener: well formed
	return &guard{token: token, cookie: "symmom-" + port, next: next,
		hosts: []string{net.JoinHostPort(host, port), net.JoinHostPort("localhost", port)}}
}

// address is where the page is, with the token.
func (g *guard) address() string { return "http://" + g.hosts[0] + "/?token=" + g.token }

const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if !slices.Contains(g.hosts, r.Host) {
		refuse(w, http.StatusForbidden, fmt.Sprintf("This server is %s and answers to no other name. Through a tunnel, use the same port on both sides: ssh -L %[2]s:127.0.0.1:%[2]s HOST.", g.hosts[0], port(g.hosts[0])))
		return
	}
	given := r.URL.Query().Get("token")
	first := r.Method == http.MethodGet && r.URL.Path == "/" && given != ""
	if !first && g.foreign(r) {
		refuse(w, http.StatusForbidden, "This request was made by a page of another site, which may not use this server. Open the address that symmom printed in a tab of its own.")
		return
	}
	switch {
	case first && g.is(given):
		http.SetCookie(w, &http.Cookie{Name: g.cookie, Value: g.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
			// After a redirect the browser would still count the request as the other site's,
			// and keep the cookie back. This is how a link in a file arrives.
			h.Set("Refresh", "0; url=/")
			return
		}
		http.Redirect(w, r, "/", http.StatusSeeOther)
	case g.knows(r):
		g.next.ServeHTTP(w, r)
	default:
		refuse(w, http.StatusForbidden, "This page needs the token of the address that symmom printed in the terminal where it runs: open that address, all of it, beginning with http://.")
	}
}

// is reports in constant time whether the token is the right one.
func (g *guard) is(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(g.token)) == 1
}

// knows reports whether the browser has the token in its cookie.
func (g *guard) knows(r *http.Request) bool {
	return slices.ContainsFunc(r.CookiesNamed(g.cookie), func(c *http.Cookie) bool { return g.is(c.Value) })
}

// foreign reports whether a page of another origin has made the request. Browsers say
// so in Sec-Fetch-Site ("none" is a person), the older ones in Origin alone, which comes
// with everything but plain GET. What is neither, such as curl, still needs the token.
func (g *guard) foreign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin":
	case "none":
		return r.Method != http.MethodGet && r.Method != http.MethodHead
	default:
		return true
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || u.Scheme != "http" || u.Host != r.Host
}

// refuse answers with a sentence that says what to do.
func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>symmom</title><p style="font:16px/1.5 system-ui,sans-serif;max-width:60ch;margin:3rem auto;padding:0 1rem">%s</p></html>`+"\n", html.EscapeString(text))
}

func port(host string) string { return host[strings.LastIndexByte(host, ':')+1:] }

// HostError is the error of Listen for a host other than this machine.
type HostError string

func (e HostError) Error() string {
	return fmt.Sprintf("got %s, want 127.0.0.1, localhost or ::1: the page shows your data and is not encrypted, so it stays on this machine; from another one, use a tunnel: ssh -L 8080:127.0.0.1:8080 HOST, with --port 8080 there", string(e))
}

// Listen listens on a port of this machine alone, 0 for a free one. The host is
// 127.0.0.1, localhost, which means the same here whatever the machine calls so, or ::1.
func Listen(host string, port int) (net.Listener, error) {
	switch host {
	case "", "localhost":
		host = "127.0.0.1"
	case "127.0.0.1", "::1":
	default:
		return nil, HostError(host)
	}
	return net.Listen("tcp", net.JoinHostPort(host, fmt.Sprint(port)))
}
