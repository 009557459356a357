// Package secret keeps credentials out of everything that is written: results and pages
// are shown around, and terminals are recorded. A secret is the user and the password of
// an address (tokens are given as either), its query, and the value of a variable or a
// header whose name says so.
package secret

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Hidden stands for a secret.
const Hidden = "xxxxx"

// Words of names. Those that mean little inside of another word count at the end of one
// only, such as KEY in SSHKEY.
var (
	anywhere = []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "COOKIE", "APIKEY", "BEARER", "AUTHORIZATION", "PRIVATEKEY", "ACCESSKEY"}
	atEnd    = []string{"KEY", "KEYS", "AUTH", "PASS", "CRED", "CREDS", "DSN", "JWT"}
	whole    = []string{"PWD", "SIG", "SIGNATURE", "SESSIONID"}
)

// Name reports whether the value of a variable, a header or a parameter of this name is
// taken for a secret.
func Name(name string) bool {
	name = strings.ToUpper(name)
	if name == "PWD" || name == "OLDPWD" { // folders
		return false
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
	return slices.ContainsFunc(anywhere, func(w string) bool { return strings.Contains(strings.Join(words, ""), w) }) ||
		slices.ContainsFunc(words, func(word string) bool {
			return slices.Contains(whole, word) || slices.ContainsFunc(atEnd, func(w string) bool { return strings.HasSuffix(word, w) })
		})
}

// userinfo matches the user and password before the host of an address, in any text.
// What cannot be in an address may be in one that is wrong.
var userinfo = regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://)([^\s/?#"'<>]*|[^\s"'<>]*:[^\s"'<>]*)@`)

// query is the rest of an address of a service.
var query = regexp.MustCompile(`((?i:https?)://[^\s?#"'<>]*[?#])[^\s"'<>]*[^\s"'<>:;,.)]`)

// Hide returns an error, or another message, without the users, passwords and
// queries of the addresses in it.
func Hide(text string) string {
	if !strings.Contains(text, "://") {
		return text
	}
	return query.ReplaceAllString(HideUsers(text), "${1}"+Hidden)
}

// HideUsers returns text without the users and passwords of the addresses in it. It is
// for names and commands, in which a query means something.
func HideUsers(text string) string {
	if !strings.Contains(text, "://") {
		return text
	}
	return userinfo.ReplaceAllString(text, "${1}"+Hidden+"@")
}

// Blank returns text without values that are known: a server may say them back. Short
// ones, which other words may hold, stay.
func Blank(text string, values ...string) string {
	for _, v := range values {
		if len(v) >= 4 {
			text = strings.ReplaceAll(text, v, Hidden)
		}
	}
	return text
}

// Values are the secrets in an address.
func Values(u *url.URL) []string {
	var all []string
	if u.User != nil {
		password, _ := u.User.Password()
		all = append(all, u.User.Username(), password)
	}
	for _, values := range u.Query() {
		all = append(all, values...)
	}
	return all
}

// Pair reports whether NAME=VALUE of an environment holds a secret, by its name or as an
// address with a user.
func Pair(pair string) bool {
	name, value, _ := strings.Cut(pair, "=")
	return value != "" && (Name(name) || HideUsers(value) != value || secretQuery(value))
}

func secretQuery(value string) bool {
	u, err := url.Parse(value)
	if err != nil || u.Host == "" {
		return false
	}
	for name := range u.Query() {
		if Name(name) {
			return true
		}
	}
	return false
}

// URL returns an address fit to be shown: without user and password, query and fragment.
func URL(u *url.URL) string {
	shown := *u
	if u.User != nil {
		shown.User = url.User(Hidden)
	}
	if u.RawQuery != "" {
		shown.RawQuery = Hidden
	}
	shown.Fragment, shown.RawFragment = "", ""
	return shown.String()
}

// Address is URL for a user's input, which may not be an address at all. Little is
// left of one that cannot be read: its password may be anywhere.
func Address(text string) string {
	if !strings.ContainsAny(text, "@?#") {
		return text
	}
	u, err := url.Parse(text)
	if err == nil && u.Host != "" {
		return URL(u)
	}
	if scheme, _, ok := strings.Cut(text, "://"); ok && !strings.ContainsAny(scheme, "@?#:/") {
		return scheme + "://" + Hidden
	}
	return Hidden
}

// IsURL reports whether an argument is the address of a service.
func IsURL(text string) bool {
	scheme, _, ok := strings.Cut(text, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// Client is for requests that may hold secrets.
var Client = &http.Client{CheckRedirect: Redirect}

// Redirect is for http.Client: credentials of one server are not sent to another. The
// standard library takes away the headers that it knows, but none of a store, and goes
// by the name of the host alone: another port is another server.
func Redirect(q *http.Request, via []*http.Request) error {
	if len(via) >= 10 {
		return errors.New("it sends us round in circles: more than 10 redirects")
	}
	if sameServer(via[0].URL, q.URL) {
		return nil
	}
	for name := range q.Header {
		if name == "Referer" || name == "X-Scope-Orgid" || Name(name) { // a referer has the query
			q.Header.Del(name)
		}
	}
	return nil
}

// sameServer reports whether b is the server of a, or the same one by TLS.
func sameServer(a, b *url.URL) bool {
	if !strings.EqualFold(a.Hostname(), b.Hostname()) {
		return false
	}
	if a.Scheme == "http" && b.Scheme == "https" && port(a) == "80" && port(b) == "443" {
		return true
	}
	return a.Scheme == b.Scheme && port(a) == port(b)
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}
