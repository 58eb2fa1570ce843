//go:build unix

// Command hugo compares building a Hugo site with and without a policy: processor time, time on the
// clock, and peak memory of whole programs that run in turn. Figures stand in docs/bench.md.
//
//	go build -o /tmp/metarobots . && go run ./e2e/bench/hugo -pages 5000 -pairs 15 /tmp/metarobots
//	go run ./e2e/bench/hugo -site ~/copy-of-a-site -pairs 7 /tmp/metarobots
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gohugoio/hugo/common/loggers"
	"github.com/gohugoio/hugo/config"
	"github.com/gohugoio/hugo/config/allconfig"
	"github.com/gohugoio/hugo/deps"
	"github.com/gohugoio/hugo/hugofs"
	"github.com/gohugoio/hugo/hugolib"
)

func main() {
	pages := flag.Int("pages", 5000, "how many `pages`")
	pairs := flag.Int("pairs", 15, "how many `pairs` of runs")
	text := flag.Int("text", 10, "how many `paragraphs` a page has, of 800 bytes each")
	deferred := flag.Bool("defer", false, "let each page hold a mark of templates.Defer, for which Hugo writes it twice")
	folder := flag.String("dir", "", "the `folder` to work in (default: a temporary one)")
	site := flag.String("site", "", "measure the site in this `folder`, a copy: what it publishes is removed")
	plain := flag.String("plain", "", "build the site in this `folder` without a policy, and nothing else")
	flag.Parse()
	log.SetFlags(0)
	if *plain != "" {
		check(buildPlain(*plain))
		return
	}
	if flag.NArg() != 1 {
		log.Fatal("name the program to measure: metarobots")
	}
	dir := *site
	if dir == "" {
		var remove func()
		dir, remove = workFolder(*folder)
		defer remove()
		generate(dir, *pages, *text, *deferred)
	}
	dir, err := filepath.Abs(dir) // as Hugo wants the folder of a site
	check(err)
	self, err := os.Executable()
	check(err)
	runs := []struct {
		name string
		args []string
	}{
		{"plain", []string{self, "-plain", dir}},
		{"build", []string{flag.Arg(0), "build", "--quiet", "-s", dir}},
		{"check", []string{flag.Arg(0), "check", "--quiet", "-s", dir}},
	}
	measured := make([][]measure, len(runs))
	for range *pairs {
		for i, r := range runs {
			if r.name != "check" { // each build starts with an empty publish folder
				os.RemoveAll(filepath.Join(dir, "public"))
			}
			measured[i] = append(measured[i], run(r.args))
		}
	}
	for i, r := range runs {
		fmt.Printf("%-6s CPU %s, wall %s, peak %d MB\n", r.name,
			spread(measured[i], func(m measure) float64 { return m.cpu }),
			spread(measured[i], func(m measure) float64 { return m.wall }),
			slices.MaxFunc(measured[i], func(a, b measure) int { return a.peak - b.peak }).peak/1024)
		if i > 0 {
			ratios := make([]measure, *pairs)
			for n := range ratios {
				ratios[n] = measure{cpu: measured[i][n].cpu / measured[0][n].cpu,
					wall: measured[i][n].wall / measured[0][n].wall}
			}
			fmt.Printf("       over plain: CPU %s, wall %s\n", spread(ratios, func(m measure) float64 { return m.cpu }),
				spread(ratios, func(m measure) float64 { return m.wall }))
		}
	}
}

// workFolder is the folder that -dir names or, without it, a temporary one, which remove removes.
func workFolder(named string) (dir string, remove func()) {
	if named != "" {
		return named, func() {}
	}
	dir, err := os.MkdirTemp("", "bench")
	check(err)
	return dir, func() { os.RemoveAll(dir) }
}

// measure is one run: seconds and kilobytes.
type measure struct {
	cpu, wall float64
	peak      int
}

