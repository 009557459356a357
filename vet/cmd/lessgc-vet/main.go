// Lessgc-vet finds misuse of arenas and pools, as a tool of go vet:
//
//	go install lessgc/vet/cmd/lessgc-vet
//	go vet -vettool=$(which lessgc-vet) ./...
//
// A rule is turned off by -NAME=false; -NAME runs no other rule. With -advice it finds also
// what is slower than it need be, and with -notes it tells also what is correct and worth
// knowing. With -json it prints everything it knows, and with -fix it repairs what can be
// repaired; -diff only shows how. The command lessgc vet says more, and needs no tool:
//
//	go vet -vettool=$(which lessgc-vet) -poolalias=false -advice ./...
//	go vet -vettool=$(which lessgc-vet) -fix -diff ./...
//	lessgc-vet help poolalias
package main

import "lessgc/vet"

func main() { vet.Main() }
