// Reads what a command writes in a terminal of its own and shows it in an xterm.js
// without a page, as fast as that takes it. Prints one JSON object: seconds, and
// what a serialized screen costs. Usage: node flood.mjs COMMAND
import serialize from "@xterm/addon-serialize";
import headless from "@xterm/headless";
import pty from "node-pty";

const cols = 120;
const rows = 40;
const terminal = new headless.Terminal({ cols, rows, scrollback: 5000, allowProposedApi: true });
const serializer = new serialize.SerializeAddon();
terminal.loadAddon(serializer);

const began = performance.now();
const program = pty.spawn("/bin/sh", ["-c", process.argv[2]], { cols, rows, encoding: null });
// What has not been parsed is bounded, as every user of node-pty has to do it.
const most = 1 << 20;
let waiting = 0;
let bytes = 0;
program.onData((data) => {
  bytes += data.length;
  waiting += data.length;
  if (waiting > most) program.pause();
  terminal.write(data, () => {
    waiting -= data.length;
    if (waiting < most / 2) program.resume();
  });
});
await new Promise((done) => program.onExit(done));
await new Promise((done) => terminal.write("", done));
const seconds = (performance.now() - began) / 1000;
const times = Array.from({ length: 50 }, () => {
  const start = performance.now();
  serializer.serialize({ scrollback: 0 });
  return performance.now() - start;
}).sort((a, b) => a - b);
console.log(JSON.stringify({ bytes, seconds, snapshot: times[25] }));
process.exit(0);
