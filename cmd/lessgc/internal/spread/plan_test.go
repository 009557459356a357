package spread

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// planFor returns a plan that is right.
func planFor(service string) *Plan {
	p := &Plan{Service: service, Command: []string{"ci", service}, Name: "lessgc", Shards: 4, From: Source{folder: "."}, Compare: []string{"-base", "main", "./..."}}
	if service == Kubernetes {
		p.Image, p.CPUs, p.Memory = "example.com/x:1", 2, "4Gi"
	}
	return p
}

// TestRefused checks that a wrong plan is refused in one line, and that nothing of it is written.
func TestRefused(t *testing.T) {
	check := func(service, want string, change func(p *Plan)) {
		t.Helper()
		p := planFor(service)
		change(p)
		var out bytes.Buffer
		err := Write(&out, p)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line with %q", service, err, want)
		}
		if out.Len() > 0 {
			t.Errorf("%s: %q was written all the same", service, &out)
		}
	}
	check("jenkins", `unknown service "jenkins"`, func(p *Plan) {})
	for _, service := range Services {
		for _, s := range []string{"a\nb", "a\rb", "a\x00b", "a\tb", "a\u0085b", "a\u2028b", "a\ufeffb", "a\u202eb", "a\u200bb", "\xff", "\x1b[1m"} {
			check(service, "an argument of compare holds a character", func(p *Plan) { p.Compare = []string{s} })
			check(service, "an argument of compare holds a character", func(p *Plan) { p.FailOn = []string{s} })
			check(service, "-name holds a character", func(p *Plan) { p.Name = s })
			check(service, "-runner ", func(p *Plan) { p.Runners = []string{s} })
		}
		for _, image := range []string{"a b", "-a", "a\nb", "a'b", `a"b`, "${{ x }}", "$X", "a#b", "a,b", "$(X)", "ä"} {
			check(service, "is not the name of an image", func(p *Plan) { p.Image = image })
		}
		for _, version := range []string{"2.0", "1", "1.26 ", "1.26\n", "latest", "1.26'", "${{ x }}"} {
			check(service, "is not a version of Go", func(p *Plan) { p.Go = version })
		}
		for _, n := range []int{-1, 0, 1, 201} {
			check(service, "want 2 to 200 shards", func(p *Plan) { p.Shards = n })
		}
		check(service, "-name ", func(p *Plan) { p.Name = "" })
		check(service, "-name ", func(p *Plan) { p.Name = strings.Repeat("a", 201) })
		check(service, "5 kinds of runners for 4 shards", func(p *Plan) { p.Runners = slices.Repeat([]string{"a=b"}, 5) })
		check(service, "-runner ", func(p *Plan) { p.Runners = []string{"a", ""} })
		check(service, "-runner ", func(p *Plan) { p.Runners = []string{"a,,b"} })
		check(service, "-runner ", func(p *Plan) { p.Runners = []string{"${{ x }}"} })
	}
	check(GitHub, "takes for an expression", func(p *Plan) { p.Name = "${{ x }}" })
	check(GitLab, "-name .x begins with a dot", func(p *Plan) { p.Name = ".x" })
	check(GitLab, "the same number of labels", func(p *Plan) { p.Runners = []string{"a", "b,c"} })
	for _, name := range []string{"A", "a_b", "-a", "a-", "a b", "a'b", strings.Repeat("a", 46), "ä", "a.b"} {
		check(Kubernetes, "is not a name in Kubernetes", func(p *Plan) { p.Name = name })
		check(Kubernetes, "is not the name of a PersistentVolumeClaim", func(p *Plan) { p.Claim = name + strings.Repeat("A", 20) })
	}
	for _, label := range []string{"a", "a=", "=b", "a=b=c", "a=b c", "a='b'", "a=$(X)", "A/b/c=d", "a=-b"} {
		check(Kubernetes, "is not a label of nodes", func(p *Plan) { p.Runners = []string{label} })
	}
	check(Kubernetes, "-image is needed", func(p *Plan) { p.Image = "" })
	check(Kubernetes, "want 1 to 1024 CPUs", func(p *Plan) { p.CPUs = 0 })
	for _, size := range []string{"", "4", "4GB", "0Gi", "4Gi}", "-1Gi", "1.5Gi"} {
		check(Kubernetes, "is not a size", func(p *Plan) { p.Memory = size })
	}
}

