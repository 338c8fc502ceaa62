/** What the chat-completions surface answers (V1), as the official clients read it. */
import { fields, parsed, ShapeError } from "./shapes.ts";

function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new ShapeError(what);
}

/** Id of the task behind a completion. */
function taskOf(id: unknown): string {
  must(typeof id === "string" && id.startsWith("chatcmpl-"), `a completion with id ${String(id)}`);
  return id.slice("chatcmpl-".length);
}

function choiceIn(
  completion: { readonly [name: string]: unknown },
  object: string,
): { readonly [name: string]: unknown } {
  must(completion.object === object, `a ${object} that is ${String(completion.object)}`);
  must(Number.isSafeInteger(completion.created) && typeof completion.model === "string", "a completion without model");
  must(Array.isArray(completion.choices), "a completion without choices");
  return completion.choices.length === 0 ? {} : fields(completion.choices[0], "a choice");
}

/** A completion; the id of its task. Throws `ShapeError`. */
export function completionIn(body: string): string {
  const completion = fields(parsed(body, "a completion"), "a completion");
  const { message, finish_reason: reason } = choiceIn(completion, "chat.completion");
  must(typeof fields(message, "a message").content === "string", "a completion without text");
  must(["stop", "length"].includes(String(reason)), `a completion that ends by ${String(reason)}`);
  fields(completion.usage, "usage");
  return taskOf(completion.id);
}

/** A streamed completion; the id of its task, if it shows one. `left`: it was not read to its end. */
export function chunksIn(body: string, left: boolean): string | undefined {
  const events = body.split("\n\n").slice(0, -1);
  const data = events.filter((event) => !event.startsWith(":")).map((event) => event.replace(/^data: /, ""));
  must(left || data.at(-1) === "[DONE]", `a stream that ends with ${data.at(-1)}`);
  let task: string | undefined;
  for (const text of data) {
    if (text === "[DONE]") break;
    const chunk = fields(parsed(text, "a chunk"), "a chunk");
    const { delta } = choiceIn(chunk, "chat.completion.chunk");
    if (delta !== undefined) fields(delta, "a delta");
    must(task === undefined || task === taskOf(chunk.id), "a chunk of another completion");
    task = taskOf(chunk.id);
  }
  return task;
}
