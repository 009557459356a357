package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/secret"
	"lessgc/cmd/lessgc/internal/visible"
)

// maxAnswer bounds one answer. A profile of all of a fleet has some tens of megabytes.
const maxAnswer = 128 << 20

// timeout is of one request: a store may read a day of profiles of a hundred processes.
const timeout = 2 * time.Minute

// A refusal is an answer that is not OK.
type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string { return r.text }

// notFound reports whether there is nothing at an address. Parca says that of queries that
// select nothing, too, and may send its web page to say it.
func notFound(err error) bool {
	var r *refusal
	return errors.As(err, &r) && r.status == http.StatusNotFound
}

// ask sends a request, with a body of the type given or none, and returns the answer.
func (s *Store) ask(ctx context.Context, method, path string, query url.Values, contentType string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	u, err := url.Parse(s.Address)
	if err != nil {
		return nil, fmt.Errorf("invalid address of %s", s.Kind)
	}
	user, secrets := u.User, append(secret.Values(u), s.Token)
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	u = u.JoinPath(path)
	given := u.RawQuery // a token may be in it: it is sent, and shown nowhere
	u.RawQuery = ""
	where := u.String()
	u.RawQuery = strings.Trim(given+"&"+query.Encode(), "&")
	q, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if contentType != "" {
		q.Header.Set("Content-Type", contentType)
		q.Header.Set("Connect-Protocol-Version", "1")
	}
	if user != nil {
		password, _ := user.Password()
		q.SetBasicAuth(user.Username(), password)
	}
	if s.Token != "" {
		q.Header.Set("Authorization", "Bearer "+s.Token)
	}
	if s.Tenant != "" {
		q.Header.Set("X-Scope-OrgID", s.Tenant)
	}
	answer, err := secret.Client.Do(q)
	if err != nil {
		if ctx.Err() == context.DeadlineExceeded {
			return nil, fmt.Errorf("%s does not answer within %v; ask for a shorter -range", where, timeout)
		}
		return nil, fmt.Errorf("%s: %w", where, errors.Unwrap(err))
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, refused(where, answer, secrets)
	}
	data, err := bounded(answer.Body, maxAnswer)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	if media, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); media == "text/html" {
		return nil, &refusal{http.StatusNotFound, fmt.Sprintf("%s is a page for people, not of an API; is it the right address, and path, of %s?", where, s.Kind)}
	}
	return data, nil
}

// refused makes an error of an answer. Both APIs put a message into it, which may say
// secrets back.
func refused(where string, answer *http.Response, secrets []string) error {
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 4<<10))
	var said struct{ Message string }
	if json.Unmarshal(text, &said) != nil || said.Message == "" {
		said.Message, _, _ = strings.Cut(strings.TrimSpace(string(text)), "\n")
	}
	hint := ""
	switch answer.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		hint = "; it wants a user and a password in the address (user:password@host), a token, or a tenant"
	case http.StatusTooManyRequests, http.StatusRequestEntityTooLarge, http.StatusGatewayTimeout, http.StatusServiceUnavailable:
		hint = "; ask for less, by a shorter -range or with more labels"
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		hint = "; is it the right address, and path?"
	}
	return &refusal{answer.StatusCode, fmt.Sprintf("%s: %s: %s%s", where, secret.Blank(answer.Status, secrets...), oneLine(secret.Blank(said.Message, secrets...)), hint)}
}

// oneLine makes what a server or a user says fit for one line of a terminal.
func oneLine(text string) string { return visible.Short(strings.Join(strings.Fields(text), " "), 300) }

var errTooLarge = errors.New("the answer is larger than any profile; ask for less, by a shorter -range or with more labels")

// bounded reads all of r, or fails.
func bounded(r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = errTooLarge
	}
	return data, err
}

// budget bounds the memory of the profiles of all answers together.
const budget = 2 << 30

// read reads a profile with one value, of the types given, packed by gzip or not. It is
// nil if it has no samples.
func (s *Store) read(data []byte, types ...string) (*profile.Profile, error) {
	p, err := s.profiles.Decode(data)
	if errors.Is(err, prof.ErrTooLarge) {
		return nil, errTooLarge
	}
	if _, ok := errors.AsType[*prof.NeedError](err); ok {
		return nil, fmt.Errorf("%w; ask for less, by a shorter -range or with more labels", err)
	}
	if errors.Is(err, prof.ErrFormat) {
		return nil, errors.New("the answer is not a pprof profile" + strings.TrimPrefix(err.Error(), prof.ErrFormat.Error()))
	}
	if err != nil {
		return nil, fmt.Errorf("the answer is not a valid profile: %w", err)
	}
	if p == nil || len(p.Sample) == 0 {
		return nil, nil
	}
	if err := prof.CheckSums(p); err != nil {
		return nil, err
	}
	if len(p.SampleType) != 1 || !slices.Contains(types, p.SampleType[0].Type) {
		return nil, fmt.Errorf("the answer is a profile of %s, and should be of %s", oneLine(fmt.Sprint(values(p))), strings.Join(types, " or "))
	}
	return p, nil
}

// values are the types of values of a profile.
func values(p *profile.Profile) []string {
	var all []string
	for _, t := range p.SampleType {
		all = append(all, t.Type)
	}
	return all
}
