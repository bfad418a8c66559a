//go:build protolegacy

package layout

// protoLegacy is described in legacy_off.go.
const protoLegacy = true
