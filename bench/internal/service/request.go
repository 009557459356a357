package service

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"strconv"
	"strings"
	"time"
)

// A Service answers requests.
type Service struct {
	*Store
	body []byte
	work int // rounds of computing
}

const (
	records = 110 // of a request's body, some 100 bytes each
	reads   = 50  // of the store
)

// Work is the usual number of rounds of computing in a request, a few milliseconds altogether.
const Work = 2500

// New returns a service with n sessions, whose requests compute some rounds, each a checksum of the body.
func New(n, work int) *Service {
	var b strings.Builder
	for i := range records {
		fmt.Fprintf(&b, `%c{"id":%d,"name":"%s","tags":["a","b","%d"],"at":{"x":%d.5,"y":%d.25},"on":true}`, "[,"[min(i, 1)], i, text(uint64(i)), i, i, i)
	}
	b.WriteString("]")
	return &Service{NewStore(n), []byte(b.String()), work}
}

// A record is half of what is made of the body.
type record struct {
	ID   int
	Name string
	Tags []string
	At   map[string]float64
	On   bool
}

// Serve answers request n: it parses the body twice, once into structs and once into maps, reads the store and
// computes. It makes some 150 KiB of garbage in about two milliseconds, with the usual work.
func (s *Service) Serve(n int) uint64 {
	var typed []record
	if err := json.Unmarshal(s.body, &typed); err != nil {
		panic("service: " + err.Error()) // the body is our own
	}
	var maps any
	if err := json.Unmarshal(s.body, &maps); err != nil {
		panic("service: " + err.Error())
	}
	sum := uint64(len(typed) + len(maps.([]any)))
	key, have := uint64(n), max(1, s.Len())
	for range reads {
		key = key*6364136223846793005 + 1442695040888963407
		sum += s.read(key >> 20 % uint64(have))
	}
	for range s.work {
		sum += uint64(crc32.ChecksumIEEE(s.body))
	}
	return sum
}

// Cost measures the time that a request takes, if nothing else runs.
func (s *Service) Cost(lasting time.Duration) time.Duration {
	n, begun := 0, time.Now()
	for ; time.Since(begun) < lasting; n++ {
		s.Serve(n)
	}
	return time.Since(begun) / time.Duration(n)
}

// HalfRate measures how many requests per second, with some rounds of computing, are half of what two processors can do.
func HalfRate(work int) float64 {
	s := New(20000, work)
	s.Cost(200 * time.Millisecond) // warms up
	return math.Floor(1 / s.Cost(time.Second).Seconds())
}

// ParseSize reads a size such as 256MiB, in bytes.
func ParseSize(text string) (int64, error) {
	number, unit := text, int64(1)
	for suffix, u := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if before, ok := strings.CutSuffix(text, suffix); ok {
			number, unit = before, u
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !(n >= 0 && n*float64(unit) < 1<<60) {
		return 0, fmt.Errorf("size %q: want a number with KiB, MiB or GiB", text)
	}
	return int64(n * float64(unit)), nil
}
