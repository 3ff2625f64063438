// What @xterm/headless shows for a stream of bytes, as JSON. It reads a request a
// line and writes an answer a line, so that one process serves thousands of cases;
// backend/internal/screenjudge is the other end.
//
//   {"provider": "/path/to/widths.ts"}       whose ClusterWidths is xterm.js's IUnicodeVersionProvider
//   {"cols", "rows", "scrollback", "steps": [{"write": base64} | {"resize": [cols, rows]}], "probe": base64}
//     answers {"before": dump, "after": dump once the probe was written too, "error", "notes"}
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import headless from '@xterm/headless';
import ts from 'typescript';

const { Terminal } = headless;
let provider;

// load imports a module of the page: TypeScript, and what it imports beside it.
async function load(path) {
  const url = async (file) => {
    const source = await readFile(file, 'utf8');
    let { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } });
    for (const [whole, name] of outputText.matchAll(/from "(\.\/[^"]+)"/g)) {
      outputText = outputText.replace(whole, `from "${await url(join(dirname(file), `${name}.ts`))}"`);
    }
    return `data:text/javascript;base64,${Buffer.from(outputText).toString('base64')}`;
  };
  return import(await url(path));
}

const colour = (value, kind) => {
  switch (kind >>> 24) {
    case 1:
      return `a${value & 0xff}`;
    case 2:
      return `p${value & 0xff}`;
    case 3:
      return `#${(value & 0xffffff).toString(16)}`;
  }
  return '';
};

const flagNames = ['isBold', 'isDim', 'isItalic', 'isBlink', 'isInverse', 'isInvisible', 'isStrikethrough', 'isOverline', 'isProtected'];

// Most cells look like some before: what a cell without extended attributes looks
// like is worked out once.
const looks = new Map();

function look(core, cell) {
  if (cell.fg === 0 && cell.bg === 0) return '';
  if (cell.hasExtendedAttrs()) return lookOf(core, cell);
  const key = `${cell.fg} ${cell.bg}`;
  let known = looks.get(key);
  if (known === undefined) {
    known = lookOf(core, cell);
    looks.set(key, known);
  }
  return known;
}

function lookOf(core, cell) {
  let flags = 0;
  for (let i = 0; i < flagNames.length; i++) if (cell[flagNames[i]]()) flags |= 1 << i;
  const extended = cell.hasExtendedAttrs() ? cell.extended : undefined;
  // The style that was set: with a link, xterm.js itself always says dashed.
  const style = cell.fg & 0x10000000 ? (extended ? (extended._ext & 0x1c000000) >> 26 : 1) : 0;
  const tint = extended && style ? colour(extended.underlineColor, extended.underlineColor & 0x3000000) : '';
  const link = extended?.urlId ? core.judgedLinks.get(extended.urlId) : undefined;
  const parts = [colour(cell.fg, cell.fg & 0x3000000), colour(cell.bg, cell.bg & 0x3000000), flags || '', style || '', tint];
  parts.push(link ? `${link.id ?? ''} ${link.uri}` : '');
  return parts.join(',').replace(/,+$/, '');
}

// lineOf is a line's text and its cells up to the last that is not a blank in
// default colours. A half of a wide character without its other half is a blank of
// one column: nobody can show it, and xterm.js leaves them behind at some edges.
function lineOf(core, line, cols, scratch) {
  const cells = [];
  for (let x = 0; x < cols; x++) {
    line.loadCell(x, scratch);
    cells.push({ text: scratch.getChars(), width: scratch.getWidth(), look: look(core, scratch) });
  }
  const halved = (x) => cells[x]?.width === 0 && cells[x].text === '';
  for (let x = 0; x < cols; x++) {
    if (cells[x].width === 2) {
      if (halved(x + 1)) x++;
      else Object.assign(cells[x], { text: '', width: 1 });
    } else if (halved(x)) cells[x].width = 1;
  }
  let text = '';
  for (const c of cells) if (c.width !== 0 || c.text !== '') text += c.text || ' ';
  const out = cells.map((c) => `${c.text}|${c.width}|${c.look}`);
  while (out.at(-1) === '|1|') out.pop();
  return { wrapped: line.isWrapped, text: text.replace(/ +$/, ''), cells: out.join('\n') };
}

function linesOf(core, buffer, cols, rows, first) {
  const scratch = buffer.getNullCell().constructor.fromCharData([0, '', 1, 0]);
  const lines = [];
  for (let i = first; i < buffer.ybase + rows; i++) lines.push(lineOf(core, buffer.lines.get(i), cols, scratch));
  return lines;
}

function modesOf(core) {
  const { decPrivateModes: m, modes, isCursorHidden } = core.coreService;
  const o = core.optionsService.rawOptions;
  return {
    cursorKeys: m.applicationCursorKeys,
    origin: m.origin,
    wrap: m.wraparound,
    reverseWrap: m.reverseWraparound,
    keypad: m.applicationKeypad,
    focus: m.sendFocus,
    bracketed: m.bracketedPasteMode,
    synchronized: m.synchronizedOutput,
    insert: modes.insertMode,
    newLine: o.convertEol,
    cursorVisible: !isCursorHidden,
    blinkDefault: o.cursorBlink,
    cursor: m.cursorStyle ? `${m.cursorStyle} ${m.cursorBlink}` : '',
    mouse: core.coreMouseService.activeProtocol,
    encoding: core.coreMouseService.activeEncoding,
  };
}

