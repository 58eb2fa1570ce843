package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// allProofs says that laws run over all their cases, and that runs of the program are processes of
// their own.
var allProofs = os.Getenv("PROOFS") == "all"

var update = flag.Bool("update", false, "rewrite what the scripts of testdata/script compare with")

// module is the module's folder, where site-example, config.toml and the README are; the tests run
// there.
const module = "../.."

// inModule runs the tests in the module's folder.
type inModule struct{ *testing.M }

func (m inModule) Run() int {
	debug.SetGCPercent(tables.Lazy)
	var err error
	if reference, err = os.ReadFile("config.toml"); err != nil { // else a fuzz test has begun this process, from there
		if err = os.Chdir(module); err == nil {
			reference, err = os.ReadFile("config.toml")
		}
	}
	if err != nil {
		panic(err)
	}
	return m.M.Run()
}

// asProcess is the name under which the test binary is the program, in a process of its own.
const asProcess = "metarobots-process"

// hugoIsIn says that Hugo is compiled in. Without it, scripts and tests of its sites are left out.
var hugoIsIn = !strings.HasPrefix(compiledIn, "without")

func needsHugo(t *testing.T) {
	if !hugoIsIn {
		t.Skip("built without Hugo")
	}
}

// TestMain is the program too, for the scripts: they name the module's folder in a variable.
func TestMain(m *testing.M) {
	testscript.Main(inModule{m}, map[string]func(){asProcess: func() {
		text, err := os.ReadFile(filepath.Join(os.Getenv("MODULE"), "config.toml"))
		if err != nil {
			panic(err)
		}
		os.Exit(Main(text))
	}})
}

// TestScripts runs the promises of testdata/script, each a file named by what it promises. The
// surroundings are empty but for a home and a cache in the work folder.
func TestScripts(t *testing.T) {
	here := tables.Value(filepath.Abs("."))(t) // runs of the program go elsewhere
	scripts, err := filepath.Glob(filepath.Join(here, "internal", "cli", "testdata", "script", "*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts", err)
	}
	if !hugoIsIn {
		scripts = slices.DeleteFunc(scripts, func(file string) bool {
			text, _ := os.ReadFile(file)
			return bytes.Contains(bytes.ToLower(text), []byte("hugo"))
		})
	}
	testscript.Run(t, testscript.Params{
		Files:         scripts,
		UpdateScripts: *update,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, ".home")
			e.Setenv("MODULE", here)
			e.Setenv("HOME", home)
			e.Setenv("GOGC", strconv.Itoa(tables.Lazy)) // the program leaves the tests' collector as it is
			e.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
			return os.MkdirAll(home, 0o755)
		},
		Condition: func(name string) (bool, error) {
			if name == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"metarobots": metarobots,
			"exits":      exits,
			"age":        age,
			"aged":       aged,
			"files":      files,
			"serve":      serve,
			"expand":     expand,
			"recipe":     recipe(here),
			"line":       line,
			"purposes":   purposes,
		},
	})
}

// metarobots runs the program, which must succeed, or with ! must fail:
//
//	[!] metarobots [ARG …]
func metarobots(ts *testscript.TestScript, neg bool, args []string) {
	if code := program(ts, args); (code != 0) != neg {
		ts.Fatalf("exit code %d", code)
	}
}

