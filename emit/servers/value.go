package servers

import "metarobots/emit/robotstag"

// Name is the header this package is about.
const Name = robotstag.Name

// Value is one X-Robots-Tag line that a response carries.
type Value struct {
	// Text is the value as served.
	Text string
	// Line is the line of the user's file, from 1.
	Line int
}
