// What may be pasted, and what is asked first.

/** A terminal in line mode keeps so many bytes of a line and loses the rest. */
export const MAX_CANONICAL_LINE = 4095;

export interface PasteContext {
  /** The program has asked for pastes to be marked, so it does not run them line by line. */
  readonly bracketed: boolean;
  readonly confirmMultiline: boolean;
}

export interface PasteQuestion {
  /** What is sent if the answer is yes. */
  readonly text: string;
  /** Lines that a plain shell would run as they come; 0 if that is not the question. */
  readonly lines: number;
  /** Bytes of the longest line if it may be cut; 0 if none. */
  readonly longest: number;
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

/** What must be asked before a paste; undefined if it just goes. */
export function pasteQuestion(text: string, context: PasteContext): PasteQuestion | undefined {
  if (context.bracketed) return undefined;
  const lines = text.split(/\r\n|\r|\n/u);
  const longest = Math.max(...lines.map((line) => utf8.encode(line).length));
  // A line end after the last line runs it, but makes no line of its own.
  const count = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  const question = {
    text,
    lines: context.confirmMultiline && lines.length > 1 ? count : 0,
    longest: longest > MAX_CANONICAL_LINE ? longest : 0,
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
