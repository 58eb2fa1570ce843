package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// pack packs the files below a folder, in the order of their names, with the time of
// SOURCE_DATE_EPOCH.
func pack(folder, file string) (err error) {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return err
	}
	date := time.Unix(seconds, 0).UTC()
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	archive := tarball
	if strings.HasSuffix(file, ".zip") {
		archive = zipped
	}
	add, end, err := archive(out, date)
	if err != nil {
		return err
	}
	if err = each(folder, add); err == nil {
		err = errors.Join(end(), out.Close())
	}
	return err
}

// An adder adds a file to an archive.
type adder func(name string, mode fs.FileMode, data []byte) error

// tarball is compressed by gzip -9n, which release needs for Debian's packages too: it makes
// programs a fiftieth smaller than Go's own encoder does, and equal bytes of equal ones, without a
// name or a time.
func tarball(w io.Writer, date time.Time) (add adder, end func() error, err error) {
	command := exec.Command("gzip", "-9n")
	command.Stdout, command.Stderr = w, os.Stderr
	z, err := command.StdinPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		return nil, nil, err
	}
	t := tar.NewWriter(z)
	add = func(name string, mode fs.FileMode, data []byte) error {
		err := t.WriteHeader(&tar.Header{Name: name, Mode: int64(mode), Size: int64(len(data)), ModTime: date,
			Format: tar.FormatPAX})
		if err == nil {
			_, err = t.Write(data)
		}
		return err
	}
	return add, func() error { return errors.Join(t.Close(), z.Close(), command.Wait()) }, nil
}

func zipped(w io.Writer, date time.Time) (add adder, end func() error, err error) {
	z := zip.NewWriter(w)
	add = func(name string, mode fs.FileMode, data []byte) error {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: date}
		h.SetMode(mode)
		file, err := z.CreateHeader(h)
		if err == nil {
			_, err = file.Write(data)
		}
		return err
	}
	return add, z.Close, nil
}

// each adds the files below a folder under the folder's own name. Programs and scripts are the ones
// that may be run, whatever the checkout says.
func each(folder string, add adder) error {
	return fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		base := path.Base(name)
		isProgram := base == "metarobots" || base == "metarobots.exe"
		if isScript := bytes.HasPrefix(data, []byte("#!")); isProgram || isScript {
			mode = 0o755
		}
		return add(path.Join(filepath.Base(folder), name), mode, data)
	})
}
