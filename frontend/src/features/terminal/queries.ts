// What a program asks the terminal is answered by the backend, in the order of
// the stream and also when nobody looks. The page must therefore stay silent: an
// answer from here would come twice, and during a replay it would be typed into
// the shell.

import type { IDisposable, IParser } from "@xterm/xterm";

const swallow = (): boolean => true;

/** Takes every query from xterm.js but those for colours, which ProgramColours takes. */
export function silenceQueries(parser: IParser): IDisposable[] {
  return [
    parser.registerCsiHandler({ final: "c" }, swallow), // DA1
    parser.registerCsiHandler({ prefix: ">", final: "c" }, swallow), // DA2
    parser.registerCsiHandler({ prefix: "=", final: "c" }, swallow), // DA3
    parser.registerCsiHandler({ final: "n" }, swallow), // DSR, CPR
    parser.registerCsiHandler({ prefix: "?", final: "n" }, swallow), // DECDSR
    parser.registerCsiHandler({ prefix: ">", final: "q" }, swallow), // XTVERSION
    parser.registerCsiHandler({ intermediates: "$", final: "p" }, swallow), // DECRQM
    parser.registerCsiHandler({ prefix: "?", intermediates: "$", final: "p" }, swallow),
    parser.registerCsiHandler({ final: "t" }, swallow), // window reports and orders
    parser.registerCsiHandler({ prefix: "?", final: "u" }, swallow), // kitty keyboard
    parser.registerCsiHandler({ prefix: "?", final: "S" }, swallow), // XTSMGRAPHICS
    parser.registerDcsHandler({ intermediates: "$", final: "q" }, swallow), // DECRQSS
    parser.registerDcsHandler({ intermediates: "+", final: "q" }, swallow), // XTGETTCAP
    // The backend tells of these, whether anybody looks or not.
    ...[9, 52, 99, 777].map((code) => parser.registerOscHandler(code, swallow)),
  ];
}
