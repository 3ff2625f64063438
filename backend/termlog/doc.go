// Package termlog owns the log of one terminal: every byte that its program
// wrote, numbered from 0, with the marks (sizes, starts, exits, prompts, …) that
// stand between the bytes.
//
// What it promises:
//
//   - A byte keeps its number for ever, and no number is given twice. What is lost
//     (the limit, a full disk, a crash, damage) is answered with a LostError that
//     says from where to where; it is never left out silently.
//   - Append and Mark copy into memory and return. They never wait for the disk
//     nor for a reader. One goroutine per log writes behind, at 256 KiB or after
//     50 ms, and exists only while there is something to write, so an idle log
//     costs neither a goroutine nor a file handle nor a buffer.
//   - Memory is bounded. If the disk does not take the bytes, the newest 8 MiB stay
//     in memory and readable, the oldest beyond that become a gap, the error is
//     reported once, and writing is tried again until it succeeds or Close.
//   - Any number of readers read by number, from memory or from disk, and wait for
//     growth without a goroutine and without losing a wake-up.
//
// # On disk
//
// A log is a directory (0700) with segment files (0600) of at most 1 MiB, named by
// the number of their first byte, and one file "marks". The oldest segment goes
// first when the limit is passed. Every file is a header and frames:
//
//	header  magic [8]  first number u64  salt u32  CRC32C u32
//	frame   kind u8  length u24  number u64  unix ms i64  CRC32C u32  payload
//
// All integers are big-endian. The CRC covers the frame without itself and starts
// from the file's random salt, so that a terminal's output cannot forge a frame. A
// torn tail is cut at the last whole frame by Open; damage in the middle costs the
// damaged frames only. A settled frame ends a file to which nothing is owed. When it
// is missing, the writer was killed with up to 50 ms of bytes in memory, which
// readers may have seen; Open then skips numbers (LostError.Unsure) so that none of
// them is given again.
//
// Frames are handed to the system, not forced to the medium: a killed process loses
// only what was still in memory, a power cut may lose what the system had not
// written yet.
//
// A directory belongs to one Log at a time; the package does not lock it.
package termlog
