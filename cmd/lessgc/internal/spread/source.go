package spread

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"lessgc/cmd/lessgc/internal/secret"
)

// A Source is where machines get lessgc. Its zero value is the image, or a machine that has it.
type Source struct {
	module   string // PATH@VERSION
	clone    string // address of a repository
	revision string // of clone
	folder   string // of the checkout
}

// image is the name of the source that needs no installing.
const image = "image"

var (
	moduleForm   = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[A-Za-z0-9._~-]+)+@[A-Za-z0-9][A-Za-z0-9._+-]*$`)
	revisionForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/+-]*$`)
)

// ParseSource reads a source: image, a folder of the checkout that begins with a dot, a package
// PATH@VERSION, or the address of a repository, after which #REVISION may stand. For an empty one
// it takes the module that this lessgc was built from, if a go command can fetch that.
func ParseSource(from, module, version string) (Source, error) {
	switch {
	case from == "":
		return ofModule(module, version)
	case from == image:
		return Source{}, nil
	case from == "." || strings.HasPrefix(from, "./"):
		if err := plain("-from", from); err != nil {
			return Source{}, err
		}
		return Source{folder: from}, nil
	case strings.Contains(from, "://"):
		return ofClone(from)
	case moduleForm.MatchString(from):
		return Source{module: from}, nil
	}
	return Source{}, fmt.Errorf("-from %q is none of: %s, a folder such as . or ./tools/lessgc, PATH@VERSION, https://HOST/PATH#REVISION", from, image)
}

func ofModule(module, version string) (Source, error) {
	if version == "" || strings.Contains(version, "(") { // (devel)
		version = "latest"
	}
	if from := module + "@" + version; moduleForm.MatchString(from) {
		return Source{module: from}, nil
	}
	return Source{}, fmt.Errorf("machines cannot fetch lessgc by its module path %s: say where they get it: -from https://HOST/PATH for a clone, -from . if it is in the repository, -from %s",
		module, image)
}

func ofClone(from string) (Source, error) {
	address, revision, hasRevision := strings.Cut(from, "#")
	if err := plain("-from", from); err != nil {
		return Source{}, err
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "ssh" || u.Host == "" || u.Path == "" || strings.HasPrefix(u.Host, "-") {
		return Source{}, fmt.Errorf("-from %s is not the address of a repository, such as https://HOST/PATH#v1.2.3", secret.Hide(from))
	}
	if _, password := u.User.Password(); password || u.Scheme == "https" && u.User != nil || u.RawQuery != "" {
		return Source{}, errors.New("-from holds a user, a password or a query, and the file would show it; use an address without")
	}
	if hasRevision && !revisionForm.MatchString(revision) {
		return Source{}, fmt.Errorf("-from: %q is not a revision, such as v1.2.3", revision)
	}
	return Source{clone: address, revision: revision}, nil
}

// InImage reports whether there is nothing to install.
func (s Source) InImage() bool { return s == Source{} }

// InCheckout reports whether lessgc is a folder of the repository that is measured.
func (s Source) InCheckout() bool { return s.folder != "" }

// install returns lines of shell that install lessgc into a folder of PATH.
func (s Source) install() []string {
	switch {
	case s.module != "":
		return []string{"go install " + word(s.module)}
	case s.folder != "":
		return []string{"go -C " + word(s.folder) + " install ./cmd/lessgc"}
	case s.clone != "":
		lines := []string{`lessgc_clone="$(mktemp -d)"`, "git clone -q -- " + word(s.clone) + ` "$lessgc_clone"`}
		if s.revision != "" {
			lines = append(lines, `git -C "$lessgc_clone" checkout -q --detach `+word(s.revision)+" --")
		}
		return append(lines, `go -C "$lessgc_clone" install ./cmd/lessgc`)
	}
	return nil
}
