// Releaser does for packaging/release what no kept tool does:
//
//	releaser notices TAGS          prints the licences of what a program is compiled of, for GOOS and GOARCH
//	releaser fill FILE COMMON…     prints a template with the variables of the environment in it
//	releaser pack FOLDER FILE      packs a folder as .tar.gz, .tgz or .zip: equal files give equal bytes
//	releaser tidy FOLDER VERSION MADE
//	                               removes from a release's folder what was made there for versions
//	                               other than VERSION, of packages whose files the file MADE lists
//
// Any error, also one in how it is called, is exit status 3.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

func main() {
	var err error
	switch args := os.Args[1:]; {
	case len(args) == 2 && args[0] == "notices":
		err = notices(os.Stdout, args[1])
	case len(args) >= 2 && args[0] == "fill":
		err = fill(os.Stdout, args[1:])
	case len(args) == 3 && args[0] == "pack":
		err = pack(args[1], args[2])
	case len(args) == 4 && args[0] == "tidy":
		err = tidy(os.Stdout, args[1], args[2], args[3])
	default:
		err = fmt.Errorf("usage: releaser notices TAGS, fill FILE COMMON…, pack FOLDER FILE or "+
			"tidy FOLDER VERSION MADE, not %q", args)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(3)
	}
}

// fill executes the first file as a template, which may use the others by their names. A variable
// that is not set is an error.
func fill(w io.Writer, files []string) error {
	variables := map[string]string{}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		variables[name] = value
	}
	functions := template.FuncMap{"fields": strings.Fields}
	t := template.New(filepath.Base(files[0])).Option("missingkey=error").Funcs(functions)
	if _, err := t.ParseFiles(files...); err != nil {
		return err
	}
	return t.Execute(w, variables)
}
