// Package cloud gives symmom access to objects in S3 (s3://bucket/key) and stores that
// speak its protocol, Google Cloud Storage (gs://) and Azure Blob Storage (azblob://).
// It is imported for that alone:
//
//	import _ "symmom/cloud"
//
// The command, its sessions and its kernel have it. Credentials come from where the tools
// of each store look for them: the environment, their configuration files, the machine.
// Settings follow a question mark:
// s3://bucket/table.csv?region=eu-west-1.
package cloud
