package apply

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/lever"
)

// A member is one of the changes that a commit is of, with what it should save.
type member struct {
	gains []attempt.Gain
	least float64
	names []string // of the functions
}

// mostMembers is the number of changes that one commit is of.
const mostMembers = 4

// mates are candidates that a reader expects in the commit of another: the same lever, in the same function or functions
// like it.
func (r *Runner) mates(p *plan, c *candidate) (all []*candidate) {
	most := min(mostMembers, rowsFor(r.State.Time)) - 1
	if r.single[c.Key()] || c.refused != "" {
		return nil
	}
	for _, m := range p.candidates {
		if m != c && len(all) < most && m.refused == "" && !r.single[m.Key()] && !r.tried(m) && akin(c, m) {
			all = append(all, m)
		}
	}
	return all
}

// mostNames is the number of functions that a change with mates is in.
const mostNames = 2

// akin reports whether two changes are of one lever and of functions of one package which are alike: by a word of their names, or by their
// receiver.
func akin(a, b *candidate) bool {
	if a.Lever != b.Lever || path.Dir(a.File) != path.Dir(b.File) || max(len(a.names), len(b.names)) > mostNames {
		return false
	}
	return slices.ContainsFunc(a.names, func(x string) bool {
		return slices.ContainsFunc(b.names, func(y string) bool {
			t, f := receiver(x)
			u, g := receiver(y)
			return t != "" && t == u || t == u && f == g || lever.ShareWord(f, g)
		})
	})
}

// receiver splits the name of a function, as T.M or (*T).M, into its receiver's type and the rest; the type is "" if there is none.
func receiver(name string) (typ, function string) {
	i := strings.LastIndexByte(name, '.')
	return strings.Trim(name[:max(i, 0)], "(*)"), name[i+1:]
}