// TestParseSource checks what machines run to get lessgc.
func TestParseSource(t *testing.T) {
	check := func(from, module, version, want string) {
		t.Helper()
		s, err := ParseSource(from, module, version)
		if got := strings.Join(s.install(), "; "); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", from, got, err, want)
		}
	}
	check("image", "", "", "")
	check("", "example.com/x/cmd/lessgc", "v1.2.3", "go install example.com/x/cmd/lessgc@v1.2.3")
	check("", "example.com/x/cmd/lessgc", "(devel)", "go install example.com/x/cmd/lessgc@latest")
	check("example.com/x/cmd/lessgc@v1", "", "", "go install example.com/x/cmd/lessgc@v1")
	check(".", "", "", "go -C . install ./cmd/lessgc")
	check("./a b/$(id)", "", "", "go -C './a b/$(id)' install ./cmd/lessgc")
	check("https://h/p", "", "", `lessgc_clone="$(mktemp -d)"; git clone -q -- https://h/p "$lessgc_clone"; go -C "$lessgc_clone" install ./cmd/lessgc`)
	check("ssh://git@h/p'q#v1", "", "", `lessgc_clone="$(mktemp -d)"; git clone -q -- 'ssh://git@h/p'\''q' "$lessgc_clone"; `+
		`git -C "$lessgc_clone" checkout -q --detach v1 --; go -C "$lessgc_clone" install ./cmd/lessgc`)

	refused := func(from, want string) {
		t.Helper()
		s, err := ParseSource(from, "word/cmd/word", "(devel)")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || s != (Source{}) {
			t.Errorf("%q: %v, %v; want an error with %q", from, s, err, want)
		}
	}
	refused("", "cannot fetch lessgc by its module path word/cmd/word")
	refused("word/cmd/word@v1", "is none of")
	refused("example.com/x@v1;id", "is none of")
	refused("-x", "is none of")
	refused("../x", "is none of")
	refused("/x", "is none of")
	refused("./a\nb", "-from holds a character")
	refused("https://h/p\n", "-from holds a character")
	refused("http://h/p", "is not the address of a repository")
	refused("ext::sh -c id://h/p", "is not the address of a repository")
	refused("file:///p", "is not the address of a repository")
	refused("ssh://-oProxyCommand=id/p", "is not the address of a repository")
	refused("https://h", "is not the address of a repository")
	refused("https://user:word@h/p", "-from holds a user, a password or a query")
	refused("https://token@h/p", "-from holds a user, a password or a query")
	refused("https://h/p?token=x", "-from holds a user, a password or a query")
	refused("https://h/p#-x", `"-x" is not a revision`)
	refused("https://h/p#", `"" is not a revision`)
	refused("https://h/p#a b", `"a b" is not a revision`)
}

// TestShards checks that machines of several kinds get shards in turn.
func TestShards(t *testing.T) {
	p := planFor(GitHub)
	p.Shards, p.Runners = 5, []string{"a", "b, c"}
	var got []string
	for i, s := range (view{p}).Each() {
		if s.Number != i+1 {
			t.Errorf("shard %d has number %d", i, s.Number)
		}
		got = append(got, strings.Join(s.Labels, "+"))
	}
	if want := []string{"a", "b+c", "a", "b+c", "a"}; !slices.Equal(got, want) {
		t.Errorf("machines %q, want %q", got, want)
	}
}

// TestComment checks that a file begins with the command that made it, and that nothing of the
// command leaves its line.
func TestComment(t *testing.T) {
	for _, service := range Services {
		p := planFor(service)
		p.Command, p.Compare = append(p.Command, hostile...), hostile
		var out bytes.Buffer
		if err := Write(&out, p); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		if want := "# lessgc " + commandLine(p.Command); lines[0] != want {
			t.Errorf("%s begins with %s, want %s", service, lines[0], want)
		}
		if n := slices.IndexFunc(lines, func(l string) bool { return !strings.HasPrefix(l, "#") }); n > 5 {
			t.Errorf("%s: the comment at the top has %d lines", service, n)
		}
	}
}
