package trial

import "os"

func peakRSS(*os.ProcessState) int64 { return 0 }

func ownPeakRSS() int64 { return 0 }

func killedBy(*os.ProcessState) string { return "" }

func closeOnExec(...int) {}
