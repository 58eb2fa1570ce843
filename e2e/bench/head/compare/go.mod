module compare

go 1.26.0

require (
	github.com/PuerkitoBio/goquery v1.13.0
	golang.org/x/net v0.62.0
)

require github.com/andybalholm/cascadia v1.3.4 // indirect