// exits runs the program, which must end with a code:
//
//	exits CODE metarobots [ARG …]
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] != "metarobots" {
		ts.Fatalf("usage: exits CODE metarobots [ARG …]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if code := program(ts, args[2:]); code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// oneRun is held by a run of the program within the tests: it has the process's folder and
// variables.
var oneRun sync.Mutex

// program runs the program in a script's folder, with its variables, and returns its exit code. It
// runs within the tests: preparing itself costs a process more than most runs cost. With
// PROOFS=all, each run is a process of its own.
func program(ts *testscript.TestScript, args []string) (code int) {
	if allProofs {
		err := ts.Exec(asProcess, args...)
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		if exit != nil {
			return exit.ExitCode()
		}
		return 0
	}
	ts.Check(ts.Exec("env", "-0")) // the only way to all variables of a script
	variables := strings.Split(strings.TrimSuffix(ts.ReadFile("stdout"), "\x00"), "\x00")

	oneRun.Lock()
	defer oneRun.Unlock()
	defer setEnviron(os.Environ())
	setEnviron(variables)
	back, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer func() { ts.Check(os.Chdir(back)) }()
	return run(context.Background(), args, ts.Stdout(), ts.Stderr(), os.Getenv)
}

// setEnviron makes the process's variables those given, as os.Environ gives them. Other scripts
// look for programs meanwhile, so there is a PATH at any time.
func setEnviron(variables []string) {
	others := os.Environ()
	for _, v := range variables {
		name, value, _ := strings.Cut(v, "=")
		os.Setenv(name, value)
		others = slices.DeleteFunc(others, func(other string) bool { return strings.HasPrefix(other, name+"=") })
	}
	for _, other := range others {
		name, _, _ := strings.Cut(other, "=")
		os.Unsetenv(name)
	}
}

// lastRead are the files that age has looked at, by their names, as they were then.
var lastRead sync.Map

// age remembers every file of the named folders as it is:
//
//	age FOLDER …
func age(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: age FOLDER …")
	}
	for _, arg := range args {
		ts.Check(filepath.WalkDir(ts.MkAbs(arg), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			info, err := entry.Info()
			lastRead.Store(file, info)
			return err
		}))
	}
}

// aged checks that nothing has written to the named files, or to any file of the named folders,
// since age; with ! that each of the named files has been written:
//
//	[!] aged FILE-OR-FOLDER …
func aged(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 {
		ts.Fatalf("usage: [!] aged FILE-OR-FOLDER …")
	}
	for _, arg := range args {
		ts.Check(filepath.WalkDir(ts.MkAbs(arg), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			before, ok := lastRead.Load(file)
			same := ok && os.SameFile(before.(fs.FileInfo), info) && before.(fs.FileInfo).ModTime().Equal(info.ModTime())
			if same == neg {
				err = fmt.Errorf("%s: written is %v", file, !same)
			}
			return err
		}))
	}
}

// files makes many files of the same lines; %d in the name is the number of the file:
//
//	files COUNT NAME LINE...
func files(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: files COUNT NAME LINE...")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	for i := range n {
		name := ts.MkAbs(fmt.Sprintf(args[1], i))
		ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
		ts.Check(os.WriteFile(name, []byte(strings.Join(args[2:], "\n")+"\n"), 0o644))
	}
}

// recipe appends a recipe of docs/owner.md to a file: the first block of TOML below a heading.
//
//	recipe HEADING FILE
func recipe(module string) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		text, err := os.ReadFile(filepath.Join(module, "docs", "owner.md"))
		ts.Check(err)
		_, section, ok := strings.Cut(string(text), "\n### "+args[0]+"\n")
		_, block, fenced := strings.Cut(section, "\n```toml\n")
		block, _, closed := strings.Cut(block, "```\n")
		if neg || !ok || !fenced || !closed || strings.Count(block, "\n") > 10 {
			ts.Fatalf("docs/owner.md has no recipe of at most ten lines below %q", args[0])
		}
		ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(ts.ReadFile(args[1])+block), 0o644))
	}
}

// line sets a variable to the number of the line where a pattern begins to match, or its first
// group. What the program writes may have other lines tomorrow, and a script that counts them would
// be about those:
//
//	line VARIABLE FILE PATTERN
func line(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: line VARIABLE FILE PATTERN")
	}
	text := ts.ReadFile(args[1])
	at := regexp.MustCompile("(?m)" + args[2]).FindStringSubmatchIndex(text)
	if at == nil {
		ts.Fatalf("%s has no line of %s", args[1], args[2])
	}
	start := at[0]
	if len(at) > 2 {
		start = at[2]
	}
	ts.Setenv(args[0], strconv.Itoa(1+strings.Count(text[:start], "\n")))
}

// purposes copies a robots.txt in which one line stands for all crawlers of a purpose, so that a
// new crawler changes no script. Where one of them is missing, or another one is among them, the
// names stay:
//
//	purposes FROM TO
func purposes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: purposes FROM TO")
	}
	text := ts.ReadFile(args[0])
	for _, purpose := range policy.Purposes {
		var names string
		for _, c := range policy.AllCrawlers() {
			if c.Purpose == purpose {
				names += "User-agent: " + c.Token + "\n"
			}
		}
		text = strings.ReplaceAll(text, names, "User-agent: all of "+string(purpose)+"\n")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o644))
}
