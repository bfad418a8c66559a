module github.com/protean-pb/protean

// The oldest release that has all that the code calls (reflect.TypeAssert), as a higher one here raises that of every
// module which requires this one. Tests run on the two newest releases of Go; on others the runtime knows nothing of
// Go's inside and allocates more.
go 1.25.0

require google.golang.org/protobuf v1.36.12
