// Package foreign decodes messages of third-party types, whole and damaged, with
// package proto and with arenapb, and compares. It tries all types that are linked into the program.
//
// The test does that for what this module links anyway. Command all takes modules, and tries all message
// types in them:
//
//	go run ./bench/foreign/all -rounds 3 cloud.google.com/go/spanner github.com/envoyproxy/go-control-plane/envoy
package foreign
