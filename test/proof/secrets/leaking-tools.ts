/** Tools that tell everything they know, in every way a tool can tell something. */
import * as v from "valibot";
import { type AnyTool, defineTool, park } from "../../../packages/plugin-sdk/src/index.ts";

/** What the tools know. */
export interface Leaks {
  /** Secrets that the service knows too. */
  readonly known: readonly string[];
  /** Secrets that show by their shape only; they are thrown. */
  readonly shaped: readonly string[];
}

/** How many secrets one call tells. */
export const BATCH = 10;

/** Names of the tools; each takes `{from}`, the first secret it tells. */
export const LEAKING_TOOLS = ["tells", "tells_json", "throws", "shows", "asks", "asks_first", "prints"] as const;

/** What `prints` says beside secrets, so that one can see it was heard. */
export const PRINTED = "the tool prints";

const FORMS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => Buffer.from(`user:${secret}`).toString("base64"),
  (secret) => encodeURIComponent(secret),
  (secret) => Buffer.from(secret).toString("hex"),
  (secret) => JSON.stringify(secret),
];

/** Makes the tools. */
export function leakingTools({ known, shaped }: Leaks): readonly AnyTool[] {
  const batch = (from: number): readonly string[] => known.slice(from, from + BATCH);
  const told = (from: number): string =>
    batch(from)
      .map((secret, index) => (FORMS[(from + index) % FORMS.length] ?? String)(secret))
      .join(" | ");
  const input = v.object({ from: v.number() });
  const basics = { description: "Tells secrets.", input, effect: "pure" } as const;
  return [
    defineTool({ ...basics, name: "tells", run: ({ from }) => told(from) }),
    defineTool({
      ...basics,
      name: "tells_json",
      run: ({ from }) => ({ list: batch(from), named: Object.fromEntries(batch(from).map((one) => [one, one])) }),
    }),
    defineTool({
      ...basics,
      name: "throws",
      run({ from }) {
        const at = (from / BATCH) % shaped.length;
        throw new Error(`no luck with ${told(from)} nor ${shaped[at]}`, { cause: new Error(batch(from).join()) });
      },
    }),
    defineTool({
      ...basics,
      name: "shows",
      run: ({ from }) => ({
        type: "tool-result",
        text: told(from),
        component: { component: "keyvalue", props: { items: [{ label: told(from), value: batch(from).join() }] } },
      }),
    }),
    defineTool({ ...basics, name: "asks", run: ({ from }) => park.question(`Is it one of ${told(from)}?`) }),
    defineTool({
      ...basics,
      name: "asks_first",
      effect: "effect",
      approval: ({ from }) => ({ title: `Use ${batch(from)[0]}?`, detail: told(from) }),
      run: ({ from }) => told(from),
    }),
    defineTool({
      ...basics,
      name: "prints",
      run({ from }) {
        console.log(PRINTED, batch(from));
        console.error(new Error(told(from)));
        process.emitWarning(batch(from).join(" "));
        return "printed";
      },
    }),
  ];
}
