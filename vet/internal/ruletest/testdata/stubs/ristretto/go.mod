module github.com/dgraph-io/ristretto/v2

go 1.25
