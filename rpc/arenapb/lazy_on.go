//go:build protolegacy

package arenapb

// lazyExtensions is whether package proto decodes extensions when they are asked for.
const lazyExtensions = true
