package main

// main is for the tests: a program does its own work here.
func main() {}
