/** Every state that the window can show. A state has one shape, one word and one colour everywhere. */
export const stateNames = [
  "idle",
  "thinking",
  "tool",
  "waiting",
  "stalled",
  "starting",
  "running",
  "reconnecting",
  "stopping",
  "killing",
  "exited",
  "done",
  "failed",
  "interrupted",
  "unknown",
  "scheduled",
] as const;

export type StateName = (typeof stateNames)[number];

/** The word for each state, as written in rows, tooltips and to screen readers. */
export const stateWords: Record<StateName, string> = {
  idle: "idle",
  thinking: "thinking",
  tool: "running a tool",
  waiting: "waiting for you",
  stalled: "stalled",
  starting: "starting",
  running: "running",
  reconnecting: "reconnecting",
  stopping: "stopping",
  killing: "being forced to end",
  exited: "exited",
  done: "done",
  failed: "failed",
  interrupted: "interrupted",
  unknown: "not known",
  scheduled: "scheduled",
};

// Most urgent first: what wants a person, then trouble, then motion, then rest.
const urgency: readonly StateName[] = [
  "waiting",
  "failed",
  "stalled",
  "killing",
  "reconnecting",
  "unknown",
  "interrupted",
  "stopping",
  "starting",
  "tool",
  "thinking",
  "running",
  "scheduled",
  "done",
  "exited",
  "idle",
];

/** Orders states by urgency, most urgent first. */
export function compareUrgency(a: StateName, b: StateName): number {
  return urgency.indexOf(a) - urgency.indexOf(b);
}

/** The most urgent of some states; undefined of none. */
export function mostUrgent(states: Iterable<StateName>): StateName | undefined {
  return [...states].sort(compareUrgency)[0];
}
