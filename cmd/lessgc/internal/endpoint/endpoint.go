// Package endpoint reads the address of a service, in each of the forms that people copy
// from a terminal or a browser.
package endpoint

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/secret"
)

// Parse reads host:port, or an address of http or https. root is what stands before
// /debug: the address of a page of net/http/pprof, of expvar or of lessgc/live is taken
// for that of its service. Any other path is kept, without a slash at its end, and is
// also returned as own. Users, passwords and queries are kept, but for the parameters of
// pprof's pages. The error holds no secrets.
func Parse(address string) (root *url.URL, own string, err error) {
	text := address
	if IsHostPort(text) {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, "", fmt.Errorf("invalid address %.200q; want host:port, or a URL such as http://localhost:6060", secret.Address(address))
	}
	u.Fragment, u.RawFragment, u.RawPath = "", "", ""
	path := strings.TrimRight(u.Path, "/")
	u.Path = path
	if i := strings.LastIndex(path+"/", "/debug/pprof/"); i >= 0 {
		u.Path = path[:i]
		dropPprof(u)
		return u, "", nil
	}
	for _, page := range []string{"/debug/lessgc", "/debug/vars", "/debug"} {
		if base, ok := strings.CutSuffix(path, page); ok {
			u.Path = base
			return u, "", nil
		}
	}
	return u, path, nil
}

// dropPprof takes away what a page of pprof is asked for by: another page is asked for.
func dropPprof(u *url.URL) {
	q := u.Query()
	for _, name := range []string{"debug", "gc", "seconds"} {
		q.Del(name)
	}
	u.RawQuery = q.Encode()
}

// IsHostPort reports whether text is an address without its scheme: a host, which may be
// empty, a port in digits, and a path at most. One with a user or a query is not, so that
// a secret in it is not taken for a name.
func IsHostPort(text string) bool {
	if strings.ContainsAny(text, "@?# ") {
		return false
	}
	hostPort, _, _ := strings.Cut(text, "/")
	_, port, err := net.SplitHostPort(hostPort)
	if err != nil {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}
