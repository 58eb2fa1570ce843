package policy

// WithFlag runs a function while the table of directives has one row more: a flag about the use of
// content.
func WithFlag(name, means, source string, run func()) {
	known := directiveTable
	defer func() {
		directiveTable = known
		indexDirectives()
	}()
	directiveTable = append(AllDirectives(), Directive{Name: name, flag: ofUse, Means: means, Source: source})
	indexDirectives()
	run()
}
