// The largest cluster shown in public, 130,000 nodes, in the page: how long a computation takes, how smooth it plays.
// node web/e2e/large.mjs [NODES]. It prints figures and fails when frames take longer than they may.
import assert from "node:assert/strict";
import { frames, launch, openCluster, seen, servePage } from "./browser.mjs";

const nodes = Number(process.argv[2] ?? 130_000);
const page = await servePage();
const browser = await launch();
const describe = (name, gaps) => {
  const at = (share) => gaps[Math.floor(share * (gaps.length - 1))].toFixed(1);
  console.log(`${name}: frame gaps median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`);
};
try {
  const tab = await openCluster(browser, page.address);
  const zones = ["a", "b", "c"].map((zone) =>
    `name=node-${zone},count=${Math.floor(nodes / 3)},label=topology.kubernetes.io/zone=zone-${zone}`);
  const start = performance.now();
  const passed = () => Math.round(performance.now() - start);
  describe("while computing", await frames(tab, async () => {
    await tab.keyboard.insertText(`${zones.join("\n")}\nname=rest,count=${nodes - 3 * Math.floor(nodes / 3)}`);
    await seen(tab, nodes);
    console.log(`computed after ${passed()} ms`);
  }));
  await tab.locator(".controls select").first().selectOption({ index: 5 });
  await tab.locator("#play").click();
  const playing = await frames(tab, () => tab.waitForFunction(() => globalThis.gaps.length > 120));
  describe("while playing", playing);
  await tab.locator(".headline").waitFor({ timeout: 120_000 });
  console.log(`forecast after ${passed()} ms: ${await tab.locator(".headline").innerText()}`);
  await tab.waitForFunction(() => !document.querySelector(".summary progress"), null, { timeout: 240_000 });
  console.log(`all settings after ${passed()} ms, ${await tab.locator(".summary h2 .second").first().innerText()}`);
  await tab.screenshot({ path: process.env.PICTURE ?? "target/large.png" });
  assert.ok(playing[Math.floor(playing.length / 2)] < 50, "at least 20 frames a second");
} finally {
  await browser.close();
  page.close();
}
