// For tests: a place in which xterm.js opens under jsdom.

/**
 * An element in a frame of its own, whose window has what xterm.js asks for and
 * jsdom lacks. Cells have no size there; parsing, keys and pastes work.
 */
export function jsdomScreen(): HTMLElement {
  const frame = document.createElement("iframe");
  document.body.append(frame);
  const inner = frame.contentWindow as (Window & typeof globalThis) | null;
  if (!inner) throw new Error("cannot make a screen: the frame has no window");
  const query = {
    matches: false,
    addListener: () => {},
    removeListener: () => {},
    addEventListener: () => {},
  };
  Object.assign(inner, { matchMedia: () => query, requestAnimationFrame, cancelAnimationFrame });
  // Draws nothing and takes everything.
  const canvas = new Proxy({}, { get: () => () => ({ width: 8 }), set: () => true });
  for (const page of [window, inner]) {
    Object.assign(page.HTMLCanvasElement.prototype, { getContext: () => canvas });
  }
  const host = inner.document.createElement("div");
  inner.document.body.append(host);
  return host;
}
