// What programs say of how far they are.

import assert from "node:assert/strict";

import { until } from "../support/until.mjs";
import { scenario } from "../support/world.mjs";

scenario("a program's progress is a line on its tab, and goes with its end", async (world) => {
  await world.serve();
  const app = await world.open(undefined, { reducedMotion: "reduce" });
  const term = await app.newTerminal();
  world.write("step.sh", `echo reads; while read -r state; do printf '\\033]9;4;%s\\a' "$state"; done\n`);
  const tab = app.page.locator(".tab", { has: app.page.locator(".nm") });
  const bar = tab.getByRole("progressbar");
  await term.run("bash step.sh");
  await term.shows(/^reads$/m);
  const says = async (sent, label, share) => {
    await app.type(`${sent}\n`);
    await bar.and(app.page.getByLabel(label, { exact: true })).waitFor();
    const [whole, part] = [await bar.boundingBox(), await bar.locator("span").boundingBox()];
    assert.ok(Math.abs(part.width / whole.width - share) < 0.02, `${label}: ${part.width} of ${whole.width}`);
    assert.match(await tab.getAttribute("title"), new RegExp(label));
    if (process.env.DROVER_PICTURES) await app.page.screenshot({ path: `${process.env.DROVER_PICTURES}/progress-${label.replace(/\W+/g, "-")}.png` });
  };
  await says("1;43", "43 % done", 0.43);
  await says("2;43", "failed at 43 %", 0.43);
  await says("4;43", "paused at 43 %", 0.43);
  await says("2", "failed", 1);
  await says("3", "busy", 0.34);
  // Nothing moves for who wants that.
  assert.equal(await bar.locator("span").evaluate((el) => el.getAnimations().length), 0);
  await app.type("0\n");
  await bar.waitFor({ state: "hidden" });

  // A program that is ended does not take it back itself.
  await says("1;70", "70 % done", 0.7);
  await app.key("Control+C");
  await term.shows(/\$ $/m);
  await bar.waitFor({ state: "hidden" });
  const other = await app.command("printf '\\033]9;4;1;20\\a'; read x");
  await until("it says so", () => bar.count().then((n) => n === 1));
  await other.click();
  await app.key("Enter");
  await bar.waitFor({ state: "hidden" });
});
