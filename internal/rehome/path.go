package main

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	element = regexp.MustCompile(`^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$`)
	major   = regexp.MustCompile(`^v[0-9]+$`)
	version = regexp.MustCompile(`^v[01]\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`)
)

// checkPath returns why a path cannot be that of a module that others fetch. It is what
// the function of this name in golang.org/x/mod/module asks for, which the root
// module does not require, and two things more.
func checkPath(path string) error {
	refuse := func(why string) error {
		return fmt.Errorf("invalid module path %q: %s; want one such as example.org/path", path, why)
	}
	host, rest, _ := strings.Cut(path, "/")
	switch {
	case strings.Contains(path, "://"):
		return refuse("it is a URL")
	case !strings.Contains(host, "."):
		return refuse("its first element has no dot, so nothing can be fetched from there")
	case host != strings.ToLower(host) || strings.ContainsAny(host, "_~") || strings.HasPrefix(host, "-"):
		return refuse("its first element is not a host name in lower case")
	case host == "gopkg.in":
		return refuse("gopkg.in has no nested modules")
	}
	elements := strings.Split(path, "/")
	for _, e := range elements {
		switch {
		case e == "":
			return refuse("it has an empty element")
		case !element.MatchString(e):
			return refuse(fmt.Sprintf("the element %q has a character that is not allowed there", e))
		case strings.HasSuffix(e, "."):
			return refuse(fmt.Sprintf("the element %q ends with a dot", e))
		}
	}
	if last := elements[len(elements)-1]; rest != "" && major.MatchString(last) {
		return refuse(fmt.Sprintf("it ends with the major version %s, which the nested modules would not share", last))
	}
	return nil
}

// checkVersion returns why the modules cannot be tagged with a version; empty is
// none.
func checkVersion(v string) error {
	if v != "" && !version.MatchString(v) {
		return fmt.Errorf("invalid version %q: from v2 on a module path has to end with the major version; want one such as v0.1.0", v)
	}
	return nil
}
