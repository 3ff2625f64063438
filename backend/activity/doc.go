// Package activity owns the one snapshot behind swarm tree, activity dock and
// needs-you: which processes each block has, what they cost and where they
// listen, and the list of what has ended.
//
// What it promises:
//
//   - The snapshot is a fold of what is so now (the model, the statuses, the table
//     of processes), never of events: an event only says "look". So nothing can
//     stay shown as running that is not, and a status that is told again changes
//     nothing.
//   - No block in the model, no row. A block without a live status has no processes.
//   - Seq rises, and Changed is told, only when something that is shown has changed.
//   - A process is known by proc.ID. None is ended but by that, and none that does
//     not belong to a block or to the list of what was left running.
//   - What could not be found out is unknown: a processor time that nobody measured
//     yet is -1, a process whose end nobody saw stays in the list.
package activity
