package compare

import (
	"fmt"
	"time"
)

// count writes a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// about formats a duration as a person would say it.
func about(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%ds", max(1, int(d.Seconds()+0.5)))
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Round(5*time.Second).Seconds()))
	case d < time.Hour:
		d = d.Round(5 * time.Second)
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}
