package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"lessgc/cmd/lessgc/internal/offline"
	"lessgc/cmd/lessgc/internal/trial"
	"lessgc/cmd/lessgc/internal/vetrun"
)

func main() {
	trial.Helper()
	offline.Helper()
	vetrun.Tool()
	os.Exit(interruptible())
}

// interruptible runs the command until it ends or a signal asks it to. A
// second signal ends it at once.
func interruptible() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop)
	return run(ctx, os.Stdout, os.Stderr, os.Args[1:])
}
