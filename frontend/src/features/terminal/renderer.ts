// Who draws the cells: the DOM, or WebGL where that is faster. A page may have
// few WebGL contexts, and one that is lost takes its picture with it.

import type { ITerminalAddon, Terminal } from "@xterm/xterm";

/** Browsers blank an old context at the 17th; others on the page may want some. */
export const MAX_CONTEXTS = 8;
/** Filling a screen twenty times takes a real GPU well under this, software far more. */
export const FAST_PROBE_MS = 20;

export type RendererSetting = "auto" | "dom" | "webgl";

/**
 * Whether to try WebGL. `probe` times it in ms (undefined: there is none); its
 * name does not tell hardware from software, so only a timing counts.
 */
export function wantsWebgl(setting: RendererSetting, probe: () => number | undefined): boolean {
  switch (setting) {
    case "dom":
      return false;
    case "webgl":
      return true;
    case "auto": {
      const took = probe();
      return took !== undefined && took <= FAST_PROBE_MS;
    }
  }
}

export interface WebglLike extends ITerminalAddon {
  onContextLoss(listener: () => void): { dispose(): void };
}

export interface ContextLease {
  dispose(): void;
}

/** Lends WebGL to terminals, a bounded number at a time; the others stay on the DOM. */
export class WebglPool {
  private readonly make: () => WebglLike;
  private readonly limit: number;
  private readonly lent = new Set<ContextLease>();

  constructor(make: () => WebglLike, limit: number = MAX_CONTEXTS) {
    this.make = make;
    this.limit = limit;
  }

  get used(): number {
    return this.lent.size;
  }

  /**
   * Undefined when all are lent or WebGL fails; the terminal then draws by DOM.
   * `lost` hears that it does so later: cells have another size then.
   */
  lend(terminal: Terminal, lost: () => void = () => {}): ContextLease | undefined {
    if (this.lent.size >= this.limit) return undefined;
    const addon = this.make();
    let done = false;
    const lease: ContextLease = {
      dispose: () => {
        if (done) return;
        done = true;
        this.lent.delete(lease);
        const canvases = [...(terminal.element?.querySelectorAll("canvas") ?? [])];
        addon.dispose();
        for (const canvas of canvases) freeContext(canvas);
      },
    };
    try {
      terminal.loadAddon(addon);
    } catch {
      lease.dispose();
      return undefined;
    }
    this.lent.add(lease);
    addon.onContextLoss(() => {
      lease.dispose();
      lost();
    });
    return lease;
  }
}

// Disposing the addon leaves the context to the garbage collector, which may be late.
function freeContext(canvas: HTMLCanvasElement): void {
  if (canvas.isConnected) return;
  canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
}

const VERTEX = `#version 300 es
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
  gl_Position = vec4(corner, 0.0, 1.0);
}`;
const FRAGMENT = `#version 300 es
precision mediump float;
out vec4 color;
void main() { color = vec4(fract(gl_FragCoord.xy * 0.0123), 0.5, 0.05); }`;

/** Times twenty blended fills of a 1024 x 768 canvas, in ms; undefined without WebGL 2. */
export function probeWebgl(now: () => number = () => performance.now()): number | undefined {
  const canvas = document.createElement("canvas");
  canvas.width = 1024;
  canvas.height = 768;
  const gl = canvas.getContext("webgl2");
  if (!gl) return undefined;
  try {
    const program = gl.createProgram();
    for (const [type, source] of [
      [gl.VERTEX_SHADER, VERTEX],
      [gl.FRAGMENT_SHADER, FRAGMENT],
    ] as const) {
      const shader = gl.createShader(type);
      if (!shader) return undefined;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return undefined;
    // biome-ignore lint/correctness/useHookAtTopLevel: not a hook, WebGL's own name
    gl.useProgram(program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    const pixel = new Uint8Array(4);
    const draw = (times: number) => {
      for (let i = 0; i < times; i++) gl.drawArrays(gl.TRIANGLES, 0, 3);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); // waits for the drawing
    };
    draw(1);
    const start = now();
    draw(20);
    return now() - start;
  } finally {
    gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}