func run(args []string) measure {
	c := exec.Command(args[0], args[1:]...)
	start := time.Now()
	if out, err := c.CombinedOutput(); err != nil {
		log.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	m := measure{cpu: (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(),
		wall: time.Since(start).Seconds()}
	if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		m.peak = int(usage.Maxrss)
	}
	return m
}

// spread prints the median with the quartiles.
func spread(all []measure, of func(measure) float64) string {
	values := make([]float64, len(all))
	for i, m := range all {
		values[i] = of(m)
	}
	slices.Sort(values)
	at := func(share float64) float64 { return values[int(share*float64(len(values)-1))] }
	return fmt.Sprintf("%.3f (%.3f–%.3f)", at(0.5), at(0.25), at(0.75))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// generate writes a site of n pages in 20 sections, with tags and pagers; one page in ten says
// something. Deferred, each page holds a mark that Hugo replaces when all are written.
func generate(dir string, n, text int, deferred bool) {
	write := func(name, data string) {
		file := filepath.Join(dir, name)
		check(os.MkdirAll(filepath.Dir(file), 0o755))
		check(os.WriteFile(file, []byte(data), 0o644))
	}
	head := "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{{ .Title " +
		"}}</title>\n<meta name=\"robots\" content=\"index, follow\">\n<link rel=\"canonical\" href=\"{{ .Permalink " +
		"}}\">\n" +
		"<style>" + strings.Repeat("p { margin: 0 }\n", 200) + "</style>\n</head>\n<body>\n<h1>{{ .Title }}</h1>\n"
	if deferred {
		write("layouts/_partials/styles.html", "<style>p { margin: 0 }</style>")
		head += `{{ with (templates.Defer (dict "key" "styles")) }}{{ partial "styles.html" . }}{{ end }}` + "\n"
	}
	list := head + "{{ range (.Paginate .Pages 20).Pages }}<p><a href=\"{{ .RelPermalink }}\">{{ .Title " +
		"}}</a></p>\n{{ end }}</body>\n</html>\n"
	write("hugo.toml", "baseURL = \"https://example.org/\"\ntitle = \"Bench\"\n")
	for _, kind := range []string{"home", "section", "taxonomy", "term"} {
		write("layouts/"+kind+".html", list)
	}
	write("layouts/page.html", head+"{{ .Content }}</body>\n</html>\n")
	write("metarobots.toml", "[robots.visibility]\nkinds = { taxonomy = false }\narchives = { paginated = false "+
		"}\n[[robots.rules]]\nmatch = [\"/s1/**\"]\nrobots = \"noindex\"\n[robots.headers]\nscope = \"files\"\n")
	paragraph := strings.Repeat("Some words of a page that somebody wrote and nobody reads here. ", 12) + "\n\n"
	for i := range n {
		says := ""
		if i%10 == 0 {
			says = "robots: noarchive\n"
		}
		write(fmt.Sprintf("content/s%d/p%d.md", i%20, i),
			fmt.Sprintf("---\ntitle: Page %d\ntags: [t%d]\n%s---\n\n%s", i, i%50, says, strings.Repeat(paragraph, text)))
	}
}

// buildPlain builds the site as the hugo command does, in process.
func buildPlain(dir string) error {
	flags := config.New()
	flags.Set("workingDir", dir)
	flags.Set("internal", map[string]any{"running": false, "watch": false})
	logger := loggers.NewDefault()
	configs, err := allconfig.LoadConfig(allconfig.ConfigSourceDescriptor{Flags: flags, Fs: hugofs.Os, Logger: logger,
		ConfigDir: "config", Environment: "production", Environ: os.Environ()})
	if err != nil {
		return err
	}
	for _, key := range []string{"publishDir", "publishDirStatic", "publishDirDynamic"} {
		flags.Set(key, configs.Base.PublishDir)
	}
	fs := hugofs.NewFromSourceAndDestination(hugofs.Os, hugofs.Os, flags)
	h, err := hugolib.NewHugoSites(deps.DepsCfg{Configs: configs, Fs: fs, StdOut: os.Stdout, StdErr: os.Stderr,
		LogLevel: logger.Level()})
	if err != nil {
		return err
	}
	defer h.Close()
	return h.Build(hugolib.BuildCfg{})
}
