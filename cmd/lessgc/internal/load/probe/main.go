//go:build unix

package main

// main is for the tests: a server does its own work here.
func main() { select {} }
