package render

import (
	_ "embed"
	"html/template"
	"io"

	"lessgc/cmd/lessgc/internal/visible"
	watched "lessgc/cmd/lessgc/internal/watch"
)

//go:embed watch.html.tmpl
var watchSource string

var watchTemplate = parsed(func() (*template.Template, error) { return template.New("watch").Parse(watchSource) })

// WatchPage writes the page with live charts. Its script, which the nonce allows to
// run, asks for "windows?after=N": JSON with the windows, as package watch has
// them, that are later than number N.
func WatchPage(w io.Writer, h watched.Header, nonce string) error {
	return watchTemplate().Execute(w, struct {
		watched.Header
		Nonce string
		Every string
	}{visible.All(h, visible.Page), nonce, watchInterval(h).String()})
}
