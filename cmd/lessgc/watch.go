package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/local"
	"lessgc/cmd/lessgc/internal/render"
	"lessgc/cmd/lessgc/internal/visible"
	"lessgc/cmd/lessgc/internal/watch"
)

const watchHelp = `usage: lessgc watch [flags] ADDRESS

Watch shows allocation and garbage collection in a running service, window by window:
allocation rate, collections and their CPU time, pauses, heap, and the room left under
its memory limit, with an alarm before the collector spirals; for a gRPC server with
arenas also each method. It reads lessgc/live, expvar (/debug/vars) or net/http/pprof,
whichever the service serves; lessgc/live has the most. ADDRESS is host:port, or the
URL of the service or of one of its /debug pages.

The collector's CPU time, pauses, live heap and goal are known at a collection only: a
window without one shows no value for them.

  lessgc watch localhost:6060
  lessgc watch -web :0 http://localhost:6060/debug/pprof     also as a web page
  lessgc watch -for 10m -o before.jsonl http://host:6060     record, for lessgc diff
  lessgc watch -json -interval 5s http://host:6060/debug/lessgc

Exit status: 0 done, or interrupted; 2 something could not be read or written.
`

// watchFlags are the flags of watch.
type watchFlags struct {
	interval time.Duration
	duration time.Duration
	record   string
	web      string
	json     bool
}

func (f *watchFlags) register(fs *flag.FlagSet) {
	fs.DurationVar(&f.interval, "interval", time.Second, "read the service every `duration`")
	fs.DurationVar(&f.duration, "for", 0, "stop after this `duration` (default: when interrupted)")
	fs.StringVar(&f.record, "o", "", "record to a new `FILE`, for lessgc diff and tune")
	fs.StringVar(&f.web, "web", "", "serve live charts at `ADDRESS`, such as :0 for any free port")
	fs.BoolVar(&f.json, "json", false, "print each window as a line of JSON")
}

func (f *watchFlags) check(args []string) error {
	switch {
	case f.interval < 100*time.Millisecond || f.duration < 0:
		return errors.New("-interval is at least 100ms, and -for not negative")
	case len(args) == 0:
		return errors.New("name the address of a service: lessgc watch localhost:6060")
	case len(args) > 1 && strings.HasPrefix(args[1], "-"):
		return fmt.Errorf("flags go before the address: move %s to the front", args[1])
	case len(args) > 1:
		return errors.New("one service at a time: give one address")
	}
	return nil
}

func runWatch(ctx context.Context, e *env, args []string) int {
	var f watchFlags
	fs := flag.NewFlagSet("watch", flag.ContinueOnError)
	f.register(fs)
	if status, done := e.parse(fs, watchHelp, args); done {
		return status
	}
	if err := f.check(fs.Args()); err != nil {
		return e.fail(err)
	}
	service, err := watch.Find(ctx, fs.Arg(0))
	if err != nil && ctx.Err() != nil {
		return exitClean
	}
	if err != nil {
		return e.fail(err)
	}
	if f.duration > 0 { // by the clock only if the service is slow, so that all windows are whole
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, f.duration+watch.Patience)
		defer stop()
	}
	if err := f.watch(ctx, e, service); err != nil {
		return e.fail(err)
	}
	return exitClean
}

// watch runs until ctx ends.
func (f *watchFlags) watch(ctx context.Context, e *env, service *watch.Service) error {
	header := service.Header(f.interval)
	out := newWatchOutput(e, f, header)
	if f.web != "" {
		address, stop, err := serveWatch(f.web, header, &out.history)
		if err != nil {
			return err
		}
		defer stop()
		out.say("charts: " + address)
	}
	if f.record != "" {
		r, err := watch.Record(f.record, header)
		if err != nil {
			return err
		}
		defer r.Close()
		out.recorder = r
	}
	if err := out.start(); err != nil {
		return err
	}
	err := service.Watch(ctx, f.interval, func(w watch.Window) error {
		if err := out.window(w); err != nil {
			return err
		}
		if f.duration > 0 && time.Duration(w.N)*f.interval >= f.duration {
			return errEnough
		}
		return nil
	})
	if err != nil && err != errEnough {
		return err
	}
	return out.end()
}

// errEnough ends a watch that is as long as it should be.
var errEnough = errors.New("enough")

// A watchOutput writes windows.
type watchOutput struct {
	e        *env
	json     *json.Encoder // nil for text
	terminal bool
	header   watch.Header
	recorder *watch.Recorder // nil for none
	history  watch.History
	sum      watch.Sum
	lost     bool          // the service did not answer last
	spiral   *watch.Spiral // the last one that is known
	status   []string      // lines that stay below the figures of a terminal
	rows     int           // of the table, or lines of the screen that stands now
}

