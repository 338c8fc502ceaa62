import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import type { ShownFile } from "./shown-file.ts";

type StoredTurn = AnswerOf<Extract<OperatorDefinition, { readonly name: "sessions.turns" }>>["turns"][number];

/** Images that tools returned in a turn. They are read from the service and from nowhere else. */
export function imagesOf(
  session: string,
  { task_id: task, tool_calls: calls }: Pick<StoredTurn, "task_id" | "tool_calls">,
): readonly ShownFile[] {
  return calls.flatMap(({ name, images = [] }) =>
    images.map(({ id, media_type: mediaType, size }, no) => ({
      name: images.length === 1 ? `Image of ${name}` : `Image ${no + 1} of ${name}`,
      ...{ mediaType, size, content: { kind: "stored", session, task, id } as const },
    })),
  );
}
