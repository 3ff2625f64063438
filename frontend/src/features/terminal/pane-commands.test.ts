import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defaults } from "../../../test/fake";
import { Emulator } from "./emulator";
import { jsdomScreen } from "./jsdom-screen";
import { PaneCommands } from "./pane-commands";
import type { TerminalServices } from "./services";

const mark = (text: string) => `\x1b]133;${text}\x07`;
const prompt = `${mark("A")}$ ${mark("B")}`;
const lines = (n: number) => Array.from({ length: n }, (_, i) => `line ${i}\r\n`).join("");
const ran = (command: string, output: string, exit = 0) =>
  `${prompt}${command}\r\n${mark("C")}${output}${mark(`D;${exit}`)}`;

let emulator: Emulator;
let commands: PaneCommands;
let said: string[];
let typed: string[];
let copied: string[];
let reads: boolean;
const pane = { stick: vi.fn(), menu: vi.fn(), fetchScrollback: vi.fn(), pasteText: vi.fn(), focus: vi.fn() };
const write = (text: string) =>
  new Promise<void>((done) => emulator.write(new TextEncoder().encode(text), done));
const top = () => {
  const { active } = emulator.terminal.buffer;
  return active.getLine(active.viewportY)?.translateToString(true);
};

beforeEach(() => {
  [said, typed, copied, reads] = [[], [], [], true];
  vi.clearAllMocks();
  const look = { ...defaults.terminal, scrollback: 60, cursorBlink: false, fontFamily: "" };
  emulator = new Emulator(
    look,
    { background: "#161514" },
    {
      input: (data) => typed.push(new TextDecoder().decode(data)),
      key: () => false,
      scrolled: () => {},
      selected: () => {},
      found: () => {},
      links: { hostname: "", open: () => {}, refuse: () => {}, hover: () => {}, wants: () => true },
    },
  );
  emulator.terminal.resize(40, 6);
  const services = {
    notify: ({ title, text }: { title: string; text: string }) => said.push(`${title}: ${text}`),
    settings: { get: () => defaults.terminal },
  } as unknown as TerminalServices;
  commands = new PaneCommands(services, {
    ...pane,
    emulator,
    reads: () => reads,
    input: (text) => typed.push(text),
    copyText: async (text) => void copied.push(text),
  });
});

afterEach(() => {
  commands.dispose();
  emulator.dispose();
});

