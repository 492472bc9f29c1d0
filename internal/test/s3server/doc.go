// Package s3server starts a real S3 server on a loopback port, behind a proxy that breaks
// connections, for the tests with the build tag e2e. Nothing else imports it.
package s3server
