import type { TestService, TestServiceOptions } from "../../../apps/server/src/testing/test-service.ts";
import { localGateway } from "../../../packages/agent-core/src/testing/index.ts";
import { createOperatorClient } from "../../../packages/operator-api/src/client.ts";
import type { ConsoleRig } from "./console-rig.ts";
import { SAYS, SEED_MODELS, seedModel } from "./seed-model.ts";

/** Options of a service with something to show. `beforeEach` is called before each message, to let time pass on its clock. */
export interface SeededOptions extends Pick<TestServiceOptions, "clock" | "config"> {
  readonly beforeEach?: () => void;
}

/**
 * Starts a service, and the model it is connected to, that has something to show on every screen, as a person and its peers would
 * have left it after a morning. Stopping it stops the model too.
 */
export async function startSeeded(
  rig: ConsoleRig,
  { beforeEach, config = "", ...options }: SeededOptions = {},
): Promise<TestService> {
  const gateway = await localGateway(seedModel());
  gateway.list(SEED_MODELS);
  const providers = `providers: [{ id: atlas, type: compat-gateway, base_url: "${gateway.baseUrl}" }]`;
  const service = await rig.start({
    ...options,
    config: `identity: {name: Ada}\nenforcement: {require_approval: [current_time]}\n${providers}\nmodel: {name: "atlas:atlas-large"}\n${config}`,
    env: { SVC_MODEL: "", SVC_HEADLESS_SETUP: "true" },
  });
  await seed(service, beforeEach);
  const stop = async (): Promise<void> => {
    await service.stop();
    await gateway.close();
  };
  return { ...service, stop, [Symbol.asyncDispose]: stop };
}

async function seed(service: TestService, beforeEach: () => void = () => {}): Promise<void> {
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
  const watched = { check: "core:board", check_args: { issue_id: "task-1" } };
  await operator.post("/api/watches", { body: { condition: "The first issue is closed", ...watched } });
  const goal = { session_id: "archives-1", condition: "The archives are gone, and the export runs again", kick: false };
  const kept = { constraints: ["Ask before anything is removed"], boundaries: ["exports/latest"] };
  const verifier = { type: "plugin", check: "core:board", args: { issue_id: "task-1" } };
  await operator.post("/api/goals", { body: { ...goal, ...kept, verifier } });
  const items = [
    { text: "The nightly build failed.", priority: "later", source: "ci" },
    { text: "A customer asks for the report.", priority: "next", source: "mail" },
    { text: "Disk at 95 %.", priority: "now", source: "monitor" },
  ] as const;
  for (const body of items) await operator.post("/api/inbox", { body });
  const morning = { prompt: "Sum up what came in overnight.", schedule: "0 7 * * 1-5", timezone: "Europe/Berlin" };
  await operator.post("/api/scheduler/jobs", { body: { ...morning, job_id: "morning" } });
  await say("trip-1", SAYS.trip, "Three days in Rome");
  // The turn fails, and the request with it; the conversation shows why.
  await say("broken-1", SAYS.failing).catch(() => undefined);
  await say("jobs-1", SAYS.jobs, "Two comparisons");
  await service.service.core.features.background.idle();
  await say("team-1", SAYS.team, "Why the disk was full");
  await say("ask-1", SAYS.hours, "Opening hours");
  await say("ask-2", SAYS.clean, "Clean the archives");
  await say("export-1", SAYS.move);
  await say("export-1", SAYS.export, "Why the nightly export failed");
}
