package trial

import (
	"fmt"
	"strings"
)

// Crashed reports whether the process ended in the middle of its work: by a
// signal, a panic, a fatal error of the runtime, or os.Exit with a status of
// its own. A test binary whose benchmark called b.Fatal ends with status 1 and
// has done the rest.
func (o Outcome) Crashed() bool {
	return o.Signal != "" || o.ExitCode > 1 || o.ExitCode == 1 && !strings.Contains(string(o.Stdout), "\nFAIL")
}

// Reason is one line on why the process failed.
func (o Outcome) Reason() string { return o.reason(Short(lastLine(string(o.Stderr)))) }

// LongReason is Reason with more of the output of a process that ended by itself.
func (o Outcome) LongReason() string { return o.reason(o.Printed()) }

func (o Outcome) reason(printed string) string {
	if o.Signal != "" {
		return "it was killed by a signal: " + o.Signal
	}
	for line := range strings.Lines(string(o.Stderr)) {
		if isFatal(line) {
			return Short(strings.TrimSpace(line))
		}
	}
	if printed != "" {
		return fmt.Sprintf("exit status %d: %s", o.ExitCode, printed)
	}
	return fmt.Sprintf("exit status %d", o.ExitCode)
}

// Printed returns the process's standard error, or its standard output if that is empty:
// its first line, which names a wrong flag, and its last two, in one line.
func (o Outcome) Printed() string {
	text := strings.TrimSpace(string(o.Stderr))
	if text == "" {
		text = strings.TrimSpace(string(o.Stdout))
	}
	lines := strings.Split(text, "\n")
	if n := len(lines); n > 3 {
		lines = []string{lines[0], "...", lines[n-2], lines[n-1]}
	}
	for i, line := range lines {
		lines[i] = Short(strings.TrimSpace(line))
	}
	return strings.Join(lines, " | ")
}

// Short cuts a line that a program has printed to what fits a message.
func Short(line string) string {
	const most = 300
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "..."
}

// Detail returns the output of the process when it failed, for a reader who
// wants more than one line: from the panic on, or the end of its output.
func (o Outcome) Detail() string {
	const most = 4 << 10
	text := string(o.Stderr)
	if strings.TrimSpace(text) == "" {
		text = string(o.Stdout)
	}
	at := 0
	for line := range strings.Lines(text) {
		if isFatal(line) {
			text = text[at:]
			return text[:min(len(text), most)]
		}
		at += len(line)
	}
	return text[max(0, len(text)-most):]
}

// isFatal reports whether the runtime prints the line when a program dies.
func isFatal(line string) bool {
	for _, mark := range []string{"panic: ", "fatal error: ", "runtime: "} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
