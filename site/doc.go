// Command site builds the web site of symmom: static pages that ask nobody but their
// server for anything.
//
//	go run ./site -out build/site -modules .tools/site/node_modules -lite build/lite
//
// The pages are made from what the project has: the notebooks as they are stored, the
// doc comments, the Markdown files and the charts that gallery.go draws. Numbers come
// from there, or are computed while the site is built. The command fails if a link leads
// nowhere or a formula is wrong.
//
// JavaScript packages (package.json) typeset the formulas and make the index that the
// search looks in; both run here, in goja. Nothing of the site needs them to be read.
package main
