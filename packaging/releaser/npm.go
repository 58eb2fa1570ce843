package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// nodeNames are Go's names of systems and processors as Node has them:
// https://nodejs.org/api/process.html#processplatform
var nodeNames = map[string]string{"windows": "win32", "amd64": "x64"}

func nodeName(name string) string {
	if n := nodeNames[name]; n != "" {
		return n
	}
	return name
}

// platformPackage is the name of the package that holds p.
func (p program) platformPackage() string {
	return fmt.Sprintf("%s-%s-%s", p.name, nodeName(p.system), nodeName(p.processor))
}

// npm writes the packages: for each edition the one that people install, which holds a launcher, and one for each
// platform with its program, which npm chooses by os and cpu; the program in WebAssembly; and Netlify's plugin.
// https://docs.npmjs.com/cli/configuring-npm/package-json
func (r *releaser) npm(programs []program) error {
	for _, p := range programs {
		var err error
		if p.system == "js" {
			err = r.wasmPackage(p)
		} else {
			err = r.platform(p)
		}
		if err != nil {
			return err
		}
	}
	for _, e := range r.editions() {
		if !slices.ContainsFunc(programs, func(p program) bool { return p.id == e.id }) {
			continue
		}
		if err := r.launcher(e); err != nil {
			return err
		}
		if e.id == "hugo" {
			if err := r.netlify(); err != nil {
				return err
			}
		}
	}
	return nil
}

// manifest is a package.json, with what all have in common.
func (r *releaser) manifest(name, description string, more map[string]any) map[string]any {
	m := map[string]any{"name": name, "version": r.version, "description": description, "license": "UNLICENSED",
		"keywords": []string{"robots", "noindex", "x-robots-tag", "seo", "static-site"}}
	if r.licence != nil {
		m["license"] = "SEE LICENSE IN LICENSE"
	}
	if url := r.names["REPOSITORY"]; url != "" {
		m["repository"] = map[string]string{"type": "git", "url": "git+" + url + ".git"}
	}
	for key, value := range more {
		m[key] = value
	}
	return m
}

// platform writes the package of a program. Yarn's Plug'n'Play keeps packages in archives, from which nothing can be
// started, unless preferUnplugged: https://yarnpkg.com/configuration/manifest#preferUnplugged
func (r *releaser) platform(p program) error {
	f := files{"bin/" + p.file(): {p.data, 0o755}}
	r.legal(f, "", p)
	return r.pack(f, r.manifest(p.platformPackage(), "metarobots for "+p.String()+"; install "+p.name, map[string]any{
		"os": []string{nodeName(p.system)}, "cpu": []string{nodeName(p.processor)}, "preferUnplugged": true,
		"program": map[string]any{"file": "bin/" + p.file(), "size": len(p.data)}}))
}

// launcher writes the package of an edition that people install.
func (r *releaser) launcher(e edition) error {
	f := files{}
	if err := r.take(f, map[string]string{"packaging/npm/metarobots.js": "metarobots.js",
		"packaging/npm/README.md": "README.md", "packaging/cloudflare/build.sh": "cloudflare.sh"}); err != nil {
		return err
	}
	if err := f.tree(r.root, "hugo", "hugo"); err != nil {
		return err
	}
	programs := map[string]string{}
	for _, t := range targets {
		if t.system != "js" {
			programs[program{edition: e, target: t}.platformPackage()] = r.version
		}
	}
	more := map[string]any{"main": "metarobots.js", "engines": map[string]string{"node": ">=18"},
		"bin": map[string]string{e.name: "metarobots.js", "metarobots": "metarobots.js"}, "optionalDependencies": programs}
	if wasm := r.names["NPM_WASM"]; e.id == "lean" {
		more["peerDependencies"] = map[string]string{wasm: r.version}
		more["peerDependenciesMeta"] = map[string]any{wasm: map[string]bool{"optional": true}}
	}
	return r.pack(f, r.manifest(e.name, "Decides what crawlers may do with each URL of a static site", more))
}

// wasmPackage writes the program for systems without a package, and Go's loader for it.
func (r *releaser) wasmPackage(p program) error {
	f := files{p.file(): {data: p.data}}
	if err := r.take(f, map[string]string{"packaging/npm/wasm.js": "metarobots.js"}); err != nil {
		return err
	}
	goroot, err := r.run(nil, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	for _, name := range []string{"wasm_exec.js", "wasm_exec_node.js"} {
		data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", name))
		if err != nil {
			return err
		}
		f.add(name, data)
	}
	r.legal(f, "", p)
	return r.pack(f, r.manifest(r.names["NPM_WASM"],
		"metarobots in WebAssembly, for systems that have no program of their own",
		map[string]any{"bin": map[string]string{r.names["NPM_WASM"]: "metarobots.js"},
			"engines": map[string]string{"node": ">=20"}}))
}

// netlify writes the plugin for Netlify, which takes the program from the package with Hugo: it does any site.
func (r *releaser) netlify() error {
	f := files{}
	if err := r.take(f, map[string]string{"packaging/netlify/index.js": "index.js",
		"packaging/netlify/manifest.yml": "manifest.yml"}); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(r.root, "packaging", "netlify", "package.json"))
	if err != nil {
		return err
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	delete(m, "private")
	m["dependencies"] = map[string]string{r.names["NPM_HUGO"]: r.version}
	more := r.manifest(r.names["NPM_NETLIFY"], m["description"].(string), nil)
	for key, value := range more {
		m[key] = value
	}
	return r.pack(f, m)
}

// take adds files of the sources under new names.
func (r *releaser) take(f files, names map[string]string) error {
	for from, to := range names {
		data, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(from)))
		if err != nil {
			return err
		}
		mode := os.FileMode(0)
		if strings.HasPrefix(string(data), "#!") {
			mode = 0o755
		}
		f[to] = file{data, mode}
	}
	return nil
}

// pack writes a package as npm pack would: its files stand below package/.
func (r *releaser) pack(f files, manifest map[string]any) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // >=18 stays readable
	e.SetIndent("", "  ")
	if err := e.Encode(manifest); err != nil {
		return err
	}
	f.add("package.json", text.Bytes())
	if r.licence != nil {
		f.add("LICENSE", r.licence)
	}
	below := files{}
	for name, file := range f {
		below["package/"+name] = file
	}
	packed, err := tarball(below, r.date, false)
	if err != nil {
		return err
	}
	name := strings.NewReplacer("@", "", "/", "-").Replace(manifest["name"].(string))
	return r.write(fmt.Sprintf("npm/%s-%s.tgz", name, r.version), packed)
}
