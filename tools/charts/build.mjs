// Bundles charts.mjs into one file for the HTML report, with the licences of all that
// is in it at its head, since the file is passed on with every report.
//
//	node build.mjs FILE
import {build} from "esbuild";
import {readdirSync, readFileSync, writeFileSync} from "node:fs";

const result = await build({
  entryPoints: ["charts.mjs"], bundle: true, minify: true, write: false, metafile: true,
  format: "iife", globalName: "Plot", target: "es2020", charset: "ascii", legalComments: "none",
});

const packages = new Set();
for (const [path, {bytesInOutput}] of Object.entries(Object.values(result.metafile.outputs)[0].inputs)) {
  const name = path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/);
  if (name && bytesInOutput > 0) packages.add(name[1]);
}

// Packages whose licences differ in nothing but the holders share the text.
const licences = new Map();
for (const name of [...packages].sort()) {
  const folder = `node_modules/${name}`;
  const about = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((f) => /^(un)?licen[sc]e(\.(md|txt))?$/i.test(f));
  if (!file) throw new Error(`${name}: no licence file`);
  const lines = readFileSync(`${folder}/${file}`, "utf8").replaceAll("\r", "").trim().split("\n");
  const holder = (line) => /^(Copyright|All rights reserved)/.test(line);
  const text = lines.filter((line) => !holder(line)).join("\n").replace(/\n{3,}/g, "\n\n").trim();
  const holders = lines.filter(holder).map((line) => `  ${line}\n`).join("");
  licences.set(text, (licences.get(text) ?? "") + `${name} ${about.version} (${about.license})\n${holders}`);
}

let head = "/*! Written by make charts; do not edit.\n";
for (const [text, names] of licences) head += `\n${names}\n${text}\n`;
head += "*/\n";
if (head.indexOf("*/") !== head.length - 3) throw new Error("a licence ends the comment");
writeFileSync(process.argv[2], head + result.outputFiles[0].text);
