package compare

import (
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

// A column takes the key of -col out of benchmark names, by the rules of
// benchstat's -col. The zero column leaves names as they are.
type column struct {
	value, rest *benchproc.Projection
}

// newColumn returns the column of a key such as strategy, or the zero column.
func newColumn(key string) column {
	if key == "" {
		return column{}
	}
	var p benchproc.ProjectionParser
	value, err := p.Parse("/"+key, nil)
	if err != nil { // IsColumn was asked before
		panic(err)
	}
	rest, err := p.Parse(".fullname", nil)
	if err != nil {
		panic(err)
	}
	return column{value, rest}
}

// IsColumn reports whether key can be given to -col: one key of benchmark names.
func IsColumn(key string) bool {
	var p benchproc.ProjectionParser
	projection, err := p.Parse("/"+key, nil)
	return key != "" && err == nil && len(projection.Fields()) == 1
}

// name splits Sort/strategy=heap/n=10 into Sort/n=10 and heap. The value is
// empty if the name does not have the key.
func (c column) name(full string) (rest, value string) {
	if c.value == nil {
		return full, ""
	}
	res := &benchfmt.Result{Name: benchfmt.Name(full)}
	return c.rest.Project(res).Get(c.rest.Fields()[0]), c.value.Project(res).Get(c.value.Fields()[0])
}
