// xterm.js 6.0.0 loses a character of three bytes whose second one is 0x80 (a
// dash, a quotation mark) when it comes in two pieces cut behind that byte. So it
// is given whole characters only.

const nothing = new Uint8Array(0);

/** Keeps the beginning of a character until its end comes. */
export class WholeCharacters {
  private rest: Uint8Array = nothing;

  /** The bytes as far as their characters are whole, with what was kept before them. */
  take(data: Uint8Array): Uint8Array {
    const all = this.rest.length === 0 ? data : joined(this.rest, data);
    const whole = all.length - unfinished(all);
    this.rest = whole < all.length ? all.slice(whole) : nothing;
    return all.subarray(0, whole);
  }

  /** Forgets what was kept: what comes next has nothing to do with it. */
  clear(): void {
    this.rest = nothing;
  }
}

/** How many bytes at the end begin a character that does not end there. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue; // not its first one
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
