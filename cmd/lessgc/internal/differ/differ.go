package differ

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// FileName is the name of the test file that a check writes.
const FileName = "lessgc_differ_test.go"

// testName is the name of its test.
const testName = "TestLessgcDiffer"

// ErrCannot is the error, by errors.Is, for a function that cannot be checked; the text says why.
var ErrCannot = errors.New("cannot compare the function with itself before the change")

func cannot(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCannot, fmt.Sprintf(format, args...))
}

// A Source is a state of a package.
type Source struct {
	Dir   string            // its folder
	Files map[string][]byte // contents that stand for those of files in Dir, by their names
}

// A Check is a test file that compares a function before and after a change.
type Check struct {
	Text []byte // of the test file
}

// New makes the check of a function: F, or T.M or (*T).M for a method. The error is ErrCannot if the function is one
// whose inputs cannot be made or whose outcomes cannot be compared.
func New(ctx context.Context, before, after Source, fn string) (*Check, error) {
	was, err := load(ctx, before)
	if err != nil {
		return nil, fmt.Errorf("before the change: %w", err)
	}
	is, err := load(ctx, after)
	if err != nil {
		return nil, fmt.Errorf("after the change: %w", err)
	}
	key := strings.NewReplacer("(", "", ")", "", "*", "").Replace(fn)
	old, changed := was.decls[key], is.decls[key]
	if old == nil || changed == nil || !old.function() || !changed.function() {
		return nil, fmt.Errorf("no function %s in %s before and after the change", fn, was.pkg.PkgPath)
	}
	if old.body() == nil || changed.body() == nil {
		return nil, cannot("%s has no body", fn)
	}
	if a, b := was.signature(old), is.signature(changed); a != b {
		return nil, cannot("the type of %s was %s and is %s", fn, a, b)
	}
	copies := copied(was, is, old)
	graphBefore, graphAfter := was.graph(), is.graph()
	f, g := old.objects[0].(*types.Func), changed.objects[0].(*types.Func)
	if why := cmp.Or(graphBefore.harm(f), graphAfter.harm(g)); why != "" {
		return nil, cannot("%s", why)
	}
	touched := graphBefore.touched(f)
	maps.Copy(touched, graphAfter.touched(g))
	in, err := inputsOf(was, is, changed, graphAfter, touched)
	if err != nil {
		return nil, err
	}
	in.flat = changesLayout(is, copies)
	text, err := compose(was, copies, in, key)
	if err != nil {
		return nil, err
	}
	return &Check{Text: text}, nil
}

// Write writes the test file into a package's folder, and returns its name. It does not replace a file.
func (c *Check) Write(dir string) (file string, err error) {
	file = filepath.Join(dir, FileName)
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return "", err
	}
	_, err = f.Write(c.Text)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(file))
	}
	return file, nil
}

// signature is the type of a function with its receiver, without the names of parameters.
func (p *program) signature(d *decl) string {
	within := func(pkg *types.Package) string {
		if pkg == p.pkg.Types {
			return ""
		}
		return pkg.Path()
	}
	var text strings.Builder
	sig := d.objects[0].(*types.Func).Signature()
	if recv := sig.Recv(); recv != nil {
		fmt.Fprint(&text, types.TypeString(recv.Type(), within), " has ")
	}
	for t := range sig.TypeParams().TypeParams() {
		fmt.Fprint(&text, t, " ", types.TypeString(t.Constraint(), within), "; ")
	}
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		text.WriteString("(")
		for v := range tuple.Variables() {
			text.WriteString(types.TypeString(v.Type(), within) + ", ")
		}
		text.WriteString(")")
	}
	if sig.Variadic() {
		text.WriteString(" variadic")
	}
	return text.String()
}
