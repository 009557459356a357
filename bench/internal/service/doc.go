// Package service is a small service to be put under pressure: a cache with many pointers, requests that
// allocate garbage and read the cache, and an open-loop load. It samples what the runtime and the system say
// of it.
package service
