package once

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/big"
	"net"
	"os"
	"regexp"
	"strings"
	"time"
)

func token(b []byte) string {
	return base64.URLEncoding.WithPadding(base64.NoPadding).EncodeToString(b) // rewritten
}

func label(b []byte) string {
	enc := base32.HexEncoding.WithPadding(base32.NoPadding) // rewritten
	return strings.ToLower(enc.EncodeToString(b))
}

func padded(b []byte) (text string) {
	defer func() { _ = recover() }()
	return base64.URLEncoding.WithPadding('\n').EncodeToString(b) // refused: it panics
}

func encoding() *base64.Encoding {
	return base64.URLEncoding.WithPadding(base64.NoPadding) // refused: the caller tells two of them apart
}

// rule is a line between sections.
func rule(w io.Writer) {
	fmt.Fprintln(w, strings.Repeat("=", 40)) // rewritten
}

func indented(s string) string {
	const width = 8
	return strings.Repeat(" .", width) + s // rewritten
}

func space(n int) string {
	return strings.Repeat(" ", n) // refused: the number is not constant
}

func long() string {
	return strings.Repeat("hello", 1<<20) // refused: five megabytes would stay
}

func castagnoliOf(b []byte) uint32 {
	return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) // rewritten
}

func isMail(s string) bool {
	ok, _ := regexp.MatchString(`^\w+@\w+$`, s) // rewritten
	return ok
}

const digitsOnly = "^[0-9]+$"

func isNumber(b []byte) (is bool) {
	is, _ = regexp.Match(digitsOnly, b)                     // rewritten
	if yes, _ := regexp.MatchString("^-", string(b)); yes { // rewritten
		return true
	}
	return is
}

func isName(s string) (bool, error) {
	ok, err := regexp.MatchString("^[a-z]+$", s) // refused: the error is returned
	return ok, err
}

func isAny(s string) bool {
	ok, _ := regexp.MatchString("(", s) // refused: it is false, and no panic
	return ok
}

func inShanghai(t time.Time) string {
	return t.In(time.FixedZone("CST", 8*3600)).Format(time.DateTime) // rewritten
}

func midnight() int64 {
	zone := time.FixedZone("CET", 3600) // rewritten
	return time.Date(2024, 1, 1, 0, 0, 0, 0, zone).Unix()
}

func moved(t time.Time) time.Time {
	return t.In(time.FixedZone("CST", 8*3600)) // refused: == tells two of them apart
}

func half(x *big.Int) *big.Int {
	return new(big.Int).Div(x, big.NewInt(2)) // rewritten
}

func small(x *big.Int) bool {
	limit := big.NewInt(1000) // rewritten
	return x.Cmp(limit) < 0 && limit.Sign() > 0
}

func dice() int64 {
	n, err := rand.Int(rand.Reader, big.NewInt(6)) // rewritten
	if err != nil {
		return 0
	}
	return n.Int64() + 1
}

func factorial(n int64) *big.Int {
	product := big.NewInt(1) // refused: it is multiplied
	for i := int64(2); i <= n; i++ {
		product.Mul(product, big.NewInt(i)) // refused: the number is not constant
	}
	return product
}

func one() *big.Int {
	return big.NewInt(1) // refused: the caller may change it
}

func doubled() string {
	two := big.NewInt(2) // refused: a method expression has it as the receiver
	(*big.Int).Add(two, two, two)
	return two.String()
}

func rest(x *big.Int) (q, m *big.Int) {
	return new(big.Int).DivMod(x, big.NewInt(10), big.NewInt(0)) // refused: called twice, and one of them is a result
}

func remainder(x *big.Int) *big.Int {
	m := big.NewInt(0) // refused: it is a result
	new(big.Int).DivMod(x, x, m)
	return m
}

func isLocal(ip net.IP) bool {
	return ip.Equal(net.ParseIP("127.0.0.1")) // rewritten
}

func network(ip net.IP) net.IP {
	return ip.Mask(net.CIDRMask(24, 32)) // rewritten
}

func local() net.IP {
	ip := net.ParseIP("127.0.0.1") // refused: bytes of it are set
	ip[15]++
	return ip
}

func slashed(name string) string {
	const separator = string(os.PathSeparator)
	return strings.NewReplacer(separator, "/").Replace(name) // refused: it is another text on other systems
}

func tooLarge(x *big.Int) bool {
	const limit = math.MaxInt
	return x.Cmp(big.NewInt(limit)) > 0 // refused: it is another number on other systems
}

func dropped() {
	_ = strings.Repeat("=", 3)
	defer strings.Repeat("=", 3) // refused: nothing takes the text
}
