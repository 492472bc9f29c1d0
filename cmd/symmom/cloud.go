package main

import _ "symmom/cloud" // s3://, gs:// and azblob://
