package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// pack packs the files below a folder, in the order of their names, with the time of SOURCE_DATE_EPOCH.
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
	if strings.HasSuffix(file, ".zip") {
		err = zipped(out, folder, date)
	} else {
		err = tarball(out, folder, date)
	}
	if err != nil {
		return err
	}
	return out.Close()
}

func tarball(w io.Writer, folder string, date time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	err = each(folder, func(name string, mode fs.FileMode, data []byte) error {
		err := t.WriteHeader(&tar.Header{Name: name, Mode: int64(mode), Size: int64(len(data)), ModTime: date,
			Format: tar.FormatPAX})
		if err != nil {
			return err
		}
		_, err = t.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

func zipped(w io.Writer, folder string, date time.Time) error {
	z := zip.NewWriter(w)
	err := each(folder, func(name string, mode fs.FileMode, data []byte) error {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: date}
		h.SetMode(mode)
		w, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	return z.Close()
}

// each adds the files below a folder under the folder's own name. Programs and scripts are the ones that may be run,
// whatever the checkout says.
func each(folder string, add func(name string, mode fs.FileMode, data []byte) error) error {
	return fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if base := path.Base(name); base == "metarobots" || base == "metarobots.exe" || bytes.HasPrefix(data, []byte("#!")) {
			mode = 0o755
		}
		return add(path.Join(filepath.Base(folder), name), mode, data)
	})
}
