//go:build !bindings

package main

const bindings = false
