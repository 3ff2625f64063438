// Package proc knows the processes of this machine: which belong to a block, what they cost,
// where they listen, and how to end them so that it is certain.
//
// What it promises:
//
//   - A process is known by its ID, pid and start together. On Linux the start is counted in
//     the kernel's own ticks since a boot that has a name, so a jump of the clock changes
//     nothing, and an ID that was saved to disk never matches a process of a later boot.
//   - Nothing is signalled by name, and nothing by pid alone: identity is checked while the
//     pid cannot be given to another (pidfd on Linux, an open handle on Windows).
//   - Unknown is not exited: Alive says whether it could find out, and a process of which
//     nothing could be found out is reported as having survived.
//   - A block's tree is found by ancestry, by session and by an inherited variable, so that
//     setsid, nohup and double forks do not hide from it. This process and those above it
//     are never part of any tree.
//   - End returns when what it was given is gone, verified, or when its bounds have passed;
//     whatever is left is listed by ID.
//
// Linux is read from /proc in one pass with reused buffers; other systems through gopsutil.
package proc
