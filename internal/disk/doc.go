// Package disk reads many files with few system calls and replaces files so that each is the old one or the new one
// after a crash, a full disk or a kill (M6).
package disk
