// Plays seeds with faults: node simulate.js BINDINGS FIRST COUNT > hashes, one a line.
const [bindings, first, count] = process.argv.slice(2);
const { simulate } = require(bindings);
process.stdout.write(simulate(Number(first), Number(count)));
