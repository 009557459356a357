module github.com/ortuman/nuke

go 1.25
