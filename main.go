package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// A first interrupt ends the run between two pages; a second one ends it at once. Pages are whole either way.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Getenv))
}
