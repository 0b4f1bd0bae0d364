// Pictures of the page, for people to look at: node web/e2e/pictures.mjs FOLDER. `--readme` writes web/screenshot.png.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { answered, drop, launch, servePage } from "./browser.mjs";

const readme = process.argv.includes("--readme");
const folder = process.argv.slice(2).find((argument) => !argument.startsWith("--")) ?? "target/pictures";
const sizes = readme ? [[1440, 900]] : [[1440, 900], [1100, 800], [390, 844]];
const looks = readme ? [["light", "en"]] : [["light", "en"], ["dark", "en"], ["light", "zh-CN"], ["dark", "zh-CN"]];

const manifest = (image) => `
  apiVersion: apps/v1
  kind: DaemonSet
  metadata: {name: agent, namespace: ops}
  spec:
    updateStrategy: {rollingUpdate: {maxUnavailable: 10%}}
    selector: {matchLabels: {app: agent}}
    template:
      metadata: {labels: {app: agent}}
      spec:
        containers:
        - {name: main, image: "${image}"}
`;
const SCENARIO = `apiVersion: rollcast.dev/v1alpha1
kind: Scenario
name: A slow registry, and a node that goes
kubernetesVersion: "1.34"
timings:
  podReadyAfter: {median: 20s, p95: 45s}
  podGoneAfter: {least: 2s, most: 12s}
# 800 MB from a registry that gives 100 MB a second.
images: {bytes: 800000000, registryBytesPerSecond: 100000000}
cluster:
  pools:
  - {name: w, count: 40}
daemonSet:${manifest("agent:1")}
change:${manifest("agent:2")}
events:
- {at: 1m, nodeUnreachable: {node: w-07}}
- {at: 4m, cordon: {node: w-07}}
`;

const page = await servePage();
const browser = await launch();
try {
  if (!readme) mkdirSync(folder, { recursive: true });
  for (const [width, height] of sizes) {
    for (const [colorScheme, locale] of looks) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale });
      const tab = await context.newPage();
      tab.on("console", (message) => message.type() === "error" && console.error(message.text()));
      tab.on("pageerror", (error) => console.error(error));
      await tab.goto(page.address);
      await tab.locator("#now").waitFor();
      await tab.locator("canvas#timeline").waitFor();
      await tab.locator(".cm-line").first().waitFor({ state: "attached" });
      await answered(tab);
      // The middle of the rollout, with a node of the second group.
      const box = await tab.locator("canvas#timeline").boundingBox();
      await tab.mouse.click(box.x + 52 + (box.width - 68) * 0.41, box.y + box.height / 2);
      if (width >= 1100) {
        const map = await tab.locator("canvas#map").boundingBox();
        await tab.mouse.click(map.x + map.width * 0.8, map.y + 60);
        await tab.mouse.move(map.x + 5, map.y + map.height - 5);
        await tab.locator(".callout").waitFor({ timeout: 3000 }).catch(() => console.error("nothing was inspected"));
      }
      await tab.evaluate(() => document.fonts.ready);
      await tab.waitForTimeout(250);
      const path = readme
        ? fileURLToPath(new URL("../screenshot.png", import.meta.url))
        : `${folder}/${width}-${colorScheme}-${locale.slice(0, 2)}.png`;
      await tab.screenshot({ path });
      if (width < 1100) {
        for (const [index, pane] of [[0, "editor"], [2, "inspector"]]) {
          await tab.locator(".panes button").nth(index).click();
          await tab.waitForTimeout(100);
          await tab.screenshot({ path: path.replace(".png", `-${pane}.png`) });
        }
      }
      if (!readme) {
        // The host port is taken by the old pod: with surge, the rollout stops and is diagnosed.
        const knobs = tab.locator(".knobs input");
        for (const [index, value] of [[1, "1"], [0, "0"]]) {
          await knobs.nth(index).fill(value);
          await knobs.nth(index).press("Enter");
        }
        await tab.locator("#why").evaluate((button) => button.click());
        await tab.locator(".finding").first().waitFor();
        await tab.screenshot({ path: path.replace(".png", "-stuck.png") });
        for (const index of [1, 0]) {
          await knobs.nth(index).fill("");
          await knobs.nth(index).press("Enter");
        }

        await drop(tab, SCENARIO, "scenario.yaml");
        await tab.waitForFunction(() => document.querySelector(".scenario").innerText.includes("registry"));
        await answered(tab);
        if (width < 1100) await tab.locator(".panes button").nth(0).click();
        await tab.locator(".more > summary").click();
        await tab.screenshot({ path: path.replace(".png", "-world.png") });
        await tab.locator(".more > summary").click();
        await drop(tab, SCENARIO.replace("node: w-07", "node: w-99").replace("20s", "50s"), "scenario.yaml");
        await tab.locator(".problems li").nth(1).waitFor();
        await tab.screenshot({ path: path.replace(".png", "-fault.png") });

        await drop(tab, SCENARIO.replace("count: 40", "count: 130000").replaceAll("w-07", "w-000007").replace(/images:.*\n/, ""), "scenario.yaml");
        await tab.waitForFunction(() => document.querySelector(".counters dd").innerText === "130000", null, { timeout: 60_000 });
        await tab.locator(".headline").waitFor({ state: "attached", timeout: 120_000 });
        if (width < 1100) await tab.locator(".panes button").nth(1).click();
        await tab.waitForTimeout(250);
        await tab.screenshot({ path: path.replace(".png", "-large.png") });
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  page.close();
}
