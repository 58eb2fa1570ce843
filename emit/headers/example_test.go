package headers_test

import (
	"fmt"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
)

// The example of the package comment: five files, two rules.
func ExampleCompile() {
	want := func(path string, values ...string) robotstag.Want {
		return robotstag.Want{Path: path, URL: "/" + path, Values: values}
	}
	wants := []robotstag.Want{
		want("docs/a.pdf", "noindex"), want("docs/b.pdf", "noindex"), want("docs/c.txt"),
		want("img/d.pdf", "noindex"), want("img/x.PDF", "noindex, nofollow"),
	}
	demands := []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: wants}}
	res, _ := headers.Compile(nil, demands, robotstag.Task{Target: headers.TargetPortable})
	fmt.Printf("%d rules:\n%s", res.Rules, res.File)

	wants[4].Values = nil
	res, _ = headers.Compile(nil, demands, robotstag.Task{Target: headers.TargetPortable})
	fmt.Printf("\nif x.PDF wants no header, %d rules:\n%s", res.Rules, res.File)
	// Output:
	// 2 rules:
	// # metarobots: begin (made by metarobots; edits here are lost)
	// /*.pdf
	//   X-Robots-Tag: noindex
	// /img/x.PDF
	//   ! X-Robots-Tag
	//   X-Robots-Tag: noindex, nofollow
	// # metarobots: end
	//
	// if x.PDF wants no header, 2 rules:
	// # metarobots: begin (made by metarobots; edits here are lost)
	// /docs/*.pdf
	//   X-Robots-Tag: noindex
	// /img/d.pdf
	//   X-Robots-Tag: noindex
	// # metarobots: end
}
