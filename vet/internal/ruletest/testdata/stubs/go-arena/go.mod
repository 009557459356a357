module github.com/wundergraph/go-arena

go 1.25
