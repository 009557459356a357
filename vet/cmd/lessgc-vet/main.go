// Lessgc-vet finds misuse of arenas and pools, as a tool of go vet:
//
//	go install lessgc/vet/cmd/lessgc-vet
//	go vet -vettool=$(which lessgc-vet) ./...
//
// -NAME=false turns a rule off; -NAME runs no other rule. -advice also runs the advisory rules,
// and -notes also reports notes: code that is correct, but easy to break. -json prints the
// findings as JSON, -fix applies the suggested fixes, and -diff only prints them. The
// command lessgc vet prints more, and needs no tool:
//
//	go vet -vettool=$(which lessgc-vet) -poolalias=false -advice ./...
//	go vet -vettool=$(which lessgc-vet) -fix -diff ./...
//	lessgc-vet help poolalias
package main

import "lessgc/vet"

func main() { vet.Main() }
