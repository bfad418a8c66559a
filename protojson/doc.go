// Package protojson reads and writes Protobuf messages as ProtoJSON, and is a drop-in for
// google.golang.org/protobuf/encoding/protojson: replace the import path.
package protojson
