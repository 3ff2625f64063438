/** Joins class names, leaving out what is empty. */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}

/** CPU in percent of one core, without decimals; a dash when it is not known (below 0 too). */
export function cpuText(percent: number | undefined): string {
  if (percent === undefined || !(percent >= 0)) return "–";
  return `${Math.round(percent)}%`;
}

const steps = [
  { unit: "K", size: 1024 },
  { unit: "M", size: 1024 ** 2 },
  { unit: "G", size: 1024 ** 3 },
  { unit: "T", size: 1024 ** 4 },
] as const;

/** Bytes in at most four signs: "640 K", "11 M", "4.2 G". */
export function bytesText(bytes: number | undefined): string {
  if (bytes === undefined || !(bytes >= 0)) return "–";
  if (bytes === 0) return "0";
  let step: (typeof steps)[number] = steps[0];
  for (const s of steps) if (bytes >= s.size) step = s;
  const value = bytes / step.size;
  const digits = value < 10 && step.size >= 1024 ** 3 ? 1 : 0;
  return `${value.toFixed(digits)} ${step.unit}`;
}

/** Bytes as said in a sentence: "1 byte", "1,234 bytes", "87 KB", "1.2 MB". */
export function sizeText(bytes: number): string {
  if (bytes < 10_000) return `${bytes.toLocaleString("en")} ${bytes === 1 ? "byte" : "bytes"}`;
  let step: (typeof steps)[number] = steps[0];
  for (const s of steps) if (bytes >= s.size) step = s;
  const value = bytes / step.size;
  return `${value.toFixed(step.unit !== "K" && value < 100 ? 1 : 0)} ${step.unit}B`;
}

/** "4.2 of 16 GB", "30 MB of 16 GB", "0 of 16 GB" for the status bar. */
export function memoryOf(used: number, total: number): string {
  const gb = (n: number) => (n / 1024 ** 3).toFixed(n >= 10 * 1024 ** 3 ? 0 : 1);
  const some = used > 0 && used < 1024 ** 3 ? `${bytesText(used)}B` : undefined;
  if (total <= 0) return some ?? `${gb(used)} GB`;
  if (!(used > 0)) return `0 of ${gb(total)} GB`;
  return some ? `${some} of ${gb(total)} GB` : `${gb(used)} of ${gb(total)} GB`;
}

/** How long ago: "2 s", "1:12", "41 m", "3 h", "2 d". Milliseconds in. */
export function ageText(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000));
  if (s < 60) return `${s} s`;
  if (s < 600) return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
  if (s < 5400) return `${Math.floor(s / 60)} m`;
  if (s < 172800) return `${Math.round(s / 3600)} h`;
  return `${Math.round(s / 86400)} d`;
}

/** A moment from RFC 3339 text as milliseconds; undefined for Go's zero time and for what is not a time. */
export function moment(text: string | undefined): number | undefined {
  if (!text || text.startsWith("0001-")) return undefined;
  const t = Date.parse(text);
  return Number.isNaN(t) ? undefined : t;
}

/** Clock time of the day, "14:02". */
export function clockText(ms: number): string {
  const d = new Date(ms);
  return `${String(d.getHours()).padStart(2, "0")}:${String(d.getMinutes()).padStart(2, "0")}`;
}

/** A path with the home folder as "~". */
export function tildePath(path: string, home: string): string {
  if (!home || !path.startsWith(home)) return path;
  const rest = path.slice(home.length);
  if (rest === "") return "~";
  return rest.startsWith("/") || rest.startsWith("\\") ? `~${rest}` : path;
}

/** Cuts a path in its middle so that both its start and its last part stay readable. */
export function middleCut(text: string, max: number): string {
  if (text.length <= max) return text;
  const tail = Math.ceil((max - 1) * 0.65);
  return `${text.slice(0, max - 1 - tail)}…${text.slice(text.length - tail)}`;
}

/** "1 process", "3 processes". */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** The text of whatever was thrown; Wails rejects with plain strings. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === "string" ? error : String(error);
}
