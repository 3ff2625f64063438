/**
 * Chords are written "Mod+Shift+K". Mod is Ctrl, and Command on macOS; the
 * parts stand in the order Ctrl, Alt, Shift, Meta, then the key by its name in
 * KeyboardEvent.key, letters in capitals.
 */
export interface Chord {
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  meta: boolean;
  key: string;
}

const aliases: Record<string, string> = {
  esc: "Escape",
  return: "Enter",
  del: "Delete",
  space: " ",
  up: "ArrowUp",
  down: "ArrowDown",
  left: "ArrowLeft",
  right: "ArrowRight",
  comma: ",",
  plus: "+",
};

/** Keys that are written as a word, by that word in small letters. */
const words = new Map(
  [
    ...["Escape", "Enter", "Tab", "Backspace", "Delete", "Insert", "Home", "End", "PageUp", "PageDown"],
    ...["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "ContextMenu", "PrintScreen", "Pause"],
    ...["CapsLock", "NumLock", "ScrollLock", "Help", "Clear", "Copy", "Cut", "Paste", "Undo", "Redo", "Find"],
    ...Array.from({ length: 24 }, (_, i) => `F${i + 1}`),
  ].map((name) => [name.toLowerCase(), name]),
);
// Keys of keyboards with more of them.
const further = /^(Audio|Browser|Launch|Media|Mail|Zoom|Brightness)[A-Z]\w*$/;

/** The name of a key as written by hand; undefined when there is no such key. */
function readKey(text: string): string | undefined {
  const alias = aliases[text.toLowerCase()] ?? text;
  if (alias.length === 1) return alias.toUpperCase();
  return words.get(alias.toLowerCase()) ?? (further.test(alias) ? alias : undefined);
}

/** Reads a chord; undefined when the text is none. */
export function parseChord(text: string, mac: boolean): Chord | undefined {
  const chord: Chord = { ctrl: false, alt: false, shift: false, meta: false, key: "" };
  const parts = text.trim() === "+" ? ["+"] : text.trim().replace(/\+\+$/, "+plus").split("+");
  for (const raw of parts) {
    const part = raw.trim();
    const low = part.toLowerCase();
    if (low === "mod") chord[mac ? "meta" : "ctrl"] = true;
    else if (low === "ctrl" || low === "control") chord.ctrl = true;
    else if (low === "alt" || low === "option") chord.alt = true;
    else if (low === "shift") chord.shift = true;
    else if (low === "meta" || low === "cmd" || low === "super") chord.meta = true;
    else {
      const key = readKey(part);
      if (key === undefined || chord.key !== "") return undefined;
      chord.key = key;
    }
  }
  return chord.key === "" ? undefined : chord;
}

function keyName(key: string): string {
  if (key.length === 1) return key.toUpperCase();
  return key.charAt(0).toUpperCase() + key.slice(1);
}

/** The one spelling of a chord: equal chords have equal texts. */
export function chordText(chord: Chord): string {
  const parts: string[] = [];
  if (chord.ctrl) parts.push("Ctrl");
  if (chord.alt) parts.push("Alt");
  if (chord.shift) parts.push("Shift");
  if (chord.meta) parts.push("Meta");
  parts.push(chord.key === " " ? "Space" : chord.key === "+" ? "Plus" : chord.key);
  return parts.join("+");
}

/** What of a key event matters here; a KeyboardEvent is one. */
export interface KeyLike {
  key: string;
  code: string;
  ctrlKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  metaKey: boolean;
}

/** Keys whose place has the name that the key has. */
const namedByPlace = new Set([
  "Tab",
  "Enter",
  "Escape",
  "Backspace",
  "Delete",
  "Home",
  "End",
  "PageUp",
  "PageDown",
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
]);

/** The chord of a key event; undefined while only modifiers are held. */
export function chordOf(event: KeyLike): Chord | undefined {
  // X11 calls Tab with Shift ISO_Left_Tab, which WebKitGTK has no name for.
  const unnamed = event.key === "Unidentified" || event.key === "";
  const named = unnamed && namedByPlace.has(event.code) ? event.code : event.key;
  if (
    ["", "Control", "Shift", "Alt", "Meta", "AltGraph", "Dead", "Process", "Unidentified"].includes(named)
  ) {
    return undefined;
  }
  // On layouts without Latin letters, and with Alt on macOS, key is another
  // sign: the place of the key decides then.
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1];
  const digit = /^Digit([0-9])$/.exec(event.code)?.[1];
  const latin = /^[\x20-\x7e]$/.test(named);
  let key = keyName(named);
  if (letter && (!latin || event.altKey)) key = letter;
  else if (digit && (event.shiftKey || event.altKey)) key = digit;
  return { ctrl: event.ctrlKey, alt: event.altKey, shift: event.shiftKey, meta: event.metaKey, key };
}

const arrows = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);

/**
 * Whether programs in a terminal have a use for the chord. Such a chord is
 * never taken from a terminal that has the focus.
 */
export function shellUses(chord: Chord): boolean {
  if (chord.meta) return false;
  if (chord.ctrl && chord.shift) {
    // Ctrl+Shift with these is typed for ^_, ^@ and ^^ on common layouts.
    return ["_", "-", "@", "^", "2", "6"].includes(chord.key);
  }
  if (arrows.has(chord.key) && chord.alt && (chord.ctrl || chord.shift)) return false;
  if (chord.ctrl && chord.alt && ["PageUp", "PageDown", "Home", "End"].includes(chord.key)) return false;
  if (chord.ctrl && !chord.alt) return !["Tab", "PageUp", "PageDown", ",", "="].includes(chord.key);
  return true;
}

const caps: Record<string, string> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Enter: "↵",
  Escape: "Esc",
  Backspace: "⌫",
  " ": "Space",
  Delete: "Del",
  PageUp: "PgUp",
  PageDown: "PgDn",
};

/** The key caps of a chord, in the words of the platform. */
export function chordCaps(chord: Chord, mac: boolean): string[] {
  const out: string[] = [];
  if (chord.ctrl) out.push(mac ? "⌃" : "Ctrl");
  if (chord.alt) out.push(mac ? "⌥" : "Alt");
  if (chord.shift) out.push(mac ? "⇧" : "Shift");
  if (chord.meta) out.push(mac ? "⌘" : "Super");
  out.push(caps[chord.key] ?? chord.key);
  return out;
}
