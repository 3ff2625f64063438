// What a program asks the terminal is answered by the backend, in the order of
// the stream and also when nobody looks. The page must therefore stay silent: an
// answer from here would come twice, and during a replay it would be typed into
// the shell.

import type { IDisposable, IParser } from "@xterm/xterm";

const swallow = (): boolean => true;

/** Takes every query from xterm.js; what sets a colour or a title still works. */
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
    ...[4, 10, 11, 12].map((code) => parser.registerOscHandler(code, asksForColour)),
  ];
}

// "4;1;?" and "11;?" ask; without a question mark it sets, which xterm.js does.
function asksForColour(data: string): boolean {
  return data.split(";").includes("?");
}