describe("commands of a pane", () => {
  it("goes from one to the next and ends at the bottom", async () => {
    await write(ran("one", lines(8)) + ran("two", lines(8)) + ran("three", lines(8)) + prompt);
    const way = (to: "previous" | "next") => {
      commands.go(to);
      return top();
    };
    expect([way("previous"), way("previous"), way("previous"), way("previous")]).toEqual([
      "$ three",
      "$ two",
      "$ one",
      "$ one",
    ]);
    expect([way("next"), way("next"), way("next")]).toEqual(["$ two", "$ three", "line 3"]);
    emulator.terminal.scrollToLine(12); // within the output of the second
    expect(way("previous")).toBe("$ two");
    emulator.terminal.scrollToLine(12);
    expect(way("next")).toBe("$ three");
    expect(pane.fetchScrollback).toHaveBeenCalled();
  });

  it("goes through commands that all are in view", async () => {
    await write(ran("one", "") + ran("two", "", 1) + prompt);
    commands.go("previous");
    commands.copyCommand();
    commands.go("previous");
    commands.copyCommand();
    commands.go("next");
    commands.copyCommand();
    await vi.waitFor(() => expect(copied).toEqual(["two", "one", "two"]));
    commands.typed();
    commands.copyCommand();
    await vi.waitFor(() => expect(copied).toHaveLength(4));
  });

  it("copies the output of the last that ended, or of the one that was gone to", async () => {
    await write(
      ran("one", "a  b\r\n0123456789012345678901234567890123456789wraps\r\n\r\nend\r\n") +
        ran("two", "x\r\n"),
    );
    await write(`${prompt}sleep 9\r\n${mark("C")}working`);
    commands.copyOutput();
    commands.go("previous");
    commands.copyOutput(); // that which runs, as far as it is
    commands.go("previous");
    commands.go("previous");
    commands.copyOutput();
    await vi.waitFor(() =>
      expect(copied).toEqual(["x", "working", "a  b\n0123456789012345678901234567890123456789wraps\n\nend"]),
    );
    expect(said).toContain("4 lines of output copied: of one.");
  });

  it("says what it cannot copy", async () => {
    commands.copyOutput();
    await write(ran("true", ""));
    commands.copyOutput();
    await write(prompt + lines(80));
    commands.copyOutput();
    expect(said).toEqual([
      "No output was copied: The program here does not say where its commands begin.",
      "No output was copied: It printed nothing.",
      "No output was copied: It has left the scrollback; “Find in output” may still have it.",
    ]);
    await write(`\x1bc${ran("seq 100", lines(100))}`);
    commands.copyOutput();
    await vi.waitFor(() => expect(copied[0]).toMatch(/line 99$/));
    expect(said.at(-1)).toMatch(
      /lines of output copied: of seq 100. Its beginning has left the scrollback.$/,
    );
  });

  it("leaves out the sign of zsh for a missing line end", async () => {
    const sign = (cell: string) => `\x1b[1m\x1b[7m${cell}\x1b[27m\x1b[1m\x1b[0m${" ".repeat(39)}\r \r`;
    await write(ran("printf 50", `50${sign("%")}`) + ran("echo 50%", "50%\r\n"));
    const [first, second] = emulator.marks.commands;
    commands.copyOutput(first);
    commands.copyOutput(second);
    await vi.waitFor(() => expect(copied).toEqual(["50", "50%"]));
  });

  it("runs one again at an empty prompt, and else says why not", async () => {
    emulator.open(jsdomScreen());
    await write(ran("make test", "ok\r\n"));
    commands.runAgain();
    await write(prompt);
    commands.runAgain();
    expect(typed).toEqual(["make test", "\r"]);
    await write("make");
    commands.runAgain();
    await write("\x1b[4D"); // the cursor at the beginning of what was typed
    commands.runAgain();
    await write(`\x1b[4C\r\n${mark("C")}`);
    commands.runAgain();
    await write(`${mark("D;0")}${prompt}\x1b[30C12:00\x1b[3G\x1b[?1049h`);
    commands.runAgain();
    await write("\x1b[?1049l");
    reads = false;
    commands.runAgain();
    expect(typed).toHaveLength(2);
    expect(said).toEqual([
      "Nothing was run: The shell is not at its prompt.",
      "Nothing was run: There is something at the prompt already.",
      "Nothing was run: There is something at the prompt already.",
      "Nothing was run: make is still running.",
      "Nothing was run: A program has the whole screen.",
      "Nothing was run: The program in this terminal has ended.",
    ]);
    reads = true;
    commands.runAgain(); // beside a prompt at the right
    expect(typed).toHaveLength(4);
  });

  it("goes by what was typed where the prompt has no end", async () => {
    emulator.open(jsdomScreen());
    await write(`${mark("A")}> x\r\n${mark("C;cmdline_url=x")}${mark("D;0")}${mark("A")}> `);
    commands.runAgain();
    expect(typed).toEqual(["x", "\r"]);
    commands.typed();
    commands.runAgain();
    expect(typed).toHaveLength(2);
  });

  it("puts a command of several lines where it may go", async () => {
    emulator.open(jsdomScreen());
    await write(prompt);
    commands.enter("for x in 1\ndo y\ndone", true);
    expect(pane.pasteText).toHaveBeenCalledWith("for x in 1\ndo y\ndone");
    await write("\x1b[?2004h");
    commands.enter("for x in 1\ndo y\ndone", true);
    expect(typed).toEqual(["\x1b[200~for x in 1\rdo y\rdone\x1b[201~", "\r"]);
    commands.enter("ls", false);
    expect(typed.at(-1)).toBe("\x1b[200~ls\x1b[201~");
  });
});

describe("what is shown of them", () => {
  it("marks prompts in view and says whose output stands at the top", async () => {
    const margin = document.createElement("div");
    const hide = commands.showIn(margin);
    await write(`${ran("true", "")}${ran("false", "", 1)}${prompt}sleep\r\n${mark("C")}`);
    const shown = () => {
      commands.measure();
      return [...margin.querySelectorAll("button")].map((b) => `${b.className}: ${b.title}`);
    };
    expect(shown()).toEqual([
      "term-mark running: sleep is running",
      "term-mark failed: false exited with 1",
      "term-mark ok: true exited with 0",
    ]);
    margin.querySelector<HTMLElement>(".failed")?.click();
    expect(pane.menu.mock.lastCall?.[0].command.text).toBe("false");
    await write(`${lines(20)}${mark("D")}${prompt}`);
    expect(shown()).toEqual([]);
    emulator.terminal.scrollToLine(8);
    commands.measure();
    expect(pane.stick).toHaveBeenLastCalledWith({ text: "sleep", outcome: "unknown" });
    commands.goToSticky();
    expect(top()).toBe("$ sleep");
    expect(shown()).toEqual(["term-mark unknown: sleep ended, nobody said how"]);
    expect(pane.stick).toHaveBeenLastCalledWith(undefined);
    hide();
    expect(margin.childElementCount).toBe(0);
  });
});
