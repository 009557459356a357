// Vetrecall counts how many reduced mistakes of real code lessgc vet finds.
//
//	go run ./bench/vetrecall                      # the cases of bench/vetrecall/cases
//	go run ./bench/vetrecall -only '^clone' -v    # and what is missed or wrong
//
// A case is a txtar file. Its comment has the lines
//
//	class: NAME
//	source: URL of the mistake in real code
//	what: what goes wrong at run time, in one sentence
//
// and its files are a module: package p in bad.go, the mistake, and in good.go, its correction or
// correct code of nearly the same shape; further packages and a go.mod as needed. Without a go.mod,
// the module is called "case". The package lessgc/arena can be imported. A comment
//
//	// mistake RULE|RULE
//
// ends each line of bad.go where the mistake may be reported. A function with such lines is found
// if one of the rules has a finding in it, or one with a related position on one of the lines.
// Findings in good.go, and in functions of bad.go without marks, are wrong. Others, such as those
// of another rule in a marked function, outside of functions, or of an advisory rule that the case
// is not about, are listed to be judged by hand.
//
// The exit status is 1 if a finding is wrong, and 2 if a case does not compile.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"maps"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"golang.org/x/tools/txtar"

	"lessgc/bench/internal/vetting"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("vetrecall: ")
	folder := flag.String("cases", filepath.Join("bench", "vetrecall", "cases"), "the `FOLDER` of the cases")
	only := flag.String("only", "", "choose the cases whose name matches `REGEXP`")
	verbose := flag.Bool("v", false, "print what is missed and what is wrong")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	chosen, err := regexp.Compile(*only)
	if err != nil {
		log.Printf("-only: %v", err)
		os.Exit(2)
	}
	total, err := run(ctx, *folder, chosen, *verbose)
	if err != nil {
		log.Print(err)
		os.Exit(2)
	}
	if total.wrong > 0 {
		os.Exit(1)
	}
}

// count holds the numbers of findings in one case, or in all cases of a class.
type count struct{ cases, found, missed, wrong, other int }

func (c *count) add(d count) {
	c.cases += d.cases
	c.found += d.found
	c.missed += d.missed
	c.wrong += d.wrong
	c.other += d.other
}

// run prints the table of the chosen cases, and returns its sum.
func run(ctx context.Context, folder string, chosen *regexp.Regexp, verbose bool) (total count, err error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil {
		return total, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !chosen.MatchString(filepath.Base(name)) })
	if len(names) == 0 {
		return total, fmt.Errorf("no cases in %s", folder)
	}
	scratch, err := os.MkdirTemp("", "vetrecall-*")
	if err != nil {
		return total, err
	}
	defer os.RemoveAll(scratch)
	tool, err := vetting.Build(ctx, scratch)
	if err != nil {
		return total, err
	}
	advisory, err := vetting.Advisory(ctx, tool)
	if err != nil {
		return total, err
	}
	root, err := vetting.Output(ctx, "", nil, "go", "list", "-m", "-f={{.Dir}}", "lessgc")
	if err != nil {
		return total, err
	}
	results, errs := make([]result, len(names)), make([]error, len(names))
	var wg sync.WaitGroup
	tokens := make(chan struct{}, 2)
	for i, name := range names {
		wg.Go(func() {
			tokens <- struct{}{}
			defer func() { <-tokens }()
			r := runner{tool: tool, advisory: advisory, root: strings.TrimSpace(string(root)), dir: filepath.Join(scratch, fmt.Sprint("case", i))}
			if results[i], errs[i] = r.run(ctx, name); errs[i] != nil {
				errs[i] = fmt.Errorf("%s: %w", name, errs[i])
			}
		})
	}
	wg.Wait()
	return table(results, verbose), errors.Join(errs...)
}

// table prints what was found by class.
func table(results []result, verbose bool) (total count) {
	classes := map[string]*count{}
	for _, r := range results {
		if r.class == "" {
			continue
		}
		if classes[r.class] == nil {
			classes[r.class] = new(count)
		}
		classes[r.class].add(r.count)
		total.add(r.count)
		if verbose {
			for _, line := range r.lines {
				fmt.Println(line)
			}
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "class\tcases\tmistakes\tfound\tmissed\tfound %\twrong\tother\t")
	row := func(name string, c count) {
		share := "-"
		if marked := c.found + c.missed; marked > 0 {
			share = fmt.Sprintf("%.0f", 100*float64(c.found)/float64(marked))
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%s\t%d\t%d\t\n", name, c.cases, c.found+c.missed, c.found, c.missed, share, c.wrong, c.other)
	}
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		row(class, *classes[class])
	}
	row("sum", total)
	w.Flush()
	return total
}

// result is the outcome of one case; lines name what was missed, is wrong, or has to be judged.
type result struct {
	class string
	count
	lines []string
}

// runner vets one case in the folder dir.
type runner struct {
	tool, root, dir string
	advisory        []string // names of rules
}

// alone keeps a case from seeing this checkout's workspace.
var alone = []string{"GOWORK=off", "GOFLAGS=-mod=mod"}

func (r runner) run(ctx context.Context, name string) (result, error) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		return result{}, err
	}
	head, err := header(archive.Comment)
	if err != nil {
		return result{}, err
	}
	if err := r.unpack(ctx, archive); err != nil {
		return result{}, err
	}
	if _, err := vetting.Output(ctx, r.dir, alone, "go", "build", "./..."); err != nil {
		return result{}, err
	}
	found, err := vetting.Run(ctx, r.tool, r.dir, alone, "-advice", "./...")
	if err != nil {
		return result{}, err
	}
	for _, p := range found.Problems {
		return result{}, fmt.Errorf("%s: %s", p.Package, p.Message)
	}
	var functions []*function
	for _, file := range archive.Files {
		if path.Ext(file.Name) == ".go" {
			more, err := parse(file)
			if err != nil {
				return result{}, err
			}
			functions = append(functions, more...)
		}
	}
	res := judge(filepath.Base(name), functions, found.Findings, r.advisory)
	res.class, res.cases = head["class"], 1
	return res, nil
}

