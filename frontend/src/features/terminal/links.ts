// Links in a terminal: found in its text, joined over wrapped lines, and opened
// only when their scheme is harmless.

import type { IBuffer, IBufferRange, ILink, ILinkProvider, Terminal } from "@xterm/xterm";
import { joined } from "./lines";

const SCHEMES = new Set(["http:", "https:", "mailto:", "file:"]);
// Ends before what usually belongs to the sentence around it.
const URL_PATTERN = /(?:https?:\/\/|file:\/\/|mailto:)[^\s"'<>`{}|\\^\p{Cc}]*[^\s"'<>`{}|\\^\p{Cc}.,:;!?]/giu;

/**
 * The address to open, or undefined if it must not be opened: files only of this
 * machine, which `hostname` names ("" if that is not known).
 */
export function openable(url: string, hostname = ""): string | undefined {
  const parsed = parse(url);
  if (!parsed || !SCHEMES.has(parsed.protocol)) return undefined;
  const here = ["", "localhost", hostname.toLowerCase()];
  if (parsed.protocol === "file:" && !here.includes(parsed.host.toLowerCase())) return undefined;
  return parsed.href;
}

function parse(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

/** What to show for a target: as it is, without what could fake another one. */
export function shownTarget(url: string): string {
  // Control and direction characters could make it look like another address.
  const clean = plainHost(url.replace(/[\p{Cc}\p{Cf}]/gu, ""));
  return clean.length > 300 ? `${clean.slice(0, 200)} … ${clean.slice(-90)}` : clean;
}

// The host as it is asked for: letters of other scripts look like Latin ones, and
// what stands before an @ looks like a host.
function plainHost(url: string): string {
  const host = parse(url)?.host;
  const parts = /^([^:]+:[/\\]*)([^/\\?#]*)(.*)$/u.exec(url);
  if (!host || !parts) return url;
  const [, scheme = "", authority = "", rest = ""] = parts;
  return `${scheme}${authority.includes("@") ? "…@" : ""}${host}${rest}`;
}

export interface FoundLink {
  readonly url: string;
  readonly range: IBufferRange;
}

/** The addresses in the text of which line `y` (from 1) is a part, whole even if wrapped. */
export function findLinks(buffer: IBuffer, y: number, hostname = ""): FoundLink[] {
  const { text, cells } = joined(buffer, y - 1);
  const found: FoundLink[] = [];
  for (const match of text.matchAll(URL_PATTERN)) {
    const url = balanced(match[0]);
    const first = cells[match.index];
    const last = cells[match.index + url.length - 1];
    if (!first || !last || openable(url, hostname) === undefined) continue;
    if (first.y > y - 1 || last.y < y - 1) continue;
    found.push({
      url,
      range: {
        start: { x: first.x + 1, y: first.y + 1 },
        end: { x: last.x + last.width, y: last.y + 1 },
      },
    });
  }
  return found;
}

// A bracket at the end belongs to the address only if it was opened in it.
function balanced(url: string): string {
  let text = url;
  for (const [open, close] of ["()", "[]"].map((pair) => pair.split("")) as [string, string][]) {
    while (text.endsWith(close) && text.split(close).length > text.split(open).length)
      text = text.slice(0, -1);
  }
  return text;
}

/** What a view does with links. */
export interface LinkActions {
  /** This machine's name, which links to its files may have. */
  readonly hostname: string;
  /** A click with the modifier, on an address that may be opened. */
  open(url: string): void;
  /** A click with the modifier, on one that must not be. */
  refuse(url: string): void;
  /** The pointer is over a link, or left it (undefined). */
  hover(url: string | undefined): void;
  /** Whether a click means the link and not the program below. */
  wants(event: MouseEvent): boolean;
}

/** Follows a link if the click asks for it. OSC 8 may hold anything, so it is looked at here. */
export function followLink(actions: LinkActions, event: MouseEvent, url: string): void {
  if (!actions.wants(event)) return;
  const target = openable(url, actions.hostname);
  if (target) actions.open(target);
  else actions.refuse(url);
}

export class UrlLinkProvider implements ILinkProvider {
  private readonly terminal: Terminal;
  private readonly actions: LinkActions;

  constructor(terminal: Terminal, actions: LinkActions) {
    this.terminal = terminal;
    this.actions = actions;
  }

  provideLinks(y: number, callback: (links: ILink[] | undefined) => void): void {
    const { actions } = this;
    callback(
      findLinks(this.terminal.buffer.active, y, actions.hostname).map(({ url, range }) => ({
        text: url,
        range,
        activate: (event) => followLink(actions, event, url),
        hover: () => actions.hover(url),
        leave: () => actions.hover(undefined),
      })),
    );
  }
}
