import type { ReactElement } from "react";
import { FirstPart } from "../../parts/index.ts";
import { KNOWLEDGE_PARTS } from "./knowledge-parts.ts";

/** Opens the first page of the screen. */
export function KnowledgeHome(): ReactElement {
  return <FirstPart parts={KNOWLEDGE_PARTS} />;
}
