import {
  chunkEvent,
  endEvents,
  errorReply,
  type GatewayReply,
  type GatewayRequest,
  textReply,
  toolReply,
} from "../../../packages/agent-core/src/testing/index.ts";

/** What people ask in the seeded conversations. */
export const SAYS = {
  trip: "Plan three days in Rome",
  failing: "Is the export running again?",
  jobs: "Compare the archives and count the records in the background",
  team: "Why was the disk full?",
  hours: "Is the shop in Rome open now?",
  clean: "Clean up the archives",
  move: "How long would it take to move the archives to the other disk?",
  export: "Find out why the nightly export failed.",
} as const;

/** What the model's server lists: prices in dollars a token. */
export const SEED_MODELS = [
  { id: "atlas-large", context_length: 200_000, pricing: { prompt: "0.000003", completion: "0.000015" } },
  { id: "atlas-small", context_length: 64_000, pricing: { prompt: "0.0000004", completion: "0.0000016" } },
];

const TRIP = `**Day one**: the old town on foot, from the Pantheon to Trastevere, with lunch at the market.

**Day two**: the Forum early, before it is hot, and the museums on the hill after it.

**Day three**: the Appian Way by bicycle; the last bus back leaves at 19:10.`;

const EXPORT = `## What went wrong

The nightly export failed at **02:14**: the folder it writes to was full. Three things are worth knowing.

1. The last good export is from *Friday*.
2. \`exports/\` holds 41 GB of old archives.
3. Nothing was lost; the queue kept every record.

| Archive | Size | Age |
|---|---:|---:|
| shop-2026-11-01 | 18 GB | 20 days |
| shop-2026-11-08 | 14 GB | 13 days |

\`\`\`ts
const archives = await list("exports/");
for (const { name, age } of archives) if (age > 7) await remove(name);
\`\`\`

> Nothing is removed before you say so.`;

const JOBS = ["Compare two archives", "Count the records"].map((description) => ({
  description,
  prompt: `${description} and say what you found.`,
  subagent_type: "researcher",
}));
const LOG_READER = { description: "Read the log", prompt: "Read the log of the night.", subagent_type: "researcher" };

/** The model's answers, one for each time that it is asked in the turn of a message. */
const ANSWERS: readonly (readonly [says: string, ...answers: readonly GatewayReply[]])[] = [
  [SAYS.trip, textReply(TRIP)],
  [SAYS.failing, errorReply(401, "The key has expired.")],
  [
    SAYS.jobs,
    toolReply({ name: "task_batch", args: { tasks: JOBS, run_in_background: true } }),
    textReply("Both run in the background. I report when they are done."),
  ],
  [SAYS.team, toolReply({ name: "task", args: LOG_READER }), textReply("The archives of three weeks filled it.")],
  [LOG_READER.prompt, textReply("The disk was full at 02:14.")],
  ...JOBS.map(({ prompt, description }) => [prompt, textReply(`${description}: done.`)] as const),
  [SAYS.hours, toolReply({ name: "current_time", args: { timezone: "Europe/Rome" } })],
  [SAYS.clean, toolReply({ name: "ask_human", args: { question: "Which of the two archives may be removed?" } })],
  [
    SAYS.move,
    toolReply(...["41 * 8 / 0.9", "17 +"].map((expression) => ({ name: "calculator", args: { expression } }))),
    textReply("About **six minutes** at 0.9 Gbit/s, if nothing else uses the line."),
  ],
  [
    SAYS.export,
    {
      steps: [
        chunkEvent({
          reasoning_content: "The log of the night says more than the alarm. I look at the newest one first.",
        }),
        ...toolReply({ name: "calculator", args: { expression: "41 * 1024" } }).steps,
      ],
    },
    { steps: [chunkEvent({ content: EXPORT }), endEvents("stop", { prompt_tokens: 2_140, completion_tokens: 386 })] },
  ],
];

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** A model behind an OpenAI-compatible address that answers what is asked in the seeded conversations. */
export function seedModel(): (request: GatewayRequest) => GatewayReply {
  return ({ body }) => {
    const { messages } = body as Asked;
    const from = messages.findLastIndex(({ role }) => role === "user");
    const said = JSON.stringify(messages[from]?.content ?? "");
    const [, ...answers] = ANSWERS.find(([says]) => said.includes(says)) ?? [""];
    const before = messages.slice(from).filter(({ role }) => role === "assistant").length;
    return answers[before] ?? textReply("I have read it.");
  };
}
