package spread

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"lessgc/cmd/lessgc/internal/visible"
)

// The services that a file can be made for.
const (
	GitHub     = "github"
	GitLab     = "gitlab"
	Kubernetes = "kubernetes"
)

// Services lists the services.
var Services = []string{GitHub, GitLab, Kubernetes}

// MaxShards is the largest number of shards: GitLab runs at most 200 jobs of a kind.
const MaxShards = 200

// A Plan says what a file is to run. Write checks it.
type Plan struct {
	Service string
	Command []string // of lessgc, for the comment at the top of the file
	Name    string   // of the workflow, the jobs or the Job
	Shards  int
	Image   string   // container image; empty if the service needs none
	Go      string   // version of Go, such as 1.26; empty for that of go.mod or the image
	Runners []string // labels of machines; shards are dealt out to them in turn
	From    Source   // where machines get lessgc
	Compare []string // flags and packages of compare
	FailOn  []string // conditions of the report

	// Of Kubernetes only.
	CPUs   int    // whole CPUs of a shard
	Memory string // memory of a shard, such as 4Gi
	Claim  string // an existing PersistentVolumeClaim for the results; empty for a new one
}

var (
	imageForm  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$`)
	goForm     = regexp.MustCompile(`^1\.[0-9]{1,3}(\.[0-9]{1,3})?((rc|beta)[0-9]{1,2})?$`)
	objectForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)
	labelForm  = regexp.MustCompile(`^([a-z0-9]([a-z0-9.-]*[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?=[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$`)
	memoryForm = regexp.MustCompile(`^[1-9][0-9]{0,9}(Mi|Gi)$`)
)

// maxObject is the length of a name in Kubernetes: names of pods and of the second Job are longer.
const maxObject = 45

// check refuses what the file could not hold.
func (p *Plan) check() error {
	if !slices.Contains(Services, p.Service) {
		return fmt.Errorf("unknown service %q; want %s", p.Service, strings.Join(Services, ", "))
	}
	if p.Shards < 2 || p.Shards > MaxShards {
		return fmt.Errorf("-shards %d: want 2 to %d shards", p.Shards, MaxShards)
	}
	for _, s := range slices.Concat(p.Compare, p.FailOn) {
		if err := plain("an argument of compare", s); err != nil {
			return err
		}
	}
	if err := plain("-name", p.Name); err != nil {
		return err
	}
	switch {
	case p.Name == "" || len(p.Name) > 200:
		return errors.New("-name is 1 to 200 bytes long")
	case p.Image != "" && !imageForm.MatchString(p.Image):
		return fmt.Errorf("-image %q is not the name of an image, such as registry.example.com/shop/bench:1", p.Image)
	case p.Go != "" && !goForm.MatchString(p.Go):
		return fmt.Errorf("-go %q is not a version of Go, such as 1.26 or 1.26.8", p.Go)
	case len(p.Runners) > p.Shards:
		return fmt.Errorf("%d kinds of runners for %d shards leave some without one; raise -shards", len(p.Runners), p.Shards)
	}
	for _, label := range p.Runners {
		if err := p.checkRunner(label); err != nil {
			return err
		}
	}
	if p.Service == Kubernetes {
		return p.checkKubernetes()
	}
	if p.Service == GitLab && slices.ContainsFunc(p.Runners, func(r string) bool { return len(labels(r)) != len(labels(p.Runners[0])) }) {
		return errors.New("with GitLab, each -runner has the same number of labels: its tags are variables")
	}
	if p.Service == GitLab && p.Name[0] == '.' {
		return fmt.Errorf("-name %s begins with a dot: GitLab would hide its jobs", p.Name)
	}
	if p.Service == GitHub && strings.Contains(p.Name, "${{") {
		return errors.New("-name holds ${{, which GitHub takes for an expression")
	}
	return nil
}

func (p *Plan) checkRunner(label string) error {
	if p.Service == Kubernetes {
		if !labelForm.MatchString(label) {
			return fmt.Errorf("-runner %q is not a label of nodes; want KEY=VALUE, such as node.kubernetes.io/instance-type=c7i.large", label)
		}
		return nil
	}
	if err := plain("-runner", label); err != nil {
		return err
	}
	for _, word := range strings.Split(label, ",") {
		if strings.TrimSpace(word) == "" || strings.Contains(word, "$") {
			return fmt.Errorf("-runner %q: want a label, or several with commas between them, without $", label)
		}
	}
	return nil
}

func (p *Plan) checkKubernetes() error {
	switch {
	case !objectForm.MatchString(p.Name) || len(p.Name) > maxObject:
		return fmt.Errorf("-name %q is not a name in Kubernetes; want up to %d lower-case letters, digits and inner dashes", p.Name, maxObject)
	case p.Image == "":
		return errors.New("-image is needed: it holds Go, lessgc and the code")
	case p.CPUs < 1 || p.CPUs > 1024:
		return fmt.Errorf("-cpus %d: want 1 to 1024 CPUs", p.CPUs)
	case !memoryForm.MatchString(p.Memory):
		return fmt.Errorf("-memory %q is not a size, such as 4Gi or 512Mi", p.Memory)
	case p.Claim != "" && (!objectForm.MatchString(p.Claim) || len(p.Claim) > 63):
		return fmt.Errorf("-claim %q is not the name of a PersistentVolumeClaim", p.Claim)
	}
	return nil
}

// plain refuses what YAML, a service or a shell would not pass on unchanged: control characters,
// line ends of any kind, characters without a shape, bytes that are not UTF-8.
func plain(what, s string) error {
	if shown := visible.Text(s); shown != s {
		return fmt.Errorf("%s holds a character that a file of a CI service cannot pass on safely: %.200s", what, shown)
	}
	return nil
}

//go:embed github.tmpl gitlab.tmpl kubernetes.tmpl
var templates embed.FS

var parsed = template.Must(template.New("").Funcs(template.FuncMap{
	"yaml":    scalar,
	"command": commandLine,
	"kube":    func(s string) string { return scalar(literal(s)) },
}).ParseFS(templates, "*.tmpl"))

// Write writes the file of a plan, or returns what is wrong with the plan before it writes anything.
func Write(w io.Writer, p *Plan) error {
	if err := p.check(); err != nil {
		return err
	}
	return parsed.ExecuteTemplate(w, p.Service+".tmpl", view{p})
}

// A view is what the templates read.
type view struct{ *Plan }

// Comment is the command that made the file.
func (v view) Comment() string { return "lessgc " + commandLine(v.Command) }

// A shard is one machine of the plan.
type shard struct {
	Number int // from 1
	Runner string
	Labels []string // those in Runner
}

// Each returns the shards, each with its runner.
func (v view) Each() []shard {
	all := make([]shard, v.Shards)
	for i := range all {
		all[i].Number = i + 1
		if len(v.Runners) > 0 {
			all[i].Runner = v.Runners[i%len(v.Runners)]
			all[i].Labels = labels(all[i].Runner)
		}
	}
	return all
}

func labels(runner string) []string {
	words := strings.Split(runner, ",")
	for i, w := range words {
		words[i] = strings.TrimSpace(w)
	}
	return words
}

// First returns the labels of the machine that makes the report.
func (v view) First() []string {
	if len(v.Runners) == 0 {
		return nil
	}
	return labels(v.Runners[0])
}

// Several reports whether there are machines of several kinds.
func (v view) Several() bool { return len(v.Runners) > 1 }

// ReportFlags are the flags of lessgc report.
func (v view) ReportFlags() []string {
	var flags []string
	for _, c := range v.FailOn {
		flags = append(flags, "-fail-on", c)
	}
	return flags
}

// Install returns the lines of shell that install lessgc.
func (v view) Install() []string { return v.From.install() }

// InstallLine is the same as one line.
func (v view) InstallLine() string { return strings.Join(v.Install(), " && ") }

// Folder is where Kubernetes keeps the results.
func (v view) Folder() string { return "/results/" + v.Name }

// SpreadKey is the key of the labels if there are several kinds of nodes that it tells apart.
func (v view) SpreadKey() string {
	terms := v.NodeTerms()
	if len(terms) < 2 || slices.ContainsFunc(terms, func(t [2]string) bool { return t[0] != terms[0][0] }) {
		return ""
	}
	return terms[0][0]
}

// Overrides is the pod that shows the volume to kubectl cp. What it holds has been checked to have
// neither quotes nor backslashes.
func (v view) Overrides() string {
	return fmt.Sprintf(`{"spec":{"securityContext":{"runAsUser":65532},"containers":[{"name":"files","image":"%s","command":["sleep","3600"],`+
		`"volumeMounts":[{"name":"results","mountPath":"/results"}]}],"volumes":[{"name":"results","persistentVolumeClaim":{"claimName":"%s"}}]}}`, v.Image, v.ClaimName())
}

// NodeTerms returns the labels of nodes, each as key and value.
func (v view) NodeTerms() [][2]string {
	var terms [][2]string
	for _, r := range v.Runners {
		key, value, _ := strings.Cut(r, "=")
		terms = append(terms, [2]string{key, value})
	}
	return terms
}

// ClaimName is the claim that holds the results.
func (v view) ClaimName() string {
	if v.Claim != "" {
		return v.Claim
	}
	return v.Name
}

// GoImage is the image of Go.
func (v view) GoImage() string {
	if v.Go == "" {
		return "golang:1.26"
	}
	return "golang:" + v.Go
}
