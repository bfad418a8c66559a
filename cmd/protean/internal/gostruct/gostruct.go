// Package gostruct writes the Go structs that an engineer would write by hand
// for the JSON form of a message, and converts messages to them and back.
package gostruct
