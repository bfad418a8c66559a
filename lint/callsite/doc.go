// Package callsite runs the analyzers of package vet on packages of Go and ranks what they find by
// a profile: by the share of it that each finding explains.
//
// A sample of a profile is a stack. It is attributed to one line: of the frames from the leaf on,
// the first that is neither of Protobuf, nor of the standard library, nor of generated messages. A
// finding explains the samples that are attributed to the lines of its call, and of the call that
// made what it is about.
package callsite
