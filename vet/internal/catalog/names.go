package catalog

import "strings"

// whole ends a name that stands for all functions and methods of a package.
const whole = ".*"

func isWhole(name string) bool {
	return strings.HasSuffix(name, whole) && !strings.HasPrefix(name, "(")
}

// Plain returns the full name of a function or type without type parameters.
func Plain(full string) string {
	if strings.IndexByte(full, '[') < 0 {
		return full
	}
	var b strings.Builder
	depth := 0
	for i := 0; i < len(full); i++ {
		switch c := full[i]; {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Unversioned returns the plain full name of a function, type or package without the major
// version in its path, such as /v2.
func Unversioned(full string) string {
	full = Plain(full)
	for from := 0; ; {
		i := strings.Index(full[from:], "/v")
		if i < 0 {
			return full
		}
		i += from
		n := len(full) - i - 2
		if rest := strings.TrimLeft(full[i+2:], "0123456789"); len(rest) < n && (rest == "" || strings.IndexByte("/.", rest[0]) >= 0) {
			full = full[:i] + rest
			from = i
		} else {
			from = i + 2
		}
	}
}

// PackageOf returns the path of the package in a full name.
func PackageOf(name string) string {
	name = strings.TrimLeft(name, "(*")
	slash := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[slash:], '.')
	if dot < 0 {
		return name
	}
	return name[:slash+dot]
}
