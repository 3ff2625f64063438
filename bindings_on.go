//go:build bindings

package main

// bindings: this build only generates what the page calls.
const bindings = true