func newWatchOutput(e *env, f *watchFlags, h watch.Header) *watchOutput {
	out := &watchOutput{e: e, header: h}
	if f.json {
		out.json = json.NewEncoder(e.stdout)
	} else {
		_, out.terminal = terminal(e.stdout)
	}
	if f.record != "" && out.terminal {
		out.status = append(out.status, "recording: "+f.record)
	}
	return out
}

// say prints a message beside the figures. It does not get between the lines of a screen.
func (o *watchOutput) say(text string) {
	if o.terminal {
		o.status = append(o.status, text)
		return
	}
	fmt.Fprintln(o.e.stderr, visible.All(text, visible.Terminal))
}

func (o *watchOutput) start() error {
	if o.terminal || o.json != nil {
		return nil
	}
	return o.e.text().WatchStart(o.e.stdout, o.header)
}

func (o *watchOutput) window(w watch.Window) error {
	o.history.Add(w)
	if s := w.Snapshot; s != nil {
		o.sum.Add(s)
		if o.recorder != nil {
			if err := o.recorder.Write(s); err != nil {
				return fmt.Errorf("cannot record: %w", err)
			}
		}
	}
	if o.terminal {
		return o.redraw()
	}
	o.events(w)
	switch {
	case w.Rates == nil:
		return nil
	case o.json != nil:
		return o.json.Encode(w.Rates)
	}
	return o.row(w.Rates)
}

// events prints what happened to the service, once.
func (o *watchOutput) events(w watch.Window) {
	switch {
	case w.Err != "" && !o.lost:
		o.say("no answer: " + w.Err + "; trying again")
	case w.Restarted:
		o.say("the service was started again, or another process answered")
	case w.Err == "" && o.lost:
		o.say("the service answers again")
	}
	o.lost = w.Err != ""
	if w.Rates == nil || w.Rates.Spiral == nil {
		return
	}
	s := w.Rates.Spiral
	if o.spiral == nil && s.Level != watch.Far || o.spiral != nil && o.spiral.Level != s.Level {
		o.say(o.e.text().WatchSpiral(s))
	}
	o.spiral = s
}

// rowsPerTitle is the number of rows after which the head of the table is
// repeated.
const rowsPerTitle = 20

func (o *watchOutput) row(r *watch.Rates) error {
	t := o.e.text()
	if o.rows%rowsPerTitle == 0 {
		if err := t.WatchTitles(o.e.stdout); err != nil {
			return err
		}
	}
	o.rows++
	return t.WatchRow(o.e.stdout, r)
}

// redraw writes over what the terminal shows.
func (o *watchOutput) redraw() error {
	lines := o.e.text().WatchScreen(o.header, o.history.After(-1), o.status)
	var b bytes.Buffer
	if o.rows > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", o.rows)
	}
	for _, line := range lines {
		b.WriteString("\r" + line + "\x1b[K\n")
	}
	b.WriteString("\x1b[J")
	o.rows = len(lines)
	_, err := o.e.stdout.Write(b.Bytes())
	return err
}

// end writes the last line. As JSON there is none: each line is a window, so that
// nobody has to tell them apart.
func (o *watchOutput) end() error {
	s := o.sum.Summary()
	switch {
	case s == nil:
		fmt.Fprintln(o.e.stderr, "nothing to sum up: the service answered fewer than two times")
		return nil
	case o.json != nil:
		return nil
	}
	if err := o.e.text().WatchMethods(o.e.stdout, s.Methods); err != nil {
		return err
	}
	if err := o.e.text().WatchSummary(o.e.stdout, s); err != nil || o.spiral == nil {
		return err
	}
	_, err := fmt.Fprintln(o.e.stdout, o.e.text().WatchSpiral(o.spiral))
	return err
}

// serveWatch serves the page until stop is called.
func serveWatch(address string, h watch.Header, history *watch.History) (url string, stop func(), err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", nil, fmt.Errorf("-web %s: invalid address; want host:port, such as 127.0.0.1:8080, or :0", address)
	}
	if host == "" {
		host = "127.0.0.1" // the figures are nobody else's business
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return "", nil, fmt.Errorf("-web %s: %w", address, err)
	}
	s := local.Server(watchHandler(h, history, l.Addr().String()))
	go s.Serve(l)
	return "http://" + l.Addr().String() + "/", func() { s.Close() }, nil
}

// watchHandler serves the page and the windows that it asks for.
func watchHandler(h watch.Header, history *watch.History, own string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		var page bytes.Buffer
		if err := render.WatchPage(&page, h, rand.Text()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("X-Frame-Options", "DENY")
		w.Write(page.Bytes())
	})
	mux.HandleFunc("GET /windows", func(w http.ResponseWriter, q *http.Request) {
		after, err := strconv.Atoi(q.FormValue("after"))
		if err != nil {
			http.Error(w, "after=N is missing", http.StatusBadRequest)
			return
		}
		windows := history.After(after)
		if windows == nil {
			windows = []watch.Window{} // not null
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(visible.All(windows, visible.Page))
	})
	return local.OwnName(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		mux.ServeHTTP(w, q)
	}), own)
}
