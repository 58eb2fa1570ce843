// Package lazyregexp has regular expressions that are compiled when they are first used. The
// program has some hundred and a run needs few of them: to compile all would take a third of the
// processor time of a short run.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// A Regexp is a [regexp.Regexp] that is compiled when one of its methods is first called. It has
// those methods that the program uses, each with the meaning that it has there, and is safe for
// concurrent use.
type Regexp struct {
	compiled func() *regexp.Regexp // compiles at the first call
}

// New returns a regular expression. A wrong one panics at its first use; in tests it panics here,
// so that a test of the package that has it finds it.
func New(expression string) *Regexp {
	r := &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
	if isTest := strings.HasSuffix(os.Args[0], ".test"); isTest {
		r.compiled()
	}
	return r
}

func (r *Regexp) Find(b []byte) []byte {
	return r.compiled().Find(b)
}

func (r *Regexp) FindAll(b []byte, n int) [][]byte {
	return r.compiled().FindAll(b, n)
}

func (r *Regexp) FindAllIndex(b []byte, n int) [][]int {
	return r.compiled().FindAllIndex(b, n)
}

func (r *Regexp) FindAllString(s string, n int) []string {
	return r.compiled().FindAllString(s, n)
}

func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringIndex(s, n)
}

func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, n)
}

func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringSubmatchIndex(s, n)
}

func (r *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte {
	return r.compiled().FindAllSubmatch(b, n)
}

func (r *Regexp) FindStringSubmatch(s string) []string {
	return r.compiled().FindStringSubmatch(s)
}

func (r *Regexp) FindSubmatch(b []byte) [][]byte {
	return r.compiled().FindSubmatch(b)
}

func (r *Regexp) FindSubmatchIndex(b []byte) []int {
	return r.compiled().FindSubmatchIndex(b)
}

func (r *Regexp) Match(b []byte) bool {
	return r.compiled().Match(b)
}

func (r *Regexp) MatchString(s string) bool {
	return r.compiled().MatchString(s)
}

func (r *Regexp) ReplaceAllString(src, repl string) string {
	return r.compiled().ReplaceAllString(src, repl)
}

func (r *Regexp) ReplaceAllStringFunc(src string, repl func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(src, repl)
}

func (r *Regexp) FindString(s string) string { return r.compiled().FindString(s) }

func (r *Regexp) FindStringIndex(s string) []int { return r.compiled().FindStringIndex(s) }

func (r *Regexp) ReplaceAll(src, repl []byte) []byte { return r.compiled().ReplaceAll(src, repl) }

func (r *Regexp) Split(s string, n int) []string { return r.compiled().Split(s, n) }
