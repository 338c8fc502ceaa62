import type { Redactor } from "../redaction/index.ts";
import type { SessionTurn, TurnArtifact } from "./session-turn.ts";

/** The turn without secrets (S5). */
export function redactedTurn(turn: SessionTurn, redactor: Redactor): SessionTurn {
  const { text } = redactor;
  return {
    ...turn,
    messages: turn.messages.map((one) => ({
      ...one,
      text: text(one.text),
      files: one.files.map((file) => ({ ...file, name: file.name && text(file.name) })),
    })),
    answer: text(turn.answer),
    artifacts: turn.artifacts.map((artifact) => redactor.value(artifact) as TurnArtifact),
    note: turn.note && text(turn.note),
    toolCalls: turn.toolCalls.map((call) => ({
      ...call,
      name: text(call.name),
      args: call.args && text(call.args),
      title: call.title && text(call.title),
    })),
    thoughts: turn.thoughts.map((thought) => ({ ...thought, text: text(thought.text) })),
    model: turn.model && text(turn.model),
  };
}
