// The entry of the page and, started as a module Worker, of the worker: the module itself sees which of the two it is.
import init from "./rollcast.js";

init().catch((error) => {
  const text = String(error);
  if (globalThis.document) {
    const place = document.getElementById("boot");
    if (place) place.textContent = `Rollcast cannot start in this browser. 此浏览器无法运行 Rollcast。 (${text})`;
  } else {
    // The page shows it as it shows a panic.
    postMessage(text);
  }
});
