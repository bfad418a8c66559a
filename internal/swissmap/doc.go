// Package swissmap makes and reads Go maps without calling the runtime for every step. It knows how the runtime lays
// out a map, so it can allocate the memory of many maps at once, place a key whose hash is known, and walk over the
// entries without the runtime's iterator. What it makes are ordinary maps: one may do with them whatever can
// be done with a map.
//
// # What is assumed of the runtime
//
// All of it is read from internal/runtime/maps (map.go, table.go, group.go, runtime_faststr.go) and
// cmd/compile/internal/reflectdata/map.go:
//
//   - Header. A map is a pointer to a maps.Map: the number of entries, the seed of the hash, a pointer to the
//     directory, the length of the directory, the number of hash bits that select a table and the shift that yields
//     them, a flag that a write is under way, a flag that there may be tombstones, a count of clears (type header).
//   - Small map. If the length of the directory is 0, the directory pointer is that of the one group. It holds 8
//     entries, has no tombstones, and a new entry takes the first free slot.
//   - Directory and tables. Otherwise it is an array of pointers to maps.table: entries, slots, entries left before the
//     table grows, the number of hash bits by which the table was selected, where in the directory its pointer first
//     occurs, a pointer to an array of groups, and their number minus one (type table). A table has at most 1024
//     slots, of which 7 of 8 are in use.
//   - Group. A control word and 8 slots, each a key followed by its value, laid out as the compiler lays out a struct
//     of these (type group). Keys and values of more than 128 bytes are stored as pointers; such types are not
//     handled here.
//   - Control word. One byte for each slot, the first slot's lowest in the word: the low 7 bits of the key's hash, or
//     0x80 for a slot that is free, or 0xfe for a tombstone. The high bit tells entries from the rest.
//   - Hash. The hash of a string is runtime.strhash of it and the map's seed. The runtime exports that function by a
//     linkname for packages outside. The bits above the low 7 select the first group that is probed; each of the
//     following probes goes one group further than the one before it did.
//   - Seed. Any number; the runtime draws a random one for each map, as is done here.
//
// Release by release:
//
//   - Go 1.26: as above.
//   - Go 1.27: the same. Strings are hashed by internal/runtime/maps itself, to the same number as runtime.strhash. A
//     small map that is full grows when the insertion finds no slot; before it went by the number of entries. With
//     GOEXPERIMENT=mapsplitgroup, which is off unless asked for, a group has its keys first and its values after them:
//     then this package steps aside.
//   - Other releases, other compilers, wasm (whose hashes have 32 bits), and the race detector and sanitizers, which
//     must see every access: nothing is assumed, build tags keep the code out.
//
// # What guards it
//
// When the program starts, before any other package can use this one, the self-check compares ordinary maps that the
// runtime made with what would be made in their place, byte by byte: header, tables, control words, slots, for maps
// of several sizes and types. Only if all of it agrees are maps made by hand given to the runtime, and then lookups
// of present and absent keys, insertion, growth, deletion, iteration, cloning and clearing are compared with an
// ordinary map. It takes some 30 µs, once. If anything differs, [Enabled] reports false, and every function does its
// work with make, assignments and range. Maps of several tables, which are only read by hand, are checked in the same
// way when the first one comes, since the smallest of them takes 25 KB.
//
// The self-check runs in init since a decision that is made before any goroutine
// can ask is a plain variable to read: no atomic load on paths that take 20 ns, and no map or key made under one
// decision and used under another.
//
// # How to switch it off
//
// Set the environment variable PROTEAN_SWISSMAP=off when the program is started, or build with -tags purego. Results
// are the same; what differs is how fast they come and how many allocations they take.
package swissmap
