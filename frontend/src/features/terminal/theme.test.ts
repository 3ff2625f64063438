import { describe, expect, it } from "vitest";
import { fitCells, lineHeightFor } from "./fit";
import { hexOf } from "./theme";

describe("colours", () => {
  it.each([
    ["rgb(219, 217, 211)", "#dbd9d3"],
    ["rgba(0, 0, 0, 0.5)", "#00000080"],
    ["rgb(1 2 3 / 1)", "#010203"],
    ["rgb(100% 0% 0%)", "#ff0000"],
    ["color(srgb 0.482353 0.670588 0.945098 / 0.26)", "#7babf142"],
    ["#AABBCC", "#aabbcc"],
    ["color(display-p3 1 0 0)", undefined],
    ["oklch(50% 0.1 20)", undefined],
    ["rgb(1, 2)", undefined],
    ["red", undefined],
    ["", undefined],
  ])("%s", (css, hex) => {
    expect(hexOf(css)).toBe(hex);
  });
});

describe("fit", () => {
  it("counts whole cells beside the scroll bar", () => {
    expect(fitCells({ width: 614, height: 449 }, { width: 7.5, height: 18 })).toEqual({
      cols: 80,
      rows: 24,
      xpixel: 600,
      ypixel: 432,
    });
  });

  it("says nothing of a hidden element and never less than 2 by 1", () => {
    expect(fitCells({ width: 0, height: 0 }, { width: 7.5, height: 18 })).toBeUndefined();
    expect(fitCells({ width: 600, height: 400 }, { width: 0, height: 0 })).toBeUndefined();
    expect(fitCells({ width: 16, height: 5 }, { width: 7.5, height: 18 })).toMatchObject({
      cols: 2,
      rows: 1,
    });
  });

  it.each([
    [18, 17, 1],
    [18, 16, 2],
    [14, 17, 1],
  ])("makes a row %i px high from a font of %i at %i device pixels", (row, font, dpr) => {
    const height = Math.floor(font * dpr * lineHeightFor(row, font)) / dpr;
    expect(height).toBe(Math.max(row, font));
  });
});
