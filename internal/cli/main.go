package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// reference is the reference configuration, config.toml, whose comments describe the keys.
var reference []byte

// Main runs the command with the process's arguments and streams, and returns its exit code. The text of config.toml
// comes from package main, the only one whose folder holds that file.
func Main(configTOML []byte) int {
	reference = configTOML
	// A first interrupt ends the run between two pages; a second one ends it at once. Pages are whole either way.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Getenv)
}
