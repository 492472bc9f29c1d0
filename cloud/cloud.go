// Package cloud gives symmom access to objects in S3 (s3://bucket/key) and compatible
// stores, Google Cloud Storage (gs://) and Azure Blob Storage (azblob://). Import it for
// its side effect:
//
//	import _ "symmom/cloud"
//
// The command, its sessions and its kernel include it. Credentials are those of each
// store's own tools, from the environment, configuration files or the machine. Settings
// follow a question mark: s3://bucket/table.csv?region=eu-west-1.
package cloud
