// One journey through the served page, end to end: node web/e2e/journey.mjs. Any failed expectation ends it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { answered, drop, launch, servePage } from "./browser.mjs";

const page = await servePage();
const origin = new URL(page.address).origin;
const browser = await launch();
let steps = 0;
/** One step of the journey, told as it is taken. */
async function step(name, act) {
  const start = performance.now();
  await act();
  steps += 1;
  console.log(`ok  ${name} (${Math.round(performance.now() - start)} ms)`);
}

try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "light", locale: "en" });
  const tab = await context.newPage();
  const faults = [];
  tab.on("pageerror", (error) => faults.push(String(error)));
  tab.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  const foreign = [];
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== "data:" && url.protocol !== "blob:") foreign.push(request.url());
    if (request.method() !== "GET") foreign.push(`${request.method()} ${request.url()}`);
  });
  const counter = (name) => tab.locator(".counters div", { hasText: name }).locator("dd").innerText();
  const number = async (name) => Number.parseInt(await counter(name), 10);
  const clock = () => tab.locator("#now").innerText();
  const canvas = async (id) => tab.locator(`canvas#${id}`).boundingBox();
  const settled = () => tab.waitForFunction(() => document.querySelector(".frame:not(.stale) canvas#timeline"));
  const type = async (from, to) => {
    await tab.locator(".cm-content").click();
    await tab.keyboard.press("Control+f");
    await tab.locator(".cm-search [name=search]").fill("");
    await tab.locator(".cm-search [name=search]").pressSequentially(from);
    await tab.keyboard.press("Enter");
    await tab.keyboard.press("Escape");
    await tab.keyboard.insertText(to);
  };

  await step("the first picture is there soon after the address", async () => {
    const start = performance.now();
    await tab.goto(page.address);
    await tab.locator("canvas#map").waitFor();
    await settled();
    const passed = performance.now() - start;
    console.log(`    first picture after ${Math.round(passed)} ms`);
    assert.ok(passed < 5000, "a second on an idle machine");
    assert.equal(await number("DESIRED"), 288);
    assert.equal(await number("UP-TO-DATE"), 0);
  });

  await step("the editor shows the change", async () => {
    await tab.locator(".cm-line", { hasText: "agent:2.4.0" }).waitFor({ state: "attached" });
    await tab.locator(".problems .empty").waitFor();
  });

  await step("a misspelt field is underlined and listed, and a click on it jumps there", async () => {
    await type("containers", "containrs");
    await tab.locator(".problems li").first().waitFor();
    await tab.locator(".cm-lintRange-error").first().waitFor();
    await tab.waitForFunction(() => document.querySelector(".problems").innerText.includes("containrs"));
    assert.equal(await tab.locator(".frame.stale").count(), 1, "the picture is from before and says so");
    await tab.locator(".problems li button").first().click();
    assert.match(await tab.locator(".cm-activeLine").innerText(), /containrs/);
    await type("containrs", "containers");
    await tab.locator(".problems .empty").waitFor();
    await settled();
  });

  await step("an edit plays another rollout", async () => {
    const before = await tab.locator(".figures").innerText();
    await type("10%", "25%");
    await tab.waitForFunction((text) => document.querySelector(".figures").innerText !== text, before);
    await settled();
    assert.match(await counter("BUDGET"), /of 72 used/);
  });

  await step("a knob tries a setting without an edit", async () => {
    const knob = tab.locator(".knobs input").first();
    await knob.fill("1");
    await knob.press("Enter");
    await tab.waitForFunction(() => document.querySelector(".counters").innerText.includes("of 1 used"));
    await knob.fill("many");
    await knob.press("Enter");
    await tab.locator(".knobs input[aria-invalid]").waitFor();
    await knob.fill("");
    await knob.press("Enter");
    await tab.waitForFunction(() => document.querySelector(".counters").innerText.includes("of 72 used"));
    await settled();
  });

  await step("many plays say how long and how risky, setting by setting", async () => {
    await answered(tab);
    assert.match(await tab.locator(".headline").innerText(), /^finishes after .+ at p95 .+/);
    assert.match(await tab.locator(".settings .own").innerText(), /maxUnavailable 25%\s+\d+:\d\d\s+\d+:\d\d\s+216/);
    assert.match(await tab.locator(".settings tr", { hasText: "maxSurge 1" }).first().innerText(), /never finishes/);
    assert.match(await tab.locator(".summary .reason").first().innerText(), /maxSurge/);
    await tab.locator(".summary details summary").click();
    assert.match(await tab.locator(".summary details").innerText(), /20 s in the middle, more than 40 s in one of twenty/);
    await tab.locator(".summary details summary").click();
  });

  await step("plays can be stopped", async () => {
    const knob = tab.locator(".knobs input").nth(2);
    await knob.fill("11");
    await knob.press("Enter");
    await tab.locator("#stop").click();
    await tab.waitForFunction(() => document.querySelector(".summary h2").innerText.includes("stopped"));
    await knob.fill("");
    await knob.press("Enter");
    await settled();
  });

  await step("a rollout that stops says why, and the command for it is copied", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const [unavailable, surge] = [0, 1].map((place) => tab.locator(".knobs input").nth(place));
    await surge.fill("1");
    await surge.press("Enter");
    await unavailable.fill("0");
    await unavailable.press("Enter");
    await tab.locator("#why").click();
    assert.ok((await tab.locator(".finding").count()) >= 1);
    const command = tab.locator(".command").first();
    await command.locator("button").click();
    await tab.waitForFunction(() => document.querySelector(".command button").innerText === "Copied");
    const copied = await tab.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await command.locator("code").textContent());
    assert.match(copied, /^kubectl /);
    for (const knob of [surge, unavailable]) {
      await knob.fill("");
      await knob.press("Enter");
    }
    await tab.waitForFunction(() => !document.querySelector(".finding"));
    await settled();
  });

  await step("stepping goes from decision to decision", async () => {
    assert.equal(await clock(), "0:00");
    await tab.locator("#forward").click();
    const second = await clock();
    assert.notEqual(second, "0:00");
    assert.match(await tab.locator("#decided").innerText(), /create|delete/);
    await tab.locator("#back").click();
    assert.equal(await clock(), "0:00");
  });

  await step("scrubbing shows the middle of the rollout", async () => {
    const box = await canvas("timeline");
    await tab.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const done = await number("UP-TO-DATE");
    assert.ok(done > 0 && done < 288, `${done}`);
  });

  await step("a clicked node says why, and its field leads to the line", async () => {
    const box = await canvas("map");
    await tab.mouse.click(box.x + 34, box.y + 34);
    await tab.locator(".callout").waitFor();
    assert.match(await tab.locator(".inspector .name").innerText(), /node-a-01/);
    assert.ok((await tab.locator(".checks li").count()) >= 3);
    await tab.locator(".checks .reference").first().click();
    assert.match(await tab.locator(".cm-activeLine").innerText(), /linux/);
  });

  await step("a node that is not eligible names its taint", async () => {
    await tab.locator("#find").fill("control-plane-1");
    await tab.waitForFunction(() => document.querySelector(".inspector .name")?.innerText.includes("control-plane-1"));
    assert.match(await tab.locator(".callout").innerText(), /node-role\.kubernetes\.io\/control-plane/);
    assert.ok((await tab.locator(".checks .failed").count()) >= 1);
  });

  await step("arrow keys on the map move the choice", async () => {
    await tab.locator("#find").fill("node-a-01");
    await tab.waitForFunction(() => document.querySelector(".inspector .name")?.innerText.includes("node-a-01"));
    await tab.locator("canvas#map").focus();
    await tab.keyboard.press("ArrowRight");
    await tab.waitForFunction(() => document.querySelector(".inspector .name")?.innerText.includes("node-a-02"));
  });

  await step("playing moves, typing stops it", async () => {
    await tab.keyboard.press("Escape");
    await tab.keyboard.press("Home");
    await tab.locator("#back").click();
    await tab.locator("#play").click();
    await tab.waitForFunction(() => document.querySelector("#now").innerText !== "0:00");
    await tab.locator(".cm-content").click();
    await tab.keyboard.press("End");
    await tab.keyboard.type(" ");
    assert.equal(await tab.locator("#play").getAttribute("aria-label"), "Play");
    await tab.keyboard.press("Backspace");
    await settled();
  });

  await step("the page speaks Chinese throughout", async () => {
    await tab.locator("#language").click();
    assert.equal(await tab.locator("html").getAttribute("lang"), "zh-Hans");
    await tab.locator("#find").fill("control-plane-2");
    await tab.waitForFunction(() => /污点/.test(document.querySelector(".callout")?.innerText ?? ""));
    const left = await tab.evaluate(() => {
      // Kubernetes' own words stay; anything else in Latin letters would be a forgotten translation.
      const known = /Rollcast|DaemonSet|[Pp]ods?|DESIRED|CURRENT|READY|UP-TO-DATE|AVAILABLE|maxUnavailable|maxSurge|minReadySeconds|EN|node|zone|m6i|xlarge|large|control-plane|kubernetes|io|role|NoSchedule|NoExecute|Exists|linux|os|spec|template|metadata|labels|taints|cpu|memory|pods|TCP|Gi|Mi|m|s|instance-type|topology|hostname|arch|worker|dedicated|agents|status|allocatable|Equal|nodeSelector|RollingUpdate|OnDelete|API|max/g;
      const text = ["header", ".map", ".inspector", ".controls", ".summary", ".problems", ".tabs"]
        .map((place) => document.querySelector(place)?.innerText ?? "").join("\n");
      return text.replace(known, "").match(/[A-Za-z]{3,}/g) ?? [];
    });
    assert.deepEqual(left, []);
    await tab.locator("#language").click();
    assert.equal(await tab.locator("html").getAttribute("lang"), "en");
  });

  await step("dark and light change places, and are remembered", async () => {
    await tab.locator("#theme").click();
    assert.equal(await tab.locator("html").getAttribute("data-theme"), "dark");
    await tab.reload();
    await settled();
    assert.equal(await tab.locator("html").getAttribute("data-theme"), "dark");
    await tab.locator("#theme").click();
    assert.equal(await tab.locator("html").getAttribute("data-theme"), "light");
  });

  await step("`?` lists the keys", async () => {
    await tab.locator("h1").click();
    await tab.keyboard.press("?");
    await tab.locator(".dialog").waitFor();
    await tab.keyboard.press("?");
    assert.equal(await tab.locator(".dialog").count(), 0);
  });

  await step("text from a manifest never becomes markup", async () => {
    await tab.locator(".tabs button").nth(2).click();
    await type("name=node-a", "<img src=x onerror=alert(1)>");
    await tab.locator(".problems li").first().waitFor();
    assert.equal(await tab.locator(".problems img").count(), 0);
    await type("<img src=x onerror=alert(1)>", "name=node-a");
    await settled();
  });

  await step("a dump too large for the editor is read beside it, and can be removed", async () => {
    await tab.locator(".tabs button").nth(2).click();
    await tab.locator(".host").evaluate((host) => {
      const node = (at) => ({
        apiVersion: "v1", kind: "Node",
        metadata: { name: `n-${at}`, labels: { "kubernetes.io/os": "linux" }, annotations: { filler: "x".repeat(8_000) } },
        status: { allocatable: { cpu: "8", memory: "32Gi", pods: "110" }, conditions: [{ type: "Ready", status: "True" }] },
      });
      const data = new DataTransfer();
      const items = Array.from({ length: 700 }, (_, at) => node(at));
      data.setData("text/plain", JSON.stringify({ apiVersion: "v1", kind: "List", items }));
      const editor = host.shadowRoot.querySelector(".cm-content");
      editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await tab.waitForFunction(() => document.querySelector(".counters dd").innerText === "700");
    assert.match(await tab.locator(".source").innerText(), /A dump of 5\.\d MB/);
    assert.ok((await tab.locator(".host").evaluate((host) => host.shadowRoot.querySelector(".cm-content").innerText)).length < 1_000);
    await tab.locator(".source button").click();
    await tab.waitForFunction(() => document.querySelector(".counters dd").innerText === "288");
    await settled();
  });

  const quiet = faults.length;
  const panic = async () => {
    const [worker] = tab.workers();
    await worker.evaluate(() => {
      // The request that asks for a panic: its tag, the length of the text, the text.
      const text = new TextEncoder().encode("a panic for the journey");
      const head = Uint8Array.of(3, text.length, ...text);
      self.dispatchEvent(new MessageEvent("message", { data: [4294967295, head, new Uint8Array()] }));
    });
  };
  await step("a panic in the worker is told, and the page goes on", async () => {
    await panic().catch(() => {});
    await tab.locator(".notice").waitFor();
    assert.match(await tab.locator(".notice").innerText(), /a panic for the journey/);
    await settled();
    assert.equal(await number("DESIRED"), 288);
    await tab.locator(".notice button").click();
    assert.equal(await tab.locator(".notice").count(), 0);
  });

  await step("a second panic on the same input stops until the input changes", async () => {
    await panic().catch(() => {});
    await tab.locator(".notice.bad").waitFor();
    await tab.locator(".tabs button").nth(1).click();
    await type("minReadySeconds: 10", "minReadySeconds: 20");
    await settled();
    assert.equal(await tab.locator(".notice").count(), 0);
  });

  const scenario = `# A scenario for the journey.
apiVersion: rollcast.dev/v1alpha1
kind: Scenario
name: Thirty <b>nodes</b>
kubernetesVersion: "1.34"
timings:
  podReadyAfter: {median: 30s, p95: 90s}  # slow
images: {bytes: 480000000}
cluster:
  pools:
  - {name: w, count: 30}
daemonSet:
  apiVersion: apps/v1
  kind: DaemonSet
  metadata: {name: agent, namespace: ops}
  spec:
    selector: {matchLabels: {app: agent}}
    template:
      metadata: {labels: {app: agent}}
      spec:
        containers:
        - {name: main, image: "agent:1"}
change:
  apiVersion: apps/v1
  kind: DaemonSet
  metadata: {name: agent, namespace: ops}
  spec:
    updateStrategy: {rollingUpdate: {maxUnavailable: 3}}  # three at a time
    selector: {matchLabels: {app: agent}}
    template:
      metadata: {labels: {app: agent}}
      spec:
        containers:
        - {name: main, image: "agent:2"}
events:
- {at: 1m, cordon: {node: w-07}}
`;
  const answer = async () => {
    await settled();
    await answered(tab);
    return [await tab.locator(".headline").innerText(), await tab.locator(".figures").innerText()];
  };
  const save = async () => {
    const [download] = await Promise.all([tab.waitForEvent("download"), tab.locator("#save").click()]);
    assert.equal(download.suggestedFilename(), "scenario.yaml");
    return readFile(await download.path(), "utf8");
  };
  let first;

  await step("a dropped scenario fills the documents, and another forecast is given", async () => {
    const [headline] = await answer();
    await drop(tab, scenario, "thirty.yaml");
    await tab.waitForFunction(() => document.querySelector(".counters dd").innerText === "30");
    first = await answer();
    assert.notEqual(first[0], headline);
    assert.equal(await tab.locator(".scenario").innerText(), "/Thirty <b>nodes</b>");
    assert.equal(await tab.locator(".tabs [aria-selected=true]").innerText(), "World");
    assert.match(await tab.locator(".cm-content").innerText(), /podReadyAfter: \{median: 30s, p95: 90s\} {2}# slow/);
    assert.equal(await tab.locator(".tabs .badge").count(), 0);
  });

  await step("what is saved says the same, keeps the comments and plays the same", async () => {
    const saved = await save();
    for (const comment of ["# A scenario for the journey.", "# slow", "# three at a time"]) assert.ok(saved.includes(comment));
    await drop(tab, saved, "saved.yaml");
    await tab.locator(".frame.stale").waitFor({ state: "attached" });
    assert.deepEqual(await answer(), first);
    assert.equal(await save(), saved, "and so again");
  });

  await step("knobs of the world edit its text, the release among them", async () => {
    await tab.locator(".more > summary").click();
    const size = tab.locator(".sheet input").nth(3);
    assert.equal(await size.inputValue(), "480");
    await size.fill("960");
    await size.press("Enter");
    await tab.locator(".cm-line", { hasText: "images: {bytes: 960000000}" }).waitFor();
    await tab.locator(".sheet select").selectOption("1.30");
    await tab.locator(".cm-line", { hasText: 'kubernetesVersion: "1.30"' }).waitFor();
    await tab.locator(".more > summary").click();
    assert.notEqual((await answer())[0], first[0], "larger images take longer");
  });

  await step("a fault in the world is told at its line, and the picture is from before", async () => {
    await type("median: 30s", "median: <img src=x onerror=alert(1)>");
    await tab.locator(".problems li").first().waitFor();
    assert.match(await tab.locator(".problems").innerText(), /<img src=x onerror=alert\(1\)>/);
    assert.equal(await tab.locator(".problems img").count(), 0);
    assert.equal(await tab.locator(".tabs .badge").innerText(), "1");
    await tab.locator(".banner").waitFor();
    await type("median: <img src=x onerror=alert(1)>", "median: 30s");
    await tab.locator(".problems .empty").waitFor();
    await settled();
  });

  await step("ten megabytes are no world: it says so, and nothing is lost", async () => {
    const before = await tab.locator(".cm-content").innerText();
    await tab.locator(".host").evaluate((host) => {
      const data = new DataTransfer();
      data.setData("text/plain", "# a comment\n".repeat(900_000));
      const editor = host.shadowRoot.querySelector(".cm-content");
      editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
    assert.match(await tab.locator(".notice").innerText(), /10\.8 MB are too much for this document/);
    assert.equal(await tab.locator(".cm-content").innerText(), before);
    await tab.locator(".notice button").click();
    await drop(tab, "<script>alert(1)</script>", "page.html");
    assert.match(await tab.locator(".notice").innerText(), /no scenario/);
    await tab.locator(".notice button").click();
    assert.equal(await tab.locator(".cm-content").innerText(), before);
  });

  await step("a scenario that cannot be read stays in the world, with its fault, until it can", async () => {
    await drop(tab, scenario.replace("v1alpha1", "v9"), "later.yaml");
    await tab.locator(".problems li").first().waitFor();
    assert.match(await tab.locator(".problems").innerText(), /rollcast\.dev\/v9/);
    await type("rollcast.dev/v9", "rollcast.dev/v1alpha1");
    await tab.waitForFunction(() => !document.querySelector(".tabs .badge"));
    await settled();
    assert.deepEqual(await answer(), first);
  });

  await step("a narrow window shows one pane at a time", async () => {
    await tab.setViewportSize({ width: 390, height: 844 });
    await tab.locator(".panes button").nth(0).click();
    assert.ok(await tab.locator(".cm-content").isVisible());
    assert.ok(!(await tab.locator("canvas#map").isVisible()));
    await tab.locator(".panes button").nth(1).click();
    assert.ok(await tab.locator("canvas#map").isVisible());
    const wide = await tab.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    assert.ok(!wide, "nothing runs over the edge");
  });

  await step("no request left the page, and nothing failed", async () => {
    assert.deepEqual(foreign, []);
    assert.deepEqual(faults.slice(0, quiet), []);
  });
  console.log(`journey: ${steps} steps passed`);
} finally {
  await browser.close();
  page.close();
}
