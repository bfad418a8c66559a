// Package native converts messages to the Go data that a program without a
// schema holds (maps, slices, scalars), and back.
package native
