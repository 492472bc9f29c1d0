// Package chromium opens pages in a Chromium without a network, for the tests
// with the build tag e2e. Nothing else imports it.
package chromium
