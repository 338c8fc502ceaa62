/** The body of a shared page: static HTML in which every text of somebody is escaped. */
import type { SharedBlock, SharedCopy } from "@agent-service/agent-core/host";
import { escaped, markdownHtml } from "./safe-markdown.ts";

type Call = Extract<SharedBlock, { readonly kind: "call" }>;

const OUTCOMES: Readonly<Record<Call["outcome"], string>> = {
  ok: "done",
  error: "failed",
  denied: "declined",
  aborted: "stopped",
  unknown: "unknown outcome",
};
const STATES: Readonly<Record<Extract<SharedBlock, { readonly kind: "state" }>["state"], string>> = {
  queued: "It was waiting in the queue.",
  running: "It was at work.",
  parked: "It was waiting for a person.",
  completed: "",
  failed: "This turn failed.",
  canceled: "This turn was stopped.",
};

/** The blocks of a copy as HTML. One block at a time, so that a long copy holds nothing else up. */
export async function sharedBlocks({ blocks }: SharedCopy, agent: string): Promise<string> {
  const pieces: string[] = [];
  for (const block of blocks) pieces.push(await blockHtml(block, agent));
  return pieces.join("\n");
}

async function blockHtml(block: SharedBlock, agent: string): Promise<string> {
  switch (block.kind) {
    case "message": {
      const files = block.files.map((name) => `<li>${escaped(name)}</li>`).join("");
      const list = files === "" ? "" : `<ul class="files" aria-label="Attached">${files}</ul>`;
      const mine = block.from === "user";
      return turnPart(mine ? "user" : "agent", mine ? "User" : agent, `${await markdownHtml(block.text)}${list}`);
    }
    case "answer":
      return turnPart("agent", agent, await markdownHtml(block.text));
    case "thought":
      return `<details class="step"><summary>Thought</summary>${await markdownHtml(block.text)}</details>`;
    case "persona":
      return `<details class="step"><summary>Persona</summary>${await markdownHtml(block.text)}</details>`;
    case "call":
      return callHtml(block);
    case "component":
      return componentHtml(block.component);
    case "data":
      return code(JSON.stringify(block.data, undefined, 2) ?? "");
    case "state":
      return `<p class="state">${STATES[block.state]}${block.cut ? " Some of it is too long to be shown." : ""}</p>`;
  }
}

function turnPart(side: "user" | "agent", name: string, body: string): string {
  return `<section class="${side}"><h2>${escaped(name)}</h2><div class="text">${body}</div></section>`;
}

function callHtml({ title, outcome, ms, args, result }: Call): string {
  const line = `${escaped(title)} <span class="outcome">${OUTCOMES[outcome]}, ${durationOf(ms)}</span>`;
  if (args === undefined && result === undefined) return `<p class="step">${line}</p>`;
  const parts = [
    args === undefined ? "" : `<h3>Arguments</h3>${code(args)}`,
    result === undefined ? "" : `<h3>Result</h3>${code(result)}`,
  ];
  return `<details class="step"><summary>${line}</summary>${parts.join("")}</details>`;
}

function durationOf(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function code(text: string): string {
  return `<pre><code>${escaped(text)}</code></pre>`;
}

/** A table natively, any other component as its data. */
function componentHtml(component: unknown): string {
  const { component: kind, title, props } = fieldsOf(component);
  const { columns, rows } = fieldsOf(props);
  if (kind !== "table" || !Array.isArray(columns) || !Array.isArray(rows))
    return code(JSON.stringify(component, undefined, 2) ?? "");
  const caption = typeof title === "string" && title !== "" ? `<caption>${escaped(title)}</caption>` : "";
  const head = columns.map((one) => `<th scope="col">${cell(one)}</th>`).join("");
  const body = rows.map((row: unknown) => {
    const cells = Array.isArray(row) ? row : [row];
    return `<tr>${cells.map((one) => `<td>${cell(one)}</td>`).join("")}</tr>`;
  });
  return `<table>${caption}<thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

function fieldsOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null ? (value as { readonly [name: string]: unknown }) : {};
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "–";
  return escaped(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}