// header returns the fields of the comment of a case.
func header(comment []byte) (map[string]string, error) {
	fields := map[string]string{}
	for line := range strings.Lines(string(comment)) {
		if key, value, ok := strings.Cut(line, ":"); ok {
			fields[key] = strings.TrimSpace(value)
		}
	}
	for _, key := range []string{"class", "source", "what"} {
		if fields[key] == "" {
			return nil, fmt.Errorf("no line %s: in its comment", key)
		}
	}
	return fields, nil
}

// unpack writes the files of a case, and lets it import packages of lessgc.
func (r runner) unpack(ctx context.Context, archive *txtar.Archive) error {
	files := slices.Clone(archive.Files)
	if !slices.ContainsFunc(files, func(f txtar.File) bool { return f.Name == "go.mod" }) {
		files = append(files, txtar.File{Name: "go.mod", Data: []byte("module case\n\ngo 1.26\n")})
	}
	for _, file := range files {
		if !filepath.IsLocal(file.Name) {
			return fmt.Errorf("%s is outside of the case", file.Name)
		}
		to := filepath.Join(r.dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, file.Data, 0o666); err != nil {
			return err
		}
	}
	_, err := vetting.Output(ctx, r.dir, alone, "go", "mod", "edit", "-require=lessgc@v0.0.0", "-replace=lessgc="+r.root)
	return err
}

// function is a declared function with the lines of the marks in it.
type function struct {
	file, name string
	from, to   int // lines
	marks      []int
	rules      []string
}

// mark is a comment that says which rules may report something on its line.
var mark = regexp.MustCompile(`// mistake ([a-z|]+)$`)

// parse returns the functions of a file.
func parse(file txtar.File) ([]*function, error) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, file.Name, file.Data, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []*function
	for _, decl := range syntax.Decls {
		if decl, ok := decl.(*ast.FuncDecl); ok {
			from, to := fset.Position(decl.Pos()).Line, fset.Position(decl.End()).Line
			all = append(all, &function{file: file.Name, name: decl.Name.Name, from: from, to: to})
		}
	}
	line := 0
	for text := range strings.Lines(string(file.Data)) {
		line++
		m := mark.FindStringSubmatch(strings.TrimSpace(text))
		if m == nil {
			continue
		}
		f := at(all, vetting.Position{File: file.Name, Line: line})
		if f == nil {
			return nil, fmt.Errorf("%s:%d: a mark outside of functions", file.Name, line)
		}
		f.marks = append(f.marks, line)
		f.rules = append(f.rules, strings.Split(m[1], "|")...)
	}
	return all, nil
}

// at returns the function that a position is in, or nil.
func at(functions []*function, p vetting.Position) *function {
	for _, f := range functions {
		if f.file == p.File && f.from <= p.Line && p.Line <= f.to {
			return f
		}
	}
	return nil
}

// judge counts found, missed and wrong findings. Advisory rules may be right about the pools that a case needs
// as its scenery.
func judge(name string, functions []*function, findings []vetting.Finding, advisory []string) (res result) {
	note := func(kind string, p vetting.Position, text string) {
		res.lines = append(res.lines, fmt.Sprintf("%s: %s: %s:%d: %s", kind, name, p.File, p.Line, text))
	}
	found := map[*function]bool{}
	about := func(rule string) bool {
		return !slices.Contains(advisory, rule) ||
			slices.ContainsFunc(functions, func(f *function) bool { return slices.Contains(f.rules, rule) })
	}
	for _, f := range findings {
		text := f.Rule + ": " + f.Message
		in := at(functions, f.Position)
		hit := false
		for _, p := range append([]vetting.Position{f.Position}, f.Related...) {
			marked := at(functions, p)
			if marked == nil || !slices.Contains(marked.rules, f.Rule) {
				continue
			}
			if marked == in || slices.Contains(marked.marks, p.Line) {
				found[marked], hit = true, true
			}
		}
		switch {
		case hit:
		case about(f.Rule) && (f.File == "good.go" || f.File == "bad.go" && in != nil && len(in.marks) == 0):
			res.wrong++
			note("wrong", f.Position, text)
		default:
			res.other++
			note("other", f.Position, text)
		}
	}
	for _, f := range functions {
		switch {
		case found[f]:
			res.found++
		case len(f.marks) > 0:
			res.missed++
			slices.Sort(f.rules)
			note("missed", vetting.Position{File: f.file, Line: f.marks[0]}, f.name+": "+strings.Join(slices.Compact(f.rules), " or "))
		}
	}
	return res
}
