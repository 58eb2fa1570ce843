// Package disk reads and replaces the files of a site. It reads regular files alone, within limits and below the site's
// own folders; each file that it replaces is the old one or the new one after a crash, a full disk or a kill (M6).
package disk
