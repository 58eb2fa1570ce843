package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A file is one of an archive.
type file struct {
	data []byte
	mode fs.FileMode // 0 for 0644
}

// files are those of an archive, by their slash-separated names.
type files map[string]file

func (f files) add(name string, data []byte) { f[name] = file{data: data} }

func (f file) permissions() fs.FileMode {
	if f.mode == 0 {
		return 0o644
	}
	return f.mode
}

// tree adds the regular files below a folder of the sources.
func (f files) tree(root, folder, below string) error {
	return fs.WalkDir(os.DirFS(root), folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		f.add(path.Join(below, strings.TrimPrefix(name, folder)), data)
		return err
	})
}

// tarball packs the files, sorted by name. With folders, every folder has an entry of its own, as dpkg wants it.
func tarball(f files, date time.Time, folders bool) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(z)
	done := map[string]bool{} // folders
	for _, name := range slices.Sorted(maps.Keys(f)) {
		for i := range name {
			dir := name[:i+1]
			if !folders || !strings.HasSuffix(dir, "/") || done[dir] {
				continue
			}
			done[dir] = true
			if err := t.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir, Mode: 0o755, ModTime: date}); err != nil {
				return nil, err
			}
		}
		if err := t.WriteHeader(&tar.Header{Name: name, Mode: int64(f[name].permissions()), Size: int64(len(f[name].data)),
			ModTime: date, Format: tar.FormatPAX}); err != nil {
			return nil, err
		}
		if _, err := t.Write(f[name].data); err != nil {
			return nil, err
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

func zipped(f files, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(f)) {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: date}
		h.SetMode(f[name].permissions())
		w, err := z.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f[name].data); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// legal adds the licences that go with a program.
func (r *releaser) legal(f files, below string, p program) {
	f.add(path.Join(below, "THIRD_PARTY_NOTICES.txt"), p.notices)
	if r.licence != nil {
		f.add(path.Join(below, "LICENSE"), r.licence)
	}
}

// archives writes what is no npm package.
func (r *releaser) archives(programs []program, wants func(kind string) bool) error {
	share, err := r.share(programs)
	if err != nil {
		return err
	}
	for _, p := range programs {
		if wants("archive") && p.system != "js" {
			if err := r.archive(p, share); err != nil {
				return err
			}
		}
		if wants("deb") && p.system == "linux" {
			if err := r.deb(p, share); err != nil {
				return err
			}
		}
	}
	if wants("archive") {
		return r.dockerfile()
	}
	return nil
}

// archive writes the program with its documents, and its bill of materials.
func (r *releaser) archive(p program, share map[string][]byte) error {
	name := fmt.Sprintf("%s_%s_%s_%s", p.name, r.version, p.system, p.processor)
	f := files{path.Join(name, p.file()): {p.data, 0o755}}
	for _, document := range []string{"README.md", "CHANGELOG.md", "config.toml"} {
		data, err := os.ReadFile(filepath.Join(r.root, document))
		if err != nil {
			return err
		}
		f.add(path.Join(name, document), data)
	}
	for _, folder := range []string{"docs", "hugo"} {
		if err := f.tree(r.root, folder, path.Join(name, folder)); err != nil {
			return err
		}
	}
	for file, data := range share {
		f.add(path.Join(name, "share", file), data)
	}
	r.legal(f, name, p)
	ending, data, err := ".tar.gz", []byte(nil), error(nil)
	if p.system == "windows" {
		ending = ".zip"
		data, err = zipped(f, r.date)
	} else {
		data, err = tarball(f, r.date, false)
	}
	if err != nil {
		return err
	}
	bill, err := sbom(p.data, r.version)
	if err != nil {
		return err
	}
	if err := r.write(name+ending, data); err != nil {
		return err
	}
	return r.write(name+".cdx.json", bill)
}

// deb writes a Debian package: https://manpages.debian.org/deb.5
func (r *releaser) deb(p program, share map[string][]byte) error {
	zip := func(data []byte) []byte {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is one
		z.Write(data)                                         // a Buffer takes everything
		z.Close()
		return b.Bytes()
	}
	changes, err := os.ReadFile(filepath.Join(r.root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	f := files{"./usr/bin/metarobots": {p.data, 0o755}}
	f.add("./usr/share/man/man1/metarobots.1.gz", zip(share["metarobots.1"]))
	f.add("./usr/share/bash-completion/completions/metarobots", share["metarobots.bash"])
	f.add("./usr/share/zsh/vendor-completions/_metarobots", share["metarobots.zsh"])
	f.add("./usr/share/fish/vendor_completions.d/metarobots.fish", share["metarobots.fish"])
	f.add("./usr/share/doc/"+p.name+"/changelog.gz", zip(changes))
	f.add("./usr/share/doc/"+p.name+"/copyright", slices.Concat(r.licence, p.notices))
	data, err := tarball(f, r.date, true)
	if err != nil {
		return err
	}
	var control strings.Builder
	// A version of Debian sorts 1.0~x before 1.0:
	// https://www.debian.org/doc/debian-policy/ch-controlfields.html#version
	fmt.Fprintf(&control, "Package: %s\nVersion: %s\nArchitecture: %s\nSection: web\nPriority: optional\n"+
		"Installed-Size: %d\n", p.name, strings.Replace(r.version, "-", "~", 1), p.processor, len(p.data)>>10)
	if r.names["MAINTAINER"] != "" {
		fmt.Fprintf(&control, "Maintainer: %s\n", r.names["MAINTAINER"])
	}
	for _, other := range r.editions() {
		if other.id != p.id {
			fmt.Fprintf(&control, "Conflicts: %s\n", other.name)
		}
	}
	control.WriteString("Description: decides what crawlers may do with each URL of a static site\n" +
		" It writes robots metas into HTML and X-Robots-Tag into the host's headers.\n")
	meta := files{}
	meta.add("./control", []byte(control.String()))
	packed, err := tarball(meta, r.date, false)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString("!<arch>\n") // https://manpages.debian.org/ar.5
	for _, member := range []struct {
		name string
		data []byte
	}{{"debian-binary", []byte("2.0\n")}, {"control.tar.gz", packed}, {"data.tar.gz", data}} {
		fmt.Fprintf(&b, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", member.name, r.date.Unix(), 0, 0, 0o100644, len(member.data))
		b.Write(member.data)
		if len(member.data)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return r.write(fmt.Sprintf("%s_%s_%s.deb", p.name, strings.Replace(r.version, "-", "~", 1), p.processor), b.Bytes())
}

// dockerfile writes how an image is made of the archives beside it.
func (r *releaser) dockerfile() error {
	text, err := os.ReadFile(filepath.Join(r.root, "packaging", "Dockerfile.release"))
	if err != nil {
		return err
	}
	names := strings.NewReplacer("@NAME@", r.names["NPM"], "@VERSION@", r.version)
	return r.write("Dockerfile", []byte(names.Replace(string(text))))
}

// write writes a file of the release.
func (r *releaser) write(name string, data []byte) error {
	file := filepath.Join(r.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s  %.1f MB\n", name, float64(len(data))/1e6)
	r.written = append(r.written, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name))
	return nil
}

// sums writes the checksums, as sha256sum reads them.
func (r *releaser) sums() error {
	slices.Sort(r.written)
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(strings.Join(r.written, "")), 0o644)
}
