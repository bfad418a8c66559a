//go:build !protolegacy

package layout

// protoLegacy is whether the official library is built to honour what only proto1 and early
// versions of proto2 and proto3 had, such as the option enforce_utf8: a program is built with
// the tag or without it as a whole.
const protoLegacy = false
