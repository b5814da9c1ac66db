// One script and one style sheet, minified, where the Python package looks for them. The same bytes from the same lock file.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const outdir = process.argv[2] ?? here("../src/pitchline/viewer/dist");

const result = await build({
  entryPoints: [{ in: here("src/main.js"), out: "viewer" }, { in: here("src/style/viewer.css"), out: "viewer" }],
  absWorkingDir: here("."),
  outdir, bundle: true, minify: true, format: "esm", target: "es2022",
  charset: "utf8", legalComments: "none", sourcemap: false, metafile: true, logLevel: "warning",
  banner: { js: "/* pitchline; three.js (MIT, three.js authors), uPlot (MIT, Leon Sorokin): see LICENSES.txt */" },
});
for (const [file, out] of Object.entries(result.metafile.outputs)) {
  /** @type {Record<string, number>} */
  const from = {};
  for (const [input, part] of Object.entries(out.inputs)) {
    const key = /node_modules\/([^/]+)/.exec(input)?.[1] ?? "own";
    from[key] = (from[key] ?? 0) + part.bytesInOutput;
  }
  console.log(file, out.bytes, JSON.stringify(from));
}
// MIT asks for the licence to go with every copy
const licence = (/** @type {string} */ name) => `${name}\n\n${readFileSync(here(`node_modules/${name}/LICENSE`), "utf8").trim()}\n`;
writeFileSync(`${outdir}/LICENSES.txt`, [licence("three"), licence("uplot")].join("\n\n"));
for (const name of ["viewer.js", "viewer.css", "LICENSES.txt"]) {
  console.log(name, createHash("sha256").update(readFileSync(`${outdir}/${name}`)).digest("hex").slice(0, 16));
}
