package main

import (
	_ "embed"
	"os"

	"metarobots/internal/cli"
)

//go:embed config.toml
var reference []byte

func main() { os.Exit(cli.Main(reference)) }
