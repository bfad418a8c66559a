//go:build !linux

package main

// linuxParts need system calls that package syscall has for Linux.
var linuxParts []part
