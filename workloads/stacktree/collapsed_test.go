package stacktree

import (
	"errors"
	"math/big"
	"strings"
	"testing"
)

// A text is collapsed stacks, and what they are or what is wrong with them.
type text struct {
	in   string
	want string // the tree as collapsed stacks, if there is no error
	line int    // of the error
	err  error
}

var texts = []text{
	{in: "", want: ""},
	{in: "\n\r\n\n", want: ""},
	{in: "a 1", want: "a 1\n"},
	{in: "a 1\r\nb 2\r\n", want: "a 1\nb 2\n"},
	{in: "a;b;c 42\n", want: "a;b;c 42\n"},
	{in: "a;c 1\na;b 2\na 3\n", want: "a 3\na;b 2\na;c 1\n"},
	{in: "a;b 1\na;b 2\n", want: "a;b 3\n"},
	{in: "a;a;a 1\na;a 1\n", want: "a;a 1\na;a;a 1\n"},
	{in: "ab 1\na;b 2\na! 4\n", want: "a;b 2\na! 4\nab 1\n"},
	{in: "a b;c  d 7\n", want: "a b;c  d 7\n"},
	{in: "a  7\n", want: "a  7\n"}, // the frame is "a "
	{in: "a;b 0\nc 1\n", want: "c 1\n"},
	{in: "a 0009\n", want: "a 9\n"},
	{in: "\xff;\x00 1\n", want: "\xff;\x00 1\n"},
	{in: "a 9223372036854775807\n", want: "a 9223372036854775807\n"},
	{in: strings.Repeat("f;", 4095) + "f 1", want: strings.Repeat("f;", 4095) + "f 1\n"},

	{in: "a", line: 1, err: errNoCount},
	{in: "a;b\n", line: 1, err: errNoCount},
	{in: "a 1\n\na \n", line: 3, err: errNoCount},
	{in: "a -1", line: 1, err: errNoCount},
	{in: "a +1", line: 1, err: errNoCount},
	{in: "a 1.5", line: 1, err: errNoCount},
	{in: "a 1\t", line: 1, err: errNoCount},
	{in: "a 1\nb 9223372036854775808\n", line: 2, err: errCount},
	{in: "a 99999999999999999999999", line: 1, err: errCount},
	{in: "a 9223372036854775807\nb 0\nb 1\n", line: 3, err: errOverflow},
	{in: "42", line: 1, err: errNoCount},
	{in: " 42", line: 1, err: errEmptyFrame},
	{in: ";a 1", line: 1, err: errEmptyFrame},
	{in: "a; 1", line: 1, err: errEmptyFrame},
	{in: "a;;b 1", line: 1, err: errEmptyFrame},
	{in: "; 1", line: 1, err: errEmptyFrame},
	{in: "a;;b 0", line: 1, err: errEmptyFrame},
	{in: strings.Repeat("f;", 4096) + "f 1", line: 1, err: ErrTooLarge},
}

func TestCollapsed(t *testing.T) {
	for _, x := range texts {
		in := Input{Data: []byte(x.in)}
		if x.err == nil {
			if got := collapsed(t, Strategies[0], in); string(got) != x.want {
				t.Errorf("%.40q: tree %.80q, want %.80q", x.in, got, x.want)
			}
			continue
		}
		err := Strategies[0].Do(in, func(*Tree) { t.Errorf("%.40q: a tree in spite of the error", x.in) })
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !errors.Is(err, x.err) {
			t.Errorf("%.40q: error %v, want %v", x.in, err, x.err)
			continue
		}
		lines := strings.SplitAfter(x.in, "\n")
		if offset := len(strings.Join(lines[:x.line-1], "")); syntax.Line != x.line || syntax.Offset != offset {
			t.Errorf("%.40q: line %d, offset %d; want line %d, offset %d", x.in, syntax.Line, syntax.Offset, x.line, offset)
		}
	}
}

func TestErrorText(t *testing.T) {
	check := func(in Input, want string) {
		t.Helper()
		err := Strategies[0].Do(in, func(*Tree) {})
		if err == nil || err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
	}
	check(Input{Data: []byte("a 1\nb")}, "collapsed: line 2 (offset 4): no count: a line is frames, a space and a whole number")
	check(Input{Format: Pprof, Data: []byte{0x08}}, "pprof: offset 1: the message ends inside a field")
}

// parsePlainly is parseCollapsed without a tree, as one would write it without
// regard to memory. Ok is false if the text has an error.
func parsePlainly(data string) (samples []sample, ok bool) {
	sum, limit := new(big.Int), big.NewInt(1<<63-1)
	for _, line := range strings.Split(data, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if line == "" {
			continue
		}
		words := strings.Split(line, " ")
		digits := words[len(words)-1]
		frames := strings.Split(strings.Join(words[:len(words)-1], " "), ";")
		count, valid := new(big.Int).SetString(digits, 10)
		if !valid || strings.Trim(digits, "0123456789") != "" || sum.Add(sum, count).Cmp(limit) > 0 {
			return nil, false
		}
		for _, f := range frames {
			if f == "" {
				return nil, false
			}
		}
		samples = append(samples, sample{frames, []int64{count.Int64()}})
	}
	return samples, true
}

func FuzzCollapsed(f *testing.F) {
	for _, x := range texts {
		f.Add([]byte(x.in))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if strings.Count(string(data), ";") >= defaults.depth {
			return
		}
		samples, ok := parsePlainly(string(data))
		var want []byte
		if ok {
			want = plainTree(samples, 0)
		}
		for _, s := range Strategies {
			called := false
			err := s.Do(Input{Data: data}, func(tree *Tree) {
				called = true
				if err := whole(tree); err != nil {
					t.Fatalf("strategy=%s: %v", s.Name, err)
				}
				if got := tree.AppendCollapsed(nil); string(got) != string(want) {
					t.Fatalf("strategy=%s: tree %q, want %q", s.Name, got, want)
				}
			})
			if (err == nil) != ok || called != ok {
				t.Fatalf("strategy=%s: error %v, tree made: %v; valid: %v", s.Name, err, called, ok)
			}
		}
	})
}
