/**
 * A chat-completions gateway without a model: the last user message determines the answer, so every run is the same.
 * `words N`: N deltas "w0 " to "w<N-1> ", four to a write. `tool NAME JSON`: one call, and "done" once its result is there.
 * `paced N RATE`: N words of markdown with formulas, after a diagram, RATE a second. `hold`: an answer that never comes. `later MS`: one word after so long. Anything else: one word. It prints its port.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface ChatMessage {
  readonly role: string;
  readonly content?: string | readonly { readonly text?: string }[];
}

const DELTAS_A_WRITE = 4;

/** The message itself: what the service recalls for it stands behind it, as parts or lines of their own. */
function textOf({ content = "" }: ChatMessage): string {
  const text = typeof content === "string" ? content : (content[0]?.text ?? "");
  return text.split("\n", 1)[0] ?? "";
}

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  const body = { id: "bench", object: "chat.completion.chunk", created: 1_700_000_000, model: "bench-1", choices };
  return `data: ${JSON.stringify(body)}\n\n`;
}

function end(finish: string): string {
  const usage = { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 };
  const last = {
    id: "bench",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "bench-1",
    choices: [],
    usage,
  };
  return `${chunk({}, finish)}data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`;
}

function words(response: ServerResponse, count: number): void {
  let next = 0;
  const write = (): void => {
    if (response.destroyed) return;
    let text = next === 0 ? chunk({ role: "assistant", content: "" }) : "";
    for (const stop = Math.min(next + DELTAS_A_WRITE, count); next < stop; next++)
      text += chunk({ content: `w${next} ` });
    if (next === count) response.end(text + end("stop"));
    else if (response.write(text)) setImmediate(write);
    else response.once("drain", write);
  };
  write();
}

const DIAGRAM = [
  ...[
    "The ",
    "nightly ",
    "export:\n\n",
    "```mermaid\n",
    "flowchart ",
    "TD\n",
    "  shop[Shop]",
    " --> ",
    "queue[Queue]\n",
  ],
  ...["  queue", " --> ", "export{Enough space?}\n", "  export", " -- yes --> ", "archive[Archive]\n"],
  ...["  export", " -- no --> ", "person[Ask a person]\n", "  person", " --> ", "export\n", "```\n\n"],
];
const MARKDOWN = [
  ...[
    "## Part\n\n",
    "The ",
    "nightly ",
    "export ",
    "failed ",
    "at ",
    "**02:14**: ",
    "its ",
    "folder ",
    "was ",
    "full. ",
  ],
  ...["It ", "holds ", "`41 GB` ", "of ", "old ", "archives.\n\n", "- one ", "item\n", "- another\n\n", "```ts\n"],
  ...["const ", "archives = ", "await ", 'list("exports/");\n', "await ", "remove(archives[0]);\n", "```\n\n"],
  ...[
    "A ",
    "day ",
    "adds ",
    "$",
    "g ",
    "= \\frac{41}",
    "{7}$, ",
    "so:\n\n",
    "$$\n",
    "t = ",
    "\\int_0^{\\infty} ",
    "e^{-g x}",
  ],
  ...["\\,dx ", "= \\sqrt{\\frac{1}", "{g^2}}\n", "$$\n\n"],
  ...["| Archive ", "| Size |\n", "|---|---:|\n", "| one ", "| 18 GB |\n", "| two ", "| 14 GB |\n\n"],
];

function paced(response: ServerResponse, count: number, rate: number): void {
  const began = performance.now();
  let next = 0;
  const wordAt = (at: number): string | undefined => DIAGRAM[at] ?? MARKDOWN[(at - DIAGRAM.length) % MARKDOWN.length];
  response.write(chunk({ role: "assistant", content: "" }));
  const timer = setInterval(() => {
    if (response.destroyed) return clearInterval(timer);
    const due = Math.min(count, Math.floor(((performance.now() - began) / 1_000) * rate));
    for (; next < due; next++) response.write(chunk({ content: wordAt(next) }));
    if (next < count) return;
    clearInterval(timer);
    response.end(end("stop"));
  }, 5);
}

function answer(response: ServerResponse, messages: readonly ChatMessage[]): void {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const asked = at < 0 ? "" : textOf(messages[at] as ChatMessage);
  const [command, name, ...rest] = asked.split(" ");
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (command === "hold") {
    response.flushHeaders();
  } else if (command === "later") {
    setTimeout(() => response.end(chunk({ role: "assistant", content: "done" }) + end("stop")), Number(name));
  } else if (command === "words") {
    words(response, Number(name));
  } else if (command === "paced") {
    paced(response, Number(name), Number(rest[0]));
  } else if (command === "tool" && !messages.slice(at).some(({ role }) => role === "tool")) {
    const call = { index: 0, id: "call_1", type: "function", function: { name, arguments: rest.join(" ") } };
    response.end(chunk({ role: "assistant", tool_calls: [call] }) + end("tool_calls"));
  } else {
    response.end(chunk({ role: "assistant", content: "done" }) + end("stop"));
  }
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    if (request.method !== "POST")
      return void response.end(JSON.stringify({ object: "list", data: [{ id: "bench-1" }] }));
    const { messages } = JSON.parse(Buffer.concat(parts).toString()) as { messages: ChatMessage[] };
    answer(response, messages);
  });
});
server.keepAliveTimeout = 120_000;
server.requestTimeout = 0;
server.listen(0, "127.0.0.1", 4096, () => console.log((server.address() as AddressInfo).port));
