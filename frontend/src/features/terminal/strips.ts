// The strips below a terminal: what is the case, in words, and what can be done.
// Nothing of this is ever written into the terminal itself.

import type { StreamState } from "../../bridge/stream";
import type { Status } from "../../bridge/types";
import { ageText, moment, sizeText } from "../../lib/format";
import type { StateName } from "../../lib/state";

export type StripAction = "restart" | "close" | "retry-link" | "reopen" | "discard" | "dismiss" | "noted";

export interface Strip {
  readonly state: StateName;
  readonly title: string;
  /** Goes on after the title. */
  readonly rest?: string;
  /** A second, calmer line. */
  readonly small?: string;
  /** The first is the next step. */
  readonly actions: readonly { readonly action: StripAction; readonly label: string }[];
}

export interface StripFacts {
  readonly status: Status | undefined;
  readonly link: StreamState;
  /** Why the backend closed the channel, "" if it did not. */
  readonly failed: string;
  /** Bytes of input that wait for the link. */
  readonly held: number;
  /** Ctrl+S was pressed and nothing has come since. */
  readonly stopped: boolean;
  /** Why input was refused last, "" if none was. */
  readonly refused: string;
  /** The instance whose start has been read about. */
  readonly noted: number;
}

/** The strips, from the top down; the last concerns the program itself. */
export function stripsOf(facts: StripFacts): Strip[] {
  const { status, link, failed, held, stopped, refused, noted } = facts;
  const strips: Strip[] = [];
  if (refused) {
    strips.push({
      state: "interrupted",
      title: "Input was refused",
      rest: `: ${refused}`,
      actions: [{ action: "dismiss", label: "Dismiss" }],
    });
  }
  if (stopped) {
    strips.push({
      state: "interrupted",
      title: "Output stopped",
      rest: " by Ctrl+S, Ctrl+Q goes on",
      actions: [],
    });
  }
  if (link.link === "lost") {
    if (held > 0) {
      strips.push({
        state: "scheduled",
        title: `Held, ${sizeText(held)}`,
        rest: ". Sent in order once attached.",
        actions: [{ action: "discard", label: "Discard" }],
      });
    }
    strips.push({
      state: "reconnecting",
      title: "Reconnecting",
      // No counter: the bar at the top has the one of the page. Nor a word on the
      // program: whether Drover still runs is not known here.
      small: "The connection to Drover broke.",
      actions: [{ action: "retry-link", label: "Try now" }],
    });
    return strips;
  }
  if (failed) {
    strips.push({
      state: "failed",
      title: "Not attached",
      rest: `: ${failed}`,
      actions: [
        { action: "reopen", label: "Try again" },
        { action: "close", label: "Close" },
      ],
    });
  }
  const own = status && statusStrip(status, noted);
  if (own) strips.push(own);
  return strips;
}

const restart = { action: "restart", label: "Restart" } as const;
const close = { action: "close", label: "Close" } as const;

function statusStrip(status: Status, noted: number): Strip | undefined {
  switch (status.state) {
    case "idle":
      return undefined;
    case "running":
      if (!status.message || status.instance === noted) return undefined;
      return {
        state: "running",
        title: "Started anew",
        small: status.message,
        actions: [{ action: "noted", label: "Dismiss" }],
      };
    case "starting":
      return { state: "starting", title: "Starting", ...small(status.message), actions: [] };
    case "reconnecting":
      return { state: "reconnecting", title: "Reconnecting", ...small(status.message), actions: [] };
    case "stopping":
      return { state: "stopping", title: "Stopping", ...small(status.message), actions: [] };
    case "killing":
      return { state: "killing", title: "Forced to end", ...small(status.message), actions: [] };
    case "failed":
      return failedStrip(status);
    case "exited":
      return exitedStrip(status);
  }
}

function failedStrip(status: Status): Strip {
  const said = status.message || status.exit.error || "It did not say why.";
  return {
    state: "failed",
    title: status.pid === 0 ? "It could not start" : `Failed${ending(status)}`,
    small: [said, status.exit.note, ...taken(status)].filter(Boolean).join(" "),
    actions: [{ ...restart, label: "Try again" }, close],
  };
}

function exitedStrip(status: Status): Strip {
  const { exit, message } = status;
  const lines = [message, exit.note, ...taken(status)].filter(Boolean).join(" ");
  if (!exit.known) {
    return {
      state: "unknown",
      title: "Ended, nobody saw how",
      small: lines || "Drover was not there when it ended. Its output is kept.",
      actions: [restart, close],
    };
  }
  const good = exit.code === 0 && exit.signal === "";
  return {
    state: good ? "exited" : "failed",
    title: exit.signal ? `Ended by ${exit.signal}` : `Exited with ${exit.code}`,
    rest: ending(status),
    ...small(lines),
    actions: [restart, close],
  };
}

function ending(status: Status): string {
  const [from, to] = [moment(status.started), moment(status.ended)];
  return from !== undefined && to !== undefined && to >= from ? ` after ${ageText(to - from)}` : "";
}

/** What the end took with it, and what it left. */
function taken(status: Status): string[] {
  const said: string[] = [];
  const { hungUp } = status.exit;
  const left = status.exit.leftRunning.map(({ name, pid }) => `${name} (${pid})`);
  if (hungUp.length > 0) said.push(`Hung up with it: ${hungUp.join(", ")}.`);
  if (left.length > 0) said.push(`Still running: ${left.join(", ")}.`);
  return said;
}

function small(text: string): { small?: string } {
  return text ? { small: text } : {};
}
