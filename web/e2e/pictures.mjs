// Pictures of the page, for people to look at: node web/e2e/pictures.mjs FOLDER. `--readme` writes web/screenshot.png.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launch, servePage } from "./browser.mjs";

const readme = process.argv.includes("--readme");
const folder = process.argv.slice(2).find((argument) => !argument.startsWith("--")) ?? "target/pictures";
const sizes = readme ? [[1440, 900]] : [[1440, 900], [1100, 800], [390, 844]];
const looks = readme ? [["light", "en"]] : [["light", "en"], ["dark", "en"], ["light", "zh-CN"], ["dark", "zh-CN"]];

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
      await tab.waitForFunction(() => document.querySelectorAll(".settings tbody tr").length >= 9
        && !document.querySelector(".summary progress"), null, { timeout: 60_000 });
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
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  page.close();
}
