// Command site builds the web site of symmom: static pages without requests to other
// servers.
//
//	go run ./site -out build/site -modules .tools/site/node_modules -lite build/lite
//
// The pages are made from the stored notebooks, the doc comments, the Markdown files and
// the charts of gallery.go. Numbers come from there, or are computed while the site is
// built. The command fails on broken links and invalid formulas.
//
// JavaScript packages (package.json) typeset the formulas and build the search index;
// both run here, in goja. The pages are readable without JavaScript.
package main
