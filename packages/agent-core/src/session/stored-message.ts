import type { DraftTurn } from "./session-turn.ts";

/** Adds a message of the conversation to a turn whose events were deleted. */
export function addMessage(turn: DraftTurn, kind: string, body: unknown, at: number): void {
  const { content = [], text } = body as { readonly content?: readonly MessageContent[]; readonly text?: string };
  if (kind !== "user") {
    turn.answer = text ?? "";
    return;
  }
  const texts = content.flatMap((part) => part.text ?? []);
  // An image of a message is as the model is shown it: without a name.
  const files = content.filter((part) => part.text === undefined);
  turn.messages.push({
    ...{ from: "user", text: texts.join("\n"), at },
    files: files.map(({ mediaType }) => ({
      ...{ name: undefined, mediaType: mediaType ?? "image" },
      ...{ id: undefined, size: undefined },
    })),
  });
}

interface MessageContent {
  readonly text?: string;
  readonly mediaType?: string;
}
