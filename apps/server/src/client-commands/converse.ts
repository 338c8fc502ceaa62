import { answerPrompt } from "./answer-prompt.ts";
import { chatTurn } from "./chat-turn.ts";
import type { CommandContext } from "./command.ts";
import { failureOf } from "./command-failure.ts";
import type { Keyboard } from "./command-io.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { clean, oneLine } from "./terminal-text.ts";
import { type ConversationWatch, watchConversation } from "./watch-conversation.ts";

const PROMPT = "\n> ";

export interface ConversationStart {
  readonly session: string | undefined;
  readonly model: string | undefined;
  readonly bypassApprovals: boolean;
}

/**
 * Reads and sends messages until the person leaves. While the person types nothing, reports of background jobs are
 * shown as they arrive, and their prompts are announced: an empty line answers one.
 */
export async function converse(
  context: CommandContext,
  keyboard: Keyboard,
  start: ConversationStart,
): Promise<ExitCode> {
  const { api, io, write, paint } = context;
  const { identity, model } = await api.get("/api/runtime/status");
  if (start.bypassApprovals)
    write(paint("yellow", "Approvals are bypassed: commands run without asking, where the settings let them.\n"));
  write(`${paint("bold", oneLine(identity.name))} on ${oneLine(model.name)}. /exit leaves, /help lists commands.\n`);
  let { session } = start;
  const own = new Set<string>();
  const announced = new Set<string>();
  const watch = watchConversation(context, () => session);
  const update = (): Promise<boolean> => showUpdates(context, watch, own, announced);
  try {
    for (;;) {
      await update();
      const release = io.onInterrupt(() => keyboard.close());
      watch.idle(() => void update().then((shown) => (shown ? write(paint("cyan", PROMPT)) : undefined)));
      const line = (await keyboard.ask(paint("cyan", PROMPT)).finally(release))?.trim();
      watch.busy();
      if (line === undefined || line === "/exit") break;
      if (line === "") {
        await answerWaiting(context, watch, keyboard);
        continue;
      }
      const turn = await chatTurn(context, { ...start, message: line, session }, keyboard);
      session = turn.session ?? session;
      if (turn.task !== undefined) own.add(turn.task);
      if (turn.exitCode === EXIT.interrupted) return EXIT.interrupted;
    }
  } finally {
    await watch.close();
  }
  if (session !== undefined) write(`\nContinue with: agent-service chat --session ${session}\n`);
  return EXIT.ok;
}

/** Shows reports and prompts that arrived meanwhile. True: there were any. */
async function showUpdates(
  context: CommandContext,
  watch: ConversationWatch,
  own: ReadonlySet<string>,
  announced: Set<string>,
): Promise<boolean> {
  const { write, paint } = context;
  let shown = false;
  try {
    for (const id of watch.ended(own)) {
      const { artifacts = [] } = await (await context.agent()).get(id);
      const texts = artifacts.flatMap(({ parts }) => parts).flatMap((part) => ("text" in part ? [part.text] : []));
      write(`\n${paint("dim", `(by itself, task ${id})`)}\n${clean(texts.join("\n"))}\n`);
      shown = true;
    }
    const waiting = (await watch.asked()).filter(({ id }) => !announced.has(id));
    for (const { id, origin } of waiting) {
      announced.add(id);
      write(
        `\n${paint("yellow", `A task of this conversation (${oneLine(origin)}) waits for you: an empty line answers it.`)}\n`,
      );
      shown = true;
    }
  } catch (error) {
    if (failureOf(error, context.service.url) === undefined) throw error;
  }
  return shown;
}

async function answerWaiting(context: CommandContext, watch: ConversationWatch, keyboard: Keyboard): Promise<void> {
  const { api, write } = context;
  for (const row of await watch.asked()) {
    const rights = { mayEdit: row.may_edit, mayRemember: row.may_remember };
    const decision = await answerPrompt(row.payload, rights, keyboard, context);
    if (decision === undefined) return;
    try {
      await api.post("/api/approvals/{id}", { params: { id: row.id }, body: decision });
    } catch (error) {
      const failure = failureOf(error, context.service.url);
      if (failure === undefined) throw error;
      write(`${clean(failure.message)}\n`);
    }
  }
}
