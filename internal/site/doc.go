// Package site knows what is published: files, the pages behind them, and the generator that made them. Generators
// live in packages of their own below it.
package site
