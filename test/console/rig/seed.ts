import type { TestService } from "../../../apps/server/src/testing/test-service.ts";
import { createOperatorClient } from "../../../packages/operator-api/src/client.ts";

const ANSWER = `/say ## What went wrong

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
  prompt: `${description}\n/say ${description}: done.`,
  subagent_type: "researcher",
}));
const LOG_READER = {
  description: "Read the log",
  prompt: "Read the log of the night\n/say The disk was full at 02:14.",
  subagent_type: "researcher",
};

/**
 * Gives a service something to show on every screen, as a person and its peers would have left it after a morning.
 * `beforeEach` is called before each message, to let time pass on the service's clock.
 */
export async function seed(service: TestService, beforeEach: () => void = () => {}): Promise<void> {
  const operator = createOperatorClient({ baseUrl: service.url });
  const say = async (session: string, message: string, title?: string): Promise<void> => {
    beforeEach();
    await operator.post("/api/chat", { body: { message, session_id: session } });
    if (title === undefined) return;
    await operator.patch("/api/chat/sessions/{id}", { params: { id: session }, body: { title } });
  };
  const issues = [
    { title: "Remove old archives", type: "chore", priority: 1, description: "Those older than a week." },
    { title: "Warn before the disk is full", type: "feature", priority: 2 },
    { title: "Export fails without a message", type: "bug", priority: 0 },
  ] as const;
  for (const body of issues) await operator.post("/api/tasks/issues", { body });
  const items = [
    { text: "The nightly build failed.", priority: "later", source: "ci" },
    { text: "A customer asks for the report.", priority: "next", source: "mail" },
    { text: "Disk at 95 %.", priority: "now", source: "monitor" },
  ] as const;
  for (const body of items) await operator.post("/api/inbox", { body });
  await say("trip-1", "Plan three days in Rome\n/say Day one: the old town on foot.", "Three days in Rome");
  // The turn fails, and the request with it; the conversation shows why.
  await say("broken-1", "Is the export running again?\n/fail 401").catch(() => undefined);
  await say(
    "jobs-1",
    `Compare the archives and count the records in the background\n/call task_batch ${JSON.stringify({ tasks: JOBS, run_in_background: true })}`,
    "Two comparisons",
  );
  await service.service.core.features.background.idle();
  await say(
    "team-1",
    `Why was the disk full?\n/call task ${JSON.stringify(LOG_READER)}\n/then\n/say The disk was full.`,
    "Why the disk was full",
  );
  await say("ask-1", 'Is the shop in Rome open now?\n/call current_time {"timezone":"Europe/Rome"}', "Opening hours");
  await say(
    "ask-2",
    'Clean up the archives\n/call ask_human {"question":"Which of the two archives may be removed?"}',
    "Clean the archives",
  );
  const calls = ["41 * 8 / 0.9", "17 +"].map((expression) => `/call calculator ${JSON.stringify({ expression })}`);
  await say("export-1", ["And how long would it take to move them?", ...calls].join("\n"));
  const think = "/think The log will tell. I look at the newest one first.";
  const size = '/call calculator {"expression":"41 * 1024"}';
  const asked = ["Find out why the nightly export failed.", think, size, "/then", ANSWER].join("\n");
  await say("export-1", asked, "Why the nightly export failed");
}
