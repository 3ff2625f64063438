import { Terminal } from "@xterm/xterm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ShellCommand, ShellMarks } from "./shell-marks";

const mark = (text: string) => `\x1b]133;${text}\x07`;
const prompt = `${mark("A")}$ ${mark("B")}`;
const ran = (command: string, output: string, exit: number | "") =>
  `${prompt}${command}\r\n${mark("C")}${output}${mark(`D;${exit}`)}`;

let terminal: Terminal;
let marks: ShellMarks;
const write = (text: string) => new Promise<void>((done) => terminal.write(text, done));
const told = () => marks.commands.map(describeCommand);

function describeCommand(command: ShellCommand): string {
  const at = (name: "prompt" | "typed" | "output" | "end") => {
    const place = command[name];
    if (!place) return "-";
    if (place.gone) return "gone";
    const { y, x } = place.at(terminal.cols);
    return `${y},${x}`;
  };
  const exit = command.exit === undefined ? "" : ` ${command.exit}`;
  return `${command.state}${exit} ${at("prompt")} ${at("typed")} ${at("output")} ${at("end")} ${command.text}`.trim();
}

beforeEach(() => {
  terminal = new Terminal({ cols: 20, rows: 5, scrollback: 20, allowProposedApi: true });
  marks = new ShellMarks(terminal);
});

afterEach(() => {
  marks.dispose();
  terminal.dispose();
});

describe("marks of a shell", () => {
  it("follow commands with their places, texts and exit codes", async () => {
    await write(`hello\r\n${ran("make", "a\r\nb\r\n", 2)}${ran("ls", "", 0)}${prompt}x`);
    expect(told()).toEqual([
      "ended 2 1,0 1,2 2,0 4,0 make",
      "ended 0 4,0 4,2 5,0 5,0 ls",
      "typing 5,0 5,2 - -",
    ]);
  });

  it("rely on what a shell promises, not on more", async () => {
    await write(`${prompt}\r\n${prompt}\r\n${prompt}`); // empty lines
    expect(told()).toEqual(["typing 2,0 2,2 - -"]);
    await write(`ls\r\n${mark("C")}x\r\n${mark("D;0")}${prompt}\r${mark("D;0")}${prompt}`); // drawn again
    expect(told()).toEqual(["ended 0 2,0 2,2 3,0 4,0 ls", "typing 4,0 4,2 - -"]);
    await write(`exec sh\r\n${mark("C")}${prompt}`);
    expect(told()[1]).toBe("lost 4,0 4,2 5,0 - exec sh");
    await write(`y\r\n${mark("C")}${mark("D")}`);
    expect(told()[2]).toBe("ended 5,0 5,2 6,0 6,0 y");
  });

  it("take the text that the shell says before that on the screen", async () => {
    await write(`${prompt}echo "a  10:15\r\n${mark("C;aid=1;cmdline_url=echo%20%22a%3B%C3%A9%0Ab%1b%22")}`);
    expect(marks.commands[0]?.text).toBe('echo "a;é\nb"');
    await write(`${mark("D;0")}${prompt}ls\r\n${mark("C;cmdline_url=%zz")}`);
    expect(marks.commands[1]?.text).toBe("ls");
  });

  it("know when what stands on the screen is not what was typed", async () => {
    await write(ran("for i in 1\r\n> do ls\r\n> done", "", 0) + ran("for i in 1\r\ndo? ls", "", 0));
    const told = marks.commands.map(({ text, exact }) => ({ text, exact }));
    expect(told).toEqual([
      { text: "for i in 1\ndo ls\ndone", exact: true },
      { text: "for i in 1\ndo? ls", exact: false },
    ]);
  });

  it("stay at their text when lines are wrapped anew", async () => {
    await write(`${ran("echo 0123456789 0123456789", "0123456789 0123456789\r\n", 0)}${prompt}\r\n\n`);
    for (const cols of [9, 40, 7, 20]) {
      terminal.resize(cols, 5);
      const [first] = marks.commands;
      const at = (place: ShellCommand["prompt"]) => place?.at(cols) ?? { y: -1, x: -1 };
      const row = ({ y, x }: { y: number; x: number }) =>
        terminal.buffer.active.getLine(y)?.translateToString(true, x);
      expect(row(at(first?.prompt))).toMatch(/^\$ echo/);
      expect(row(at(first?.typed))).toMatch(/^echo/);
      expect(row(at(first?.output))).toMatch(/^01234/);
      expect(row(at(first?.end))).toMatch(/^\$/);
    }
  });

  it("go with their lines, and with a reset", async () => {
    await write(`${ran("ls", "x\r\n", 1)}${"\r\n".repeat(40)}`);
    expect(told()).toEqual(["ended 1 gone gone gone gone ls"]);
    await write(prompt);
    expect(told()).toHaveLength(1);
    await write(`\x1bc${ran("ls", "x\r\n", 1)}`);
    expect(told()).toEqual(["ended 1 0,0 0,2 1,0 2,0 ls"]);
    await write("\x1bc");
    expect(terminal.markers).toHaveLength(0);
  });

  it("know output that began above a screen", async () => {
    await write(`\x1bc${mark("C")}more\r\n${mark("D;3")}${prompt}`);
    expect(told()).toEqual(["ended 3 - - 0,0 1,0", "typing 1,0 1,2 - -"]);
    expect(marks.commands[0]?.cut).toBe(true);
  });

  it("are not made on the alternate screen", async () => {
    await write(`${prompt}vi\r\n${mark("C")}\x1b[?1049h${prompt}${mark("D;1")}\x1b[?1049l`);
    expect(told()).toEqual(["running 0,0 0,2 1,0 - vi"]);
  });

  it("keep the prompt when all else is cleared", async () => {
    await write(`${ran("ls", "x\r\n", 1)}${prompt}abc`);
    marks.keepCursorLine(() => terminal.clear());
    expect(told()).toEqual(["typing 0,0 0,2 - -"]);
    await write(`\r\n${mark("C")}`);
    expect(told()).toEqual(["running 0,0 0,2 1,0 - abc"]);
  });

  it("are bounded, and share what xterm follows", async () => {
    await write(ran("x", "", 0).repeat(1200));
    expect(marks.commands.length).toBeLessThanOrEqual(1000);
    await write("\x1bc");
    await write(ran("x", "", 0));
    expect(terminal.markers).toHaveLength(2);
  });
});
