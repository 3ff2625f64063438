// Package chaos holds the long fault loops, which `make chaos` runs: the app is
// killed at random moments under load and started again, and nothing that was
// accepted may be lost, nothing be left running, nothing be doubled.
package chaos
