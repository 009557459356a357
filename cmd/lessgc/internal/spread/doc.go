// Package spread makes the files that run one comparison on several machines: a workflow of
// GitHub Actions, jobs of GitLab CI, and Jobs of Kubernetes. Each machine measures a shard, and a
// last job merges what they have measured.
//
// A file holds strings that a user gave: flags and packages of compare, names, labels, images.
// They pass up to three readers before lessgc sees them: YAML, the service, which replaces
// expressions such as ${{ x }} or $(X), and a shell. Each reader has its own quoting, in quote.go;
// a character that one of them cannot be made to pass on unchanged is refused by Plan.check.
package spread