// join makes the changes of the mates, too, one after the other, as the source is with those before: what one has declared, the next
// one uses. The first of the source is made first, as declarations stand where they are needed first. A mate that has gone is left out.
func (r *Runner) join(ctx context.Context, c *candidate, _ string, files map[string][]byte) error {
	if len(c.mates) == 0 {
		return nil
	}
	alone := maps.Clone(files)
	clear(files)
	if err := r.tree.Reset(ctx); err != nil {
		return err
	}
	order := append([]*candidate{c}, c.mates...)
	slices.SortFunc(order, func(a, b *candidate) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	made := map[*candidate][]lever.Edit{}
	for i, m := range order {
		edits := m.edits
		if i > 0 {
			var err error
			if edits, err = r.editsNow(ctx, m, slices.Sorted(maps.Keys(files))); err != nil {
				return err
			}
		}
		more, err := r.tree.edited(edits)
		if err != nil || len(more) == 0 {
			continue
		}
		if err := r.tree.Write(more); err != nil {
			return err
		}
		maps.Copy(files, more)
		made[m] = edits
	}
	c.members = []member{{c.Gains, c.least, c.names}}
	if made[c] == nil { // cannot be made after the others
		clear(files)
		maps.Copy(files, alone)
		if err := errors.Join(r.back(ctx), r.tree.Write(files)); err != nil {
			return err
		}
	} else {
		c.edits = made[c]
		for _, m := range c.mates {
			if made[m] != nil {
				c.take(m, made[m])
			}
		}
	}
	if len(c.members) > 1 {
		c.foremost()
	}
	var err error
	c.Diff, err = r.tree.Diff(ctx)
	return err
}

// editsNow are those of a change in the source as it is, in which some files were written; nil if it has gone.
func (r *Runner) editsNow(ctx context.Context, c *candidate, written []string) ([]lever.Edit, error) {
	if err := r.remap(ctx, written); err != nil {
		return nil, err
	}
	p, err := r.plan(ctx)
	if err != nil {
		return nil, ctx.Err() // of source that does not build, the next step tells
	}
	i := slices.IndexFunc(p.candidates, func(x *candidate) bool { return slices.Contains(x.keys(), c.Key()) })
	if i < 0 || p.candidates[i].refused != "" {
		return nil, nil
	}
	return p.candidates[i].edits, nil
}

// take adds a mate, whose edits were made.
func (c *candidate) take(mate *candidate, edits []lever.Edit) {
	c.members = append(c.members, member{mate.Gains, mate.least, mate.names})
	c.least = max(c.least, mate.least)
	c.edits = slices.Concat(c.edits, edits)
	c.With = append(c.With, mate.keys()...)
	c.Gains = slices.Clone(c.Gains) // those of the first member stay
	for _, g := range mate.Gains {
		c.more(g)
	}
	if c.what != mate.what {
		c.what = ""
	}
	text := "the same is done on another line of " + strings.Join(mate.names, ", ")
	for _, name := range mate.names {
		if !slices.Contains(c.names, name) {
			c.names = append(slices.Clip(c.names), name)
			text = name + " is changed the same way"
		}
	}
	c.Evidence = append(slices.Clip(c.Evidence), advice.Evidence{Text: text, File: mate.File, Line: mate.Line})
}

// foremost puts the benchmarks that the members matter most to before all others: of each member one is measured.
func (c *candidate) foremost() {
	slices.SortStableFunc(c.Gains, byGain)
	var first []attempt.Gain
	for _, m := range c.members {
		if len(m.gains) > 0 && forIt(m.gains[0]) {
			if i := slices.IndexFunc(c.Gains, func(g attempt.Gain) bool { return g.Benchmark == m.gains[0].Benchmark }); i >= 0 {
				first = append(first, c.Gains[i])
				c.Gains = slices.Delete(c.Gains, i, i+1)
			}
		}
	}
	c.Gains = append(first, c.Gains...)
}

// unpaid returns the functions of a member without a benchmark that it is for and in which something is less, by some rows; "" if there is none.
func (c *candidate) unpaid(rows []attempt.Row) string {
	if len(c.members) < 2 {
		return ""
	}
	for _, m := range c.members {
		if !slices.ContainsFunc(rows, func(x attempt.Row) bool {
			return cited(m.gains, x) && (lessTime(x.CPU, m.least) || lessAllocated(x, m.least))
		}) {
			return strings.Join(m.names, ", ")
		}
	}
	return ""
}

// back takes back what was written for a change.
func (r *Runner) back(ctx context.Context) error {
	if err := r.tree.Reset(ctx); err != nil {
		return err
	}
	return r.remap(ctx, slices.Sorted(maps.Keys(r.firsts)))
}

// alone has changes tried by themselves from now on, by their keys.
func (r *Runner) alone(keys ...string) {
	for _, k := range keys {
		r.single[k] = true
	}
}

// parted has changes tried by themselves that were not kept together before the run was interrupted.
func (r *Runner) parted() {
	for i := range r.Attempts {
		for _, l := range r.Attempts[i].Larger {
			if l.With != nil {
				r.alone(append(slices.Clip(l.With), r.Attempts[i].Key())...)
			}
		}
	}
}

// retry prepares another attempt of a change that was not kept, as it was planned without mates, if there is one to be made: by itself, or else
// without other statements that are the same. It returns what was not kept; nil if there is none.
func (r *Runner) retry(c *candidate, planned candidate) (_ *attempt.Larger, err error) {
	l := &attempt.Larger{Outcome: c.Outcome, Why: c.Why}
	switch {
	case len(c.members) > 1:
		l.And = "the same change elsewhere"
		for _, m := range c.mates {
			l.With = append(l.With, m.Key())
		}
		r.alone(append(slices.Clip(l.With), c.Key())...)
		*c = planned
	case c.alone != nil && setBack(c.Outcome):
		l.And = "other statements that are the same"
		*c = planned
		c.apart()
		c.spans, c.names, err = r.tree.touchable(c.edits)
	default:
		return nil, nil
	}
	return l, err
}
