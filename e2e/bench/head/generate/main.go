// Generate writes the pages of package corpus to a folder:
//
//	go run ./e2e/bench/head/generate DIR NUMBER
package main

import (
	"fmt"
	"os"
	"strconv"

	"metarobots/e2e/bench/head/corpus"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: generate DIR NUMBER")
		os.Exit(2)
	}
	n, err := strconv.Atoi(os.Args[2])
	if err == nil {
		err = corpus.Write(os.Args[1], n)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
