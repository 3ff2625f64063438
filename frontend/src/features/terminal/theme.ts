// The emulator's colours, read from the page's CSS variables. xterm.js wants
// plain hex; variables may hold anything that CSS calls a colour.

import type { ITheme } from "@xterm/xterm";

const VARIABLES = {
  background: "--dr-term-bg",
  foreground: "--dr-term-fg",
  cursor: "--dr-accent",
  cursorAccent: "--dr-term-bg",
  selectionBackground: "--dr-selection",
  selectionInactiveBackground: "--dr-selection",
  black: "--dr-ansi-black",
  red: "--dr-ansi-red",
  green: "--dr-ansi-green",
  yellow: "--dr-ansi-yellow",
  blue: "--dr-ansi-blue",
  magenta: "--dr-ansi-magenta",
  cyan: "--dr-ansi-cyan",
  white: "--dr-ansi-white",
  brightBlack: "--dr-ansi-br-black",
  brightRed: "--dr-ansi-br-red",
  brightGreen: "--dr-ansi-br-green",
  brightYellow: "--dr-ansi-br-yellow",
  brightBlue: "--dr-ansi-br-blue",
  brightMagenta: "--dr-ansi-br-magenta",
  brightCyan: "--dr-ansi-br-cyan",
  brightWhite: "--dr-ansi-br-white",
} as const satisfies Partial<Record<keyof ITheme, string>>;

/**
 * Reads the theme that is in force at `element`, which must be in the document.
 * A variable that is missing or no colour is left to xterm's own default.
 */
export function readTheme(element: HTMLElement): ITheme {
  const probe = document.createElement("span");
  probe.style.display = "none";
  element.append(probe);
  try {
    const theme: ITheme = {};
    for (const [key, variable] of Object.entries(VARIABLES)) {
      probe.style.color = `var(${variable})`;
      const color = hexOf(getComputedStyle(probe).color);
      if (color) theme[key as keyof typeof VARIABLES] = color;
    }
    const { foreground } = theme;
    if (foreground) {
      theme.scrollbarSliderBackground = `${foreground.slice(0, 7)}26`;
      theme.scrollbarSliderHoverBackground = `${foreground.slice(0, 7)}40`;
      theme.scrollbarSliderActiveBackground = `${foreground.slice(0, 7)}59`;
    }
    return theme;
  } finally {
    probe.remove();
  }
}

/** A computed CSS colour as #rrggbb or #rrggbbaa; undefined for anything else. */
export function hexOf(color: string): string | undefined {
  const text = color.trim().toLowerCase();
  if (/^#([0-9a-f]{6}|[0-9a-f]{8})$/.test(text)) return text;
  const form = /^(rgba?|color)\((?:(srgb)\s+)?([^)]*)\)$/.exec(text);
  if (!form || (form[1] === "color") !== (form[2] === "srgb")) return undefined;
  const parts = (form[3] ?? "").split(/[\s,/]+/).filter(Boolean);
  if (parts.length < 3 || parts.length > 4) return undefined;
  const scale = form[2] ? 255 : 1;
  const channels = parts.slice(0, 3).map((part) => number(part, 255) * (part.endsWith("%") ? 1 : scale));
  if (parts[3] !== undefined) channels.push(number(parts[3], 1) * 255);
  if (channels.some(Number.isNaN)) return undefined;
  if (channels[3] === 255) channels.pop();
  return `#${channels.map(byte).join("")}`;
}

function number(text: string, whole: number): number {
  return text.endsWith("%") ? (Number(text.slice(0, -1)) / 100) * whole : Number(text);
}

function byte(value: number): string {
  const whole = Math.round(Math.min(255, Math.max(0, value)));
  return whole.toString(16).padStart(2, "0");
}
