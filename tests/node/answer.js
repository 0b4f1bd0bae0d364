// Answers every line of a vector file: node answer.js BINDINGS KIND FILE > answers, one a line.
const fs = require("node:fs");
const zlib = require("node:zlib");

const [bindings, kind, file] = process.argv.slice(2);
const { answer } = require(bindings);
const bytes = fs.readFileSync(file);
const text = (file.endsWith(".gz") ? zlib.gunzipSync(bytes) : bytes).toString("utf8");
const answers = text.split("\n").filter((line) => line.trim() !== "").map((line) => answer(kind, line));
fs.writeFileSync(1, answers.join("\n") + "\n");
