import { type AnswerOf, OperatorApiError, type OperatorDefinition } from "@agent-service/operator-api/client";
import { answerPrompt, type PromptPayload } from "./answer-prompt.ts";
import type { CommandContext } from "./command.ts";
import type { Keyboard } from "./command-io.ts";
import { clean } from "./terminal-text.ts";

/** How a direct call stands. */
type Called = AnswerOf<Extract<OperatorDefinition, { readonly name: "tools.call" }>>;

/** Asks the person what a call waits for, until what they say fits. False: the person left. */
export async function askPerson(context: CommandContext, called: Called, keyboard: Keyboard): Promise<boolean> {
  const { api, write } = context;
  if (called.input_required === undefined) return false;
  const { prompt_id: id, ...payload } = called.input_required;
  const { approvals } = await api.get("/api/approvals", { query: { task_id: called.task_id, limit: 200 } });
  const row = approvals.find((one) => one.id === id);
  const rights = { mayEdit: row?.may_edit === true, mayRemember: row?.may_remember === true };
  for (;;) {
    const prompt = { ...payload, promptId: id } as PromptPayload;
    const decision = await answerPrompt(prompt, rights, keyboard, context);
    if (decision === undefined) return false;
    try {
      await api.post("/api/approvals/{id}", { params: { id }, body: decision });
      return true;
    } catch (error) {
      if (!(error instanceof OperatorApiError) || error.status !== 400) throw error;
      write(`${clean(error.message)}\n`);
    }
  }
}
