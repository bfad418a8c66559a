package gojapb

import _ "embed"

// TypeScript declares the module for TypeScript, and for editors that check JavaScript, under the name protobuf:
// protobuf.d.ts. What the command protean js-types writes for a schema adds to it.
//
//go:embed protobuf.d.ts
var TypeScript string
