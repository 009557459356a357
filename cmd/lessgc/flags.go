package main

import (
	"errors"
	"strings"
)

// list is a flag that may be repeated.
type list []string

func (l *list) String() string     { return strings.Join(*l, " ") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

// errOneForm is about flags that say twice how to print.
var errOneForm = errors.New("-json and -markdown are two ways to print the same; give one of them")
