// The largest cluster shown in public, 130,000 nodes, in the page: how long a computation takes, how smooth it plays.
// node web/e2e/large.mjs [NODES]. It prints figures and fails when frames take longer than they may.
import assert from "node:assert/strict";
import { launch, servePage } from "./browser.mjs";

const nodes = Number(process.argv[2] ?? 130_000);
const page = await servePage();
const browser = await launch();
try {
  const tab = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  tab.on("pageerror", (error) => console.error(error));
  await tab.goto(page.address);
  await tab.locator(".tabs button").nth(2).click();
  await tab.locator(".cm-content").click();
  await tab.keyboard.press("Control+a");
  const zones = ["a", "b", "c"].map((zone) =>
    `name=node-${zone},count=${Math.floor(nodes / 3)},label=topology.kubernetes.io/zone=zone-${zone}`);
  const start = performance.now();
  await tab.keyboard.insertText(`${zones.join("\n")}\nname=rest,count=${nodes - 3 * Math.floor(nodes / 3)}`);
  const frames = () => tab.evaluate(() => new Promise((done) => {
    const gaps = [];
    let last = performance.now();
    const frame = (now) => {
      gaps.push(now - last);
      last = now;
      if (gaps.length < 121) requestAnimationFrame(frame);
      else done(gaps.slice(1).sort((a, b) => a - b));
    };
    requestAnimationFrame(frame);
  }));
  const whileComputing = frames();
  const desired = String(nodes);
  await tab.waitForFunction((desired) => document.querySelector(".counters dd")?.innerText === desired
    && document.querySelector(".frame:not(.stale)"), desired, { timeout: 120_000 });
  console.log(`computed after ${Math.round(performance.now() - start)} ms`);
  const describe = (name, gaps) => {
    const at = (share) => gaps[Math.floor(share * (gaps.length - 1))].toFixed(1);
    console.log(`${name}: frame gaps median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`);
  };
  describe("while computing", await whileComputing);
  await tab.locator(".controls select").selectOption({ index: 5 });
  await tab.locator("#play").click();
  const playing = await frames();
  describe("while playing", playing);
  await tab.screenshot({ path: process.env.PICTURE ?? "target/large.png" });
  assert.ok(playing[60] < 50, "at least 20 frames a second");
} finally {
  await browser.close();
  page.close();
}
