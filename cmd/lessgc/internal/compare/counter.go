package compare

import "lessgc/cmd/lessgc/internal/trial"

// noCounter returns why instructions cannot be counted here; "" if they can.
func noCounter() string {
	counter, err := trial.OpenCounter()
	if err != nil {
		return err.Error()
	}
	counter.Close()
	return ""
}
