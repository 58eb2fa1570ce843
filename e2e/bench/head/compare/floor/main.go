// Floor does what no program that edits every page of a folder can do without.
//
//	floor lstat DIR WORKERS     walks the folders and lstats every file
//	floor read DIR WORKERS      reads every page
//	floor rewrite DIR WORKERS   reads every page and writes it again, by a temporary file and a rename, as one does in Go
//	floor raw DIR WORKERS       the same by direct system calls, with nothing that is not needed
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: floor lstat|read|rewrite|raw DIR WORKERS")
		os.Exit(2)
	}
	workers, err := strconv.Atoi(os.Args[3])
	check(err)
	do, ok := map[string]func(w *worker, dir string, page os.DirEntry){"lstat": lstat, "read": read, "rewrite": rewrite,
		"raw": raw}[os.Args[1]]
	if !ok {
		check(fmt.Errorf("no mode %q", os.Args[1]))
	}
	walk(os.Args[2], workers, do)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A worker keeps its buffer.
type worker struct{ buf []byte }

// walk hands the folders below dir to workers, which do their files.
func walk(dir string, workers int, do func(w *worker, dir string, file os.DirEntry)) {
	var wg sync.WaitGroup
	var pending sync.WaitGroup
	folders := make(chan string, 1<<20)
	pending.Add(1)
	folders <- dir
	for range workers {
		wg.Go(func() {
			var w worker
			for dir := range folders {
				entries, err := os.ReadDir(dir)
				check(err)
				for _, e := range entries {
					if e.IsDir() {
						pending.Add(1)
						folders <- filepath.Join(dir, e.Name())
					} else if strings.HasSuffix(e.Name(), ".html") {
						do(&w, dir, e)
					}
				}
				pending.Done()
			}
		})
	}
	pending.Wait()
	close(folders)
	wg.Wait()
}

func lstat(_ *worker, _ string, file os.DirEntry) {
	_, err := file.Info()
	check(err)
}

func rewrite(_ *worker, dir string, page os.DirEntry) {
	name := filepath.Join(dir, page.Name())
	info, err := os.Stat(name)
	check(err)
	data, err := os.ReadFile(name)
	check(err)
	f, err := os.CreateTemp(dir, ".floor*")
	check(err)
	_, err = f.Write(data)
	check(err)
	check(f.Chmod(info.Mode()))
	check(f.Close())
	check(os.Rename(f.Name(), name))
}

func read(w *worker, dir string, page os.DirEntry) { w.read(filepath.Join(dir, page.Name())) }

// read returns the bytes of a file, which last until the next call.
func (w *worker) read(name string) []byte {
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	check(err)
	defer syscall.Close(fd)
	if w.buf == nil {
		w.buf = make([]byte, 1<<20)
	}
	size := 0
	for {
		n, err := syscall.Read(fd, w.buf[size:])
		check(err)
		if n == 0 {
			return w.buf[:size]
		}
		size += n
	}
}

func raw(w *worker, dir string, page os.DirEntry) {
	name := filepath.Join(dir, page.Name())
	data := w.read(name)
	temp := filepath.Join(dir, "."+page.Name()+".tmp")
	fd, err := syscall.Open(temp, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_EXCL|syscall.O_CLOEXEC, 0o644)
	check(err)
	_, err = syscall.Write(fd, data)
	check(err)
	syscall.Close(fd)
	check(syscall.Rename(temp, name))
}
