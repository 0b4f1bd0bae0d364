// Measures one piece of work: node measure.js BINDINGS NAME ROUNDS MILLISECONDS < lines. It is done so often at least,
// and for so long; prints its result and its shortest time.
const fs = require("node:fs");

const [bindings, name, rounds, milliseconds] = process.argv.slice(2);
const { Work } = require(bindings);
const work = new Work(name, fs.readFileSync(0, "utf8"));
work.prepare();
const result = work.run();
let shortest = Infinity;
const begun = Date.now();
for (let round = 0; round < Number(rounds) || Date.now() - begun < Number(milliseconds); round += 1) {
  work.prepare();
  const start = process.hrtime.bigint();
  work.run();
  shortest = Math.min(shortest, Number(process.hrtime.bigint() - start));
}
console.log(`${result} ${shortest}`);
