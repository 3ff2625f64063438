// Draws build/appicon.png from the page's icon: make icon.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const size = 512;
const svg = readFileSync("frontend/public/icon.svg", "utf8");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: size, height: size } });
await page.setContent(`<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
await page.screenshot({ path: "build/appicon.png", omitBackground: true });
await browser.close();
