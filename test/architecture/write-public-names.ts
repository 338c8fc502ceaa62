import { writeFileSync } from "node:fs";
import path from "node:path";
import { parseTree } from "./parsed-file.ts";
import { pinText, publicNames } from "./public-names-rule.ts";
import { readSourceTree } from "./source-tree.ts";

/** `pnpm public-names`: writes what every published package offers into the file that pins it. */
const root = new URL("../..", import.meta.url).pathname;
const tree = new Map([...readSourceTree(root)].filter(([file]) => file.startsWith("packages/")));
for (const [pin, names] of publicNames(tree, parseTree(tree))) writeFileSync(path.join(root, pin), pinText(names));
