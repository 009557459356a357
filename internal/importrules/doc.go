// Package importrules holds the test of which package may import which. It has
// no code.
//
// What users import pulls in nothing they do not need, so the libraries at the
// root keep to the standard library; the command, the workloads and the rivals
// are modules of their own. Inside the command, data flows one way: what measures
// does not render, and what renders does not compute.
//
// Every package belongs to a layer, and a layer lists all that it may import; a
// new package is added to the table in layers_test.go.
package importrules