function dump(term) {
  const core = term._core;
  const { cols, rows, buffers } = core._bufferService;
  const active = buffers.active;
  return {
    cols,
    rows,
    x: Math.min(active.x, cols),
    y: active.y,
    alternate: active === buffers.alt,
    base: buffers.normal.ybase,
    main: linesOf(core, buffers.normal, cols, rows, 0),
    alt: active === buffers.alt ? linesOf(core, buffers.alt, cols, rows, active.ybase) : null,
    modes: modesOf(core),
  };
}

// mend takes three faults of xterm.js 6.0.0 out. Two garble text when lines are
// wrapped anew: it copies the texts of clusters from behind the cells in question
// too, over others; and when more lines come to be than are kept, it writes those
// before the first one over the last ones. The third is ED 1 at a row's end, which
// should take the wrap of the next row: it counts that one from the top of the
// scrollback, so it takes a wrong line's, or throws.
function mend(term) {
  const { lines } = term._core._bufferService.buffer;
  const proto = lines.get(0).constructor.prototype;
  if (proto.mended) return;
  proto.mended = true;
  const handler = term._core._inputHandler.constructor.prototype;
  const erase = handler.eraseInDisplay;
  handler.eraseInDisplay = function (params, keep) {
    const { cols, rows } = this._bufferService;
    const b = this._activeBuffer;
    const x = b.x;
    if (params.params[0] !== 1 || x + 1 < cols) return erase.call(this, params, keep);
    this._eraseInBufferLine(b.y, 0, x + 1, true, keep);
    b.x = cols - 2; // what is left to do, the rows above, does not depend on it
    erase.call(this, params, keep);
    b.x = Math.min(x, cols);
    if (b.y + 1 < rows) b.lines.get(b.ybase + b.y + 1).isWrapped = false;
    return true;
  };
  const list = lines.constructor.prototype;
  const set = list.set;
  list.set = function (index, value) {
    if (index >= 0) set.call(this, index, value);
  };
  const copy = proto.copyCellsFrom;
  proto.copyCellsFrom = function (src, srcCol, destCol, length, reverse) {
    const before = { ...this._combined };
    const from = { ...src._combined };
    copy.call(this, src, srcCol, destCol, length, reverse);
    for (const key of Object.keys(this._combined)) if (key < destCol || key >= destCol + length) delete this._combined[key];
    for (const [key, text] of Object.entries(before)) if (key < destCol || key >= destCol + length) this._combined[key] = text;
    for (let i = 0; i < length; i++) if (from[srcCol + i] !== undefined) this._combined[destCol + i] = from[srcCol + i];
  };
}

// unmade names what a terminal has that no sequence makes in a new one, so that no
// snapshot can bring it back.
function unmade(core, { cols, rows, x, alternate }) {
  const out = [];
  const { normal, alt, active } = core._bufferService.buffers;
  if (alternate && alt.lines.get(0).length > cols) out.push('hidden-columns');
  if (alternate && x === cols && !active.lines.get(active.ybase + active.y).hasContent(cols - 1)) out.push('empty-wrap');
  if (rows === 1) out.push('one-row');
  for (const b of alternate ? [normal, alt] : [normal]) {
    const line = b.savedY - b.ybase;
    if (line < 0 || line >= rows || (b.ybase > 0 && b.lines.length === b.lines.maxLength)) out.push('saved-line');
    for (let y = 0; y < rows; y++) {
      const l = b.lines.get(b.ybase + y);
      for (let k = 0; k < cols; k++) if (l.getWidth(k) === 2 && (k + 1 === cols || l.getWidth(k + 1) !== 0)) out.push('half');
    }
  }
  return out;
}

function run(request) {
  const term = new Terminal({
    cols: request.cols,
    rows: request.rows,
    scrollback: request.scrollback,
    allowProposedApi: true,
    logLevel: 'off',
    windowOptions: { pushTitle: true, popTitle: true },
  });
  const notes = new Set();
  mend(term);
  // xterm.js forgets a link once the lines are cleared that it was first seen on,
  // though cells and pen still refer to it; the judge does not.
  const links = term._core._oscLinkService;
  const register = links.registerLink.bind(links);
  term._core.judgedLinks = new Map();
  links.registerLink = (data) => {
    const id = register(data);
    term._core.judgedLinks.set(id, data);
    return id;
  };
  try {
    term.unicode.register(provider);
    term.unicode.activeVersion = provider.version;
    for (const step of request.steps) {
      if (step.resize) {
        const [cols, rows] = step.resize;
        if (cols === term.cols && rows === term.rows) continue;
        term._core.resize(cols, rows);
      } else term._core.writeSync(Buffer.from(step.write, 'base64'));
      if (term._core._bufferService.buffers.alt.ybase > 0) notes.add('alt-scrollback');
    }
    const before = dump(term);
    for (const what of unmade(term._core, before)) notes.add(what);
    term._core.writeSync(Buffer.from(request.probe ?? '', 'base64'));
    return { before, after: dump(term), notes: [...notes] };
  } catch (e) {
    return { error: String(e.stack).split('\n').slice(0, 3).join(' '), notes: [...notes] };
  } finally {
    term.dispose();
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer = {};
  if (request.provider) provider = new (await load(request.provider)).ClusterWidths();
  else answer = run(request);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
