// Package protean is the root of a Go runtime for Protobuf data in every form
// and of the laboratory that proves what each form costs.
//
// The laboratory is the command protean:
//
//	go install github.com/protean-pb/protean/cmd/protean@latest
//	protean bench --proto api/event.proto --message acme.v1.Event --data samples.jsonl
//
// The packages of the runtime lie below this one. This package itself is empty.
package protean
