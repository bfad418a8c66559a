// Command protean measures what each serialization strategy costs on your
// schema and your payloads.
package main

func main() {}
