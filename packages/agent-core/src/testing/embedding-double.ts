import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

const DIMS = 256;

/** Words that mean the same, each group as one. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["car", "automobile", "vehicle", "auto"],
  ["doctor", "physician", "medic"],
  ["buy", "purchase", "acquire", "procure"],
  ["holiday", "vacation", "leave"],
  ["coffee", "espresso", "latte"],
  ["bill", "invoice"],
  ["salary", "wage", "pay", "wages"],
  ["laptop", "notebook", "computer"],
  ["begin", "start", "commence"],
  ["end", "finish", "stop", "conclude"],
  ["house", "home", "dwelling"],
  ["fast", "quick", "rapid", "speedy"],
  ["error", "fault", "bug", "defect"],
  ["repair", "fix", "mend"],
  ["customer", "client", "buyer"],
  ["boss", "manager", "supervisor"],
  ["trip", "journey", "travel"],
  ["password", "passphrase", "secret"],
  ["meeting", "appointment", "conference"],
  ["delete", "remove", "erase"],
];
const MEANING: ReadonlyMap<string, string> = new Map(
  SYNONYMS.flatMap(([first = "", ...rest]) => rest.map((word) => [word, first] as const)),
);

/** Words that a model hears little in. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  "a an and are as at be by can did do does for from had has have he her his how i if in into is it its me my no not of on or our she so than that the their them there they this to was we were what when where which who why will with would you your".split(
    " ",
  ),
);

function hash(text: string): number {
  let state = 2_166_136_261;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 16_777_619);
  return (state ^ (state >>> 13)) >>> 0;
}

/**
 * A vector made of a text's words, with their letters in threes, and of a table of synonyms. It is no model: it is the same
 * everywhere, and shows what is done with vectors, not how good they are.
 */
export function embeddingOf(text: string, dims = DIMS): number[] {
  const vector = Array.from({ length: dims }, (): number => 0);
  const add = (feature: string, weight: number): void => {
    const place = hash(feature);
    const at = place % dims;
    vector[at] = (vector[at] ?? 0) + (place & 0x8000 ? -weight : weight);
  };
  for (const word of text
    .toLowerCase()
    .normalize("NFKC")
    .match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (FUNCTION_WORDS.has(word)) continue;
    add(`word ${MEANING.get(word) ?? word}`, Math.min(word.length, 8) / 4);
    for (let at = 0; at + 3 <= word.length; at++) add(`letters ${word.slice(at, at + 3)}`, 0.25);
  }
  const isBlank = !vector.some((number) => number !== 0);
  return isBlank ? vector.with(0, 1) : vector;
}

/** What a request of the double is answered with in place of its vectors. */
export type EmbeddingFault = (texts: readonly string[], response: ServerResponse) => unknown;

/** An endpoint for embeddings in OpenAI's form, on a port of this machine, for tests. */
export interface EmbeddingDouble extends AsyncDisposable {
  /** What a connection's `baseUrl` should be. */
  readonly baseUrl: string;
  /** The texts of every request so far. */
  readonly asked: (readonly string[])[];
  /** Models that were asked for. */
  readonly models: string[];
  /** Set: requests are answered with this. */
  fault: EmbeddingFault | undefined;
  /** What texts become. Default `embeddingOf`. */
  embed: (text: string) => readonly unknown[];
}

/** Starts one that answers with `embeddingOf`. */
export async function embeddingDouble(): Promise<EmbeddingDouble> {
  const server = createServer((request, response) => {
    void (async () => {
      const { input, model } = (await json(request)) as { readonly input: readonly string[]; readonly model: string };
      double.asked.push(input);
      double.models.push(model);
      if (double.fault !== undefined) return double.fault(input, response);
      const data = input.map((text, index) => ({ object: "embedding", index, embedding: double.embed(text) }));
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ object: "list", data, model }));
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const double: EmbeddingDouble = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    ...{ asked: [], models: [], fault: undefined, embed: embeddingOf },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return double;
}
