// A dump of a large cluster pasted into the page: how long until it is seen, and whether the page stays smooth.
// node web/e2e/dump.mjs [NODES]. About 8.6 kB a node and its pod, as kubectl prints them: 43 MB for 5,000.
import assert from "node:assert/strict";
import { frames, launch, openCluster, seen, servePage } from "./browser.mjs";

const nodes = Number(process.argv[2] ?? 5_000);
const page = await servePage();
const browser = await launch();
try {
  const tab = await openCluster(browser, page.address);
  const gaps = await frames(tab, async () => {
    const pasted = await tab.evaluate(paste, nodes);
    console.log(`${pasted.bytes} bytes pasted in ${pasted.milliseconds} ms`);
    const start = performance.now();
    await seen(tab, nodes);
    console.log(`seen after ${Math.round(performance.now() - start)} ms more`);
  });
  console.log(`longest gaps between frames, ms: ${gaps.slice(-5).reverse().map(Math.round).join(", ")}`);
  await tab.locator(".knobs input").first().fill("7");
  const turned = performance.now();
  await tab.locator(".knobs input").first().press("Enter");
  await tab.waitForFunction(() => document.querySelector(".counters").innerText.includes("of 7 used"), null, { timeout: 60_000 });
  console.log(`a knob is seen after ${Math.round(performance.now() - turned)} ms: the dump is not read again`);
  await tab.screenshot({ path: process.env.PICTURE ?? "target/dump.png" });
  assert.ok(gaps.at(-1) < 2_000, "the page is never still for two seconds");
} finally {
  await browser.close();
  page.close();
}

/** In the page: pastes what kubectl would print of so many nodes and a pod on each. */
function paste(nodes) {
  const images = Array.from({ length: 50 }, (_, at) => ({
    names: [`registry.example/team/image-${at}@sha256:${"ab12".repeat(16)}`], sizeBytes: 48_000_000 + at,
  }));
  const items = [];
  for (let at = 0; at < nodes; at += 1) {
    const name = `node-${String(at).padStart(5, "0")}`;
    items.push({
      apiVersion: "v1", kind: "Node",
      metadata: { name, uid: `uid-${at}`, labels: { "kubernetes.io/hostname": name, "kubernetes.io/os": "linux" } },
      spec: {},
      status: {
        allocatable: { cpu: "8", memory: "32Gi", pods: "110" },
        conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }],
        images,
      },
    });
    items.push({
      apiVersion: "v1", kind: "Pod",
      metadata: { name: `web-${at}`, namespace: "shop", uid: `pod-${at}`, labels: { app: "web" } },
      spec: { nodeName: name, containers: [{ name: "web", image: "web:1", resources: { requests: { cpu: "1", memory: "2Gi" } } }] },
      status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
    });
  }
  const text = JSON.stringify({ apiVersion: "v1", kind: "List", items }, null, 1);
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const editor = document.querySelector(".host").shadowRoot.querySelector(".cm-content");
  const start = performance.now();
  editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  return { bytes: text.length, milliseconds: Math.round(performance.now() - start) };
}
