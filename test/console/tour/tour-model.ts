import { setTimeout } from "node:timers/promises";
import {
  chunkEvent,
  endEvents,
  type GatewayReply,
  type GatewayRequest,
  type GatewayStep,
  textReply,
  toolReply,
} from "../../../packages/agent-core/src/testing/index.ts";

/** What the person of the tour says, by the name of what is shown. */
export const SAYS = {
  explain: "How does a message become an answer here? Draw it, and put the steps in a table.",
  long: "Tell me the whole history of lighthouses.",
  short: "Tell me the history of lighthouses in two sentences.",
  plan: "Plan a day in Lisbon for me. Ask me what I like first.",
  taste: "Old trams and good coffee",
  clock: "What time is it in Lisbon now?",
} as const;

/** What the model's server lists. */
export const TOUR_MODELS = [
  { id: "lisbon-large", context_length: 200_000, supported_parameters: ["tools", "reasoning_effort"] },
  { id: "lisbon-small", context_length: 32_000 },
];

/** What the model asks before it plans. */
export const QUESTION = "What do you like most on a free day?";

const EXPLAINED = `A message is **stored before anything happens**. Then the model and the tools take turns until there is an answer.

\`\`\`mermaid
flowchart LR
  M[Message] --> J[(Journal)]
  J --> L{Model}
  L -->|calls| T[Tool]
  T --> J
  L -->|answers| A[Answer]
\`\`\`

| Step | What is kept | After a restart |
| --- | --- | --- |
| Message | its text | the turn goes on |
| Model call | model, tokens, cost | it is asked again |
| Tool call | arguments, result | never made twice |

Press **How it got there** below an answer to see these steps for it.`;

const HISTORY = `# Lighthouses

The first lights were fires on hills. The **Pharos of Alexandria**, about 280 BC, was the first tower built for one, and it stood for some sixteen hundred years.

The Romans built about thirty more, from Dover to the Black Sea. After them came a long quiet, in which monks kept the fires, and then`;

const SHORT =
  "Lighthouses began as fires on hills and became towers with the Pharos of Alexandria, about 280 BC. Fresnel's lens of 1822 let one lamp be seen for thirty kilometres, and since about 1990 nearly all of them run without a keeper.";

const PLANNED = `A day for **old trams and good coffee**:

1. 8:30, tram 28 from Martim Moniz, before it is full
2. 10:30, coffee on the terrace of Graça
3. 13:00, lunch in Campo de Ourique, where the 28 ends
4. 16:00, the tram museum in Alcântara`;

/** A model behind an OpenAI-compatible address that can do what the tour shows. `msPerWord`: how slowly it writes. */
export function tourModel(msPerWord = 0): (request: GatewayRequest) => GatewayReply {
  const say = (text: string): GatewayReply => ({ steps: [...written(text, msPerWord), endEvents("stop")] });
  return ({ body }) => {
    const { messages, tools = [] } = body as Asked;
    const last = messages.at(-1);
    if (tools.some((tool) => tool.function.name === "report_ready"))
      return toolReply({ name: "report_ready", args: { ready: true } });
    const said = JSON.stringify(last?.content ?? "");
    if (last?.role === "tool") return say(said.includes(SAYS.taste) ? PLANNED : clockText(said));
    if (said.includes(SAYS.explain)) return say(EXPLAINED);
    if (said.includes(SAYS.short)) return say(SHORT);
    if (said.includes(SAYS.long)) return { steps: [...written(HISTORY, msPerWord), { do: "stall" }] };
    if (said.includes(SAYS.plan)) return toolReply({ name: "ask_human", args: { question: QUESTION } });
    if (said.includes(SAYS.clock)) return toolReply({ name: "current_time", args: { timezone: "Europe/Lisbon" } });
    return textReply("ready");
  };
}

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** The words of a text, each at its time. */
function written(text: string, msPerWord: number): readonly GatewayStep[] {
  return (text.match(/\s*\S+/g) ?? []).flatMap((content, index) => {
    const piece = chunkEvent({ content });
    return msPerWord === 0 ? [piece] : [piece, setTimeout((index + 1) * msPerWord)];
  });
}

function clockText(result: string): string {
  const time = /\d{1,2}:\d{2}/.exec(result)?.[0];
  return time === undefined ? "It is not known." : `It is **${time}** in Lisbon.`;
}
