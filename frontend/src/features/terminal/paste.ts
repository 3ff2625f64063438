// What may be pasted, and what is asked first.

/** Every system keeps a line of so many bytes; only of a longer one it is asked what is kept. */
export const SURE_LINE = 255;

export interface PasteContext {
  /** The program has asked for pastes to be marked, so it does not run them line by line. */
  readonly bracketed: boolean;
  readonly confirmMultiline: boolean;
  /** Bytes of a line that a terminal in line mode keeps, losing the rest; undefined when it is in no such mode. */
  readonly lineLimit?: number | undefined;
}

export interface PasteQuestion {
  /** What is sent if the answer is yes. */
  readonly text: string;
  /** Lines that a plain shell would run as they come; 0 if that is not the question. */
  readonly lines: number;
  /** Bytes of the longest line if it would be cut; 0 if none. */
  readonly longest: number;
  /** How many of them would be kept. */
  readonly kept: number;
}

const PASTE_MARKS = ["\x1b[200~", "\x1b[201~", "\x9b200~", "\x9b201~"];
const utf8 = new TextEncoder();

/**
 * What a paste must not hold: the marks of a paste, by which text could end it
 * early and run. xterm.js 6 changes line ends and adds the marks, but leaves
 * these in. Removing one can join another, hence the loop.
 */
export function cleanPaste(text: string): string {
  let clean = text;
  for (let before = ""; before !== clean; ) {
    before = clean;
    for (const mark of PASTE_MARKS) clean = clean.replaceAll(mark, "");
  }
  return clean;
}

const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/u);

/** Bytes of the longest line. */
export function longestLine(text: string): number {
  return linesOf(text).reduce((most, line) => Math.max(most, utf8.encode(line).length), 0);
}

/** What must be asked before a paste; undefined if it just goes. */
export function pasteQuestion(text: string, context: PasteContext): PasteQuestion | undefined {
  const lines = linesOf(text);
  const longest = longestLine(text);
  const kept = context.lineLimit ?? longest;
  // A line end after the last line runs it, but makes no line of its own.
  const count = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  const question = {
    text,
    lines: context.confirmMultiline && !context.bracketed && lines.length > 1 ? count : 0,
    longest: longest > kept ? longest : 0,
    kept,
  };
  return question.lines > 0 || question.longest > 0 ? question : undefined;
}

/** The lines of a paste as one, as a shell would want a wrapped command. */
export function asOneLine(text: string): string {
  return text
    .split(/[\r\n]+/u)
    .map((line) => line.trim())
    .filter(Boolean)
    .join(" ");
}

/**
 * The paths of dropped files, quoted for a shell, or "" when the browser does
 * not tell them: a bare file name would be a wrong path.
 */
export function droppedPaths(uriList: string, platform: string): string {
  const paths: string[] = [];
  for (const line of uriList.split(/\r?\n/u)) {
    if (!line.toLowerCase().startsWith("file://")) continue;
    try {
      const { pathname } = new URL(line);
      const path = decodeURIComponent(pathname);
      paths.push(platform === "windows" ? path.replace(/^\/(?=[a-z]:)/iu, "").replaceAll("/", "\\") : path);
    } catch {
      return "";
    }
  }
  // A line end in a name would run what stands before it.
  if (paths.some((path) => /\p{Cc}/u.test(path))) return "";
  return paths.map((path) => quote(path, platform)).join(" ");
}

function quote(path: string, platform: string): string {
  if (platform === "windows") return `"${path.replaceAll('"', "")}"`;
  if (/^[\w@%+=:,./-]+$/u.test(path)) return path;
  return `'${path.replaceAll("'", "'\\''")}'`;
}
