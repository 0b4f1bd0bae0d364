// A served page and a browser, for the journey, the pictures and the measurements.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Serves what stands in web/dist; the address, and how to end it. PAGE names a page that is served already. */
export async function servePage() {
  if (process.env.PAGE) return { address: process.env.PAGE, close() {} };
  const server = spawn("cargo", ["web", "serve", "--no-build"], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  while (!text.includes("\n")) text += (await once(server.stdout, "data"))[0];
  return { address: text.trim(), close: () => server.kill() };
}

/** Chromium: CHROMIUM names another binary. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    chromiumSandbox: false,
    args: [
      "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  });
}

/** The page in a window of its own, with the cluster's text selected. */
export async function openCluster(browser, address) {
  const tab = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  tab.on("pageerror", (error) => console.error(error));
  await tab.goto(address);
  await tab.locator(".tabs button").nth(2).click();
  await tab.locator(".cm-content").click();
  await tab.keyboard.press("Control+a");
  return tab;
}

/** Waits until as many nodes are seen, and how they fare. */
export function seen(tab, nodes) {
  return tab.waitForFunction((nodes) => document.querySelector(".counters dd")?.innerText === nodes
    && document.querySelector(".frame:not(.stale)"), String(nodes), { timeout: 120_000 });
}

/** Waits until every setting has been played as often as it is. */
export function answered(tab) {
  return tab.waitForFunction(() => document.querySelectorAll(".settings tbody tr").length >= 9
    && !document.querySelector(".summary progress"), null, { timeout: 120_000 });
}

/** The gaps between frames while something is done, in milliseconds, the shortest first. */
export async function frames(tab, act) {
  await tab.evaluate(() => {
    globalThis.gaps = [];
    let last = performance.now();
    const frame = (now) => {
      globalThis.gaps.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await act();
  return tab.evaluate(() => globalThis.gaps.slice(1).sort((a, b) => a - b));
}

/** Gives a file to the page as if it were dropped beside the editor. */
export function drop(tab, text, name) {
  return tab.evaluate(([text, name]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    document.querySelector(".stage").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, [text, name]);
}
