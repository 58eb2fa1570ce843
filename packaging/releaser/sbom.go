package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"runtime/debug"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// sbom is the bill of materials of a Go program, in the form of CycloneDX 1.6: every module that is compiled in, with
// its version and checksum, as the program itself names them. It says nothing else, so that equal programs give equal
// bytes.
func sbom(program []byte, version string) ([]byte, error) {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return nil, err
	}
	info.Main.Version = version
	bom, err := bill(info, sha256.Sum256(program))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = cdx.NewBOMEncoder(&b, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6)
	return b.Bytes(), err
}

// bill names the program with its checksum, Go's library and the modules.
func bill(info *debug.BuildInfo, sum [sha256.Size]byte) (*cdx.BOM, error) {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	main := cdx.Component{
		Type:    cdx.ComponentTypeApplication,
		BOMRef:  purl(info.Main.Path, info.Main.Version),
		Name:    info.Main.Path,
		Version: info.Main.Version,
		Hashes:  &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}},
	}
	properties := []cdx.Property{}
	for _, key := range []string{"GOOS", "GOARCH", "CGO_ENABLED", "-tags", "vcs.revision", "vcs.time"} {
		if settings[key] != "" {
			properties = append(properties, cdx.Property{Name: "go:" + key, Value: settings[key]})
		}
	}
	main.Properties = &properties
	components := []cdx.Component{{Type: cdx.ComponentTypeLibrary, BOMRef: purl("std", info.GoVersion), Name: "std",
		Version: info.GoVersion, PackageURL: purl("std", strings.TrimPrefix(info.GoVersion, "go"))}}
	refs := []string{components[0].BOMRef}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := cdx.Component{Type: cdx.ComponentTypeLibrary, BOMRef: purl(m.Path, m.Version), Name: m.Path,
			Version: m.Version, PackageURL: purl(m.Path, m.Version)}
		// go.sum's h1: the SHA-256 of the list of the module's files, https://go.dev/ref/mod#go-sum-files
		if m.Sum != "" {
			raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:"))
			if err != nil || len(raw) != sha256.Size {
				return nil, fmt.Errorf("module %s has the checksum %q", m.Path, m.Sum)
			}
			c.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(raw)}}
		}
		components, refs = append(components, c), append(refs, c.BOMRef)
	}
	bom := cdx.NewBOM()
	// A serial number that the program decides, in the form of a UUID of version 8 (RFC 9562, 5.8).
	id := sum
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	bom.SerialNumber = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:16])
	bom.Metadata = &cdx.Metadata{Component: &main}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: main.BOMRef, Dependencies: &refs}}
	return bom, nil
}

// purl is a package URL: https://github.com/package-url/purl-spec/blob/main/types-doc/golang-definition.md
func purl(path, version string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return "pkg:golang/" + strings.Join(segments, "/") + "@" + url.PathEscape(cmp.Or(version, "(devel)"))
}
