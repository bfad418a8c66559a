// Package schema holds the rules that protean lint, buf-plugin-protean and
// protoc-gen-protean-lint share: what fields cost more than their schema shows, and what
// readers in other languages refuse.
//
// [Check] looks at compiled files and returns a [Finding] for each place that a [Rule] is
// about. Rules about data have their texts here too; protean lint --data looks for them.
//
// # What is not reported
//
//   - Fields of package google.protobuf itself: Struct holds Values, and cannot do otherwise.
//   - Custom options, extensions of google.protobuf's options: they are never sent.
//   - The entry messages that the compiler makes for maps: the map field is reported.
//   - Fields whose message holds a Struct further inside: the Struct is reported where its
//     field is declared.
//   - What a comment excuses, see [Options].
package schema
