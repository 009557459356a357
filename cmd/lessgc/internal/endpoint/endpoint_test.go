package endpoint

import (
	"strings"
	"testing"
)

// TestParse checks each form in which a service is named: all are the same service.
func TestParse(t *testing.T) {
	for _, c := range []struct{ in, root, own string }{
		{"localhost:6060", "http://localhost:6060", ""},
		{"127.0.0.1:6060", "http://127.0.0.1:6060", ""},
		{"[::1]:6060", "http://[::1]:6060", ""},
		{":6060", "http://:6060", ""},
		{"localhost:6060/debug/pprof/", "http://localhost:6060", ""},
		{"http://localhost:6060", "http://localhost:6060", ""},
		{"http://localhost:6060/", "http://localhost:6060", ""},
		{"HTTP://localhost:6060//", "http://localhost:6060", ""},
		{"https://host/debug", "https://host", ""},
		{"https://host/debug/", "https://host", ""},
		{"http://host:6060/debug/pprof", "http://host:6060", ""},
		{"http://host:6060/debug/pprof/", "http://host:6060", ""},
		{"http://host:6060/debug/pprof/heap?debug=1&gc=1&seconds=5", "http://host:6060", ""},
		{"http://host:6060/debug/pprof/profile?seconds=30&token=x", "http://host:6060?token=x", ""},
		{"http://host:6060/debug/vars", "http://host:6060", ""},
		{"http://host:6060/debug/lessgc#top", "http://host:6060", ""},
		{"http://me:secret@host/a/debug/pprof/", "http://me:secret@host/a", ""},
		{"http://host/a/b", "http://host/a/b", "/a/b"},
		{"http://host/a/b/?debug=1", "http://host/a/b?debug=1", "/a/b"},
	} {
		u, own, err := Parse(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if u.String() != c.root || own != c.own {
			t.Errorf("%s: %v and %q, want %s and %q", c.in, u, own, c.root, c.own)
		}
	}
	for _, text := range []string{"", "localhost", "host:http", "C:\\cpu.pprof", "a b:80", "me:secret@host:6060", "host:6060?token=secret", "ftp://host", "http://", "http://a b", "http://me:secret@"} {
		_, _, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), "invalid address") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestIsHostPort(t *testing.T) {
	for text, want := range map[string]bool{
		"localhost:6060": true, "localhost:6060/debug/pprof/": true, "[::1]:6060": true, ":6060": true,
		"cpu.pprof": false, "./x": false, "dir/a:1": false, "-26h..-25h": false, "": false, "http://x:80": false, "a:b@c:80": false, "a:99999": false,
	} {
		if IsHostPort(text) != want {
			t.Errorf("IsHostPort(%q) is %v", text, !want)
		}
	}
}
