// Package load puts load on a gRPC or HTTP server and measures its response times.
//
// The open loop sends requests at a constant rate, whether or not earlier ones
// have been answered, and counts the latency of each from the time at which it was
// due. A server that stops for a while is then charged for all requests that had
// to wait, as users would, and not only for those that were on the way (Gil Tene's
// "coordinated omission"; wrk2 does the same for HTTP). The closed loop keeps a
// number of requests on the way at all times, which finds the highest throughput.
//
// Requests are encoded once, and answers are not decoded: the machine is
// shared with the server that is measured.
package load
