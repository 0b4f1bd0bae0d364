// A served page and a browser, for the journey and the pictures.
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
