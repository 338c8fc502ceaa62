/** Reads hostile documents, and holds what comes of each against what is documented. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import {
  DOCUMENT_LIMITS,
  DocumentError,
  type Piece,
  readDocument,
} from "../../../packages/agent-core/src/document/index.ts";
import { type HostileDocument, hostileDocument } from "./hostile-documents.ts";

/** What came of them. */
export interface DocumentsReport {
  /** By kind and outcome. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly slowestMs: number;
  /** The longest time that the loop of this process was held. */
  readonly heldMs: number;
  readonly violations: readonly string[];
}

/** Documents that are read at once. */
const AT_ONCE = 2;

/** Reads the documents from 0 to `count` of a seed. */
export async function runDocuments(seed: string, count: number): Promise<DocumentsReport> {
  const outcomes = new Map<string, number>();
  const violations: string[] = [];
  // Made before, for to make them holds the loop.
  const documents = Array.from({ length: count }, (_, number) => hostileDocument(seed, number));
  const held = monitorEventLoopDelay({ resolution: 5 });
  held.enable();
  let [next, slowestMs] = [0, 0];
  const worker = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) {
      const { kind, ...document } = documents[number] as HostileDocument;
      const began = performance.now();
      const outcome = await read(document).catch((error: unknown) => `a fault: ${String(error)}`);
      slowestMs = Math.max(slowestMs, performance.now() - began);
      if (outcome.startsWith("a fault")) violations.push(`${number} (${kind}): ${outcome}`);
      const name = `${kind}: ${outcome}`;
      outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  held.disable();
  return { outcomes, slowestMs, heldMs: held.max / 1e6, violations };
}

async function read(input: { bytes: Uint8Array; name: string; mediaType: string }): Promise<string> {
  const { signal } = new AbortController();
  try {
    const document = await readDocument({ ...input, url: "" }, { redact: (text) => text, signal });
    const pieces: Piece[] = [];
    for (let more = await document.next(50); more.length > 0; more = await document.next(50)) pieces.push(...more);
    await document.close();
    if (pieces.length !== document.pieces) return `a fault: ${pieces.length} of ${document.pieces} pieces`;
    return faultOf(pieces) ?? "read";
  } catch (error) {
    if (error instanceof DocumentError) return error.code;
    throw error;
  }
}

function faultOf(pieces: readonly Piece[]): string | undefined {
  const { pieceChars, headingChars } = DOCUMENT_LIMITS;
  for (const { heading, text } of pieces) {
    if (text.trim() === "") return "a fault: a piece without text";
    if (text.length > pieceChars || heading.length > headingChars) return "a fault: a piece beyond its bounds";
    if (!text.isWellFormed() || !heading.isWellFormed()) return "a fault: half a character";
  }
  return undefined;
}
