/** `pnpm conformance:report`: writes the page. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { readSourceTree } from "../architecture/source-tree.ts";
import { citationsIn } from "./citations.ts";
import { differences } from "./differences.ts";
import { conformanceReport, REPORT_PATH } from "./report.ts";
import { requirements } from "./requirements.ts";

const root = path.join(import.meta.dirname, "../..");
const citations = citationsIn(readSourceTree(root));
writeFileSync(path.join(root, REPORT_PATH), conformanceReport({ requirements, differences, citations }));
