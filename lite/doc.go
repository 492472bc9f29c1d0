// Package lite holds the tests of JupyterLite with symmom, which scripts/lite.sh builds.
package lite
