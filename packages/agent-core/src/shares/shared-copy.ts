/** What a shared page holds: a copy of turns without secrets and without what was not ticked (O9). */
import type { CallOutcome, TaskState } from "../event/index.ts";
import { REDACTED, type Redactor } from "../redaction/index.ts";
import type { SessionTurn, TurnMessage } from "../session/index.ts";

/** What goes into a copy only where it is ticked. */
export interface ShareInclude {
  /** Arguments of tool calls, and approvals, which show them. */
  readonly toolArguments: boolean;
  readonly toolResults: boolean;
  readonly reasoning: boolean;
  readonly persona: boolean;
}

/** A piece of a copy. Times are epoch milliseconds. */
export type SharedBlock =
  | { readonly kind: "persona"; readonly text: string }
  | {
      readonly kind: "message";
      readonly from: TurnMessage["from"];
      readonly text: string;
      /** Names, or types where there is none; never what they hold. */
      readonly files: readonly string[];
      readonly at: number;
    }
  | { readonly kind: "thought"; readonly text: string }
  | {
      readonly kind: "call";
      /** The tool's own words, which hold arguments and results and so need both ticks, else its name in words. */
      readonly title: string;
      readonly outcome: CallOutcome;
      readonly ms: number;
      readonly args: string | undefined;
      readonly result: string | undefined;
    }
  | { readonly kind: "answer"; readonly text: string; readonly at: number }
  | { readonly kind: "component"; readonly component: unknown }
  | { readonly kind: "data"; readonly data: unknown }
  /** A turn that has not completed, or is not whole here. */
  | { readonly kind: "state"; readonly state: TaskState; readonly cut: boolean };

/** A copy as it is rendered. */
export interface SharedCopy {
  readonly title: string;
  readonly blocks: readonly SharedBlock[];
  readonly turns: number;
  /** Places where a secret was taken out. */
  readonly hidden: number;
}

/** What a call was given and what came back, whole as far as it is shown here. */
export interface CallTexts {
  readonly args: string;
  readonly result: string | undefined;
}

/** Characters of an argument text and of a result. */
const CALL_CHARS = 4_000;
/** A thought that was cut may end in the beginning of a secret, which cannot be recognised. */
const CUT_END = 1_024;
/** Characters of a message in a turn that was cut, for the same reason: texts are cut behind 65,536. */
const SURE_CHARS = 60_000;

/** Takes secrets out and counts them. */
export class CountingRedactor {
  readonly #redactor: Pick<Redactor, "text" | "value">;
  /** Places so far. */
  hidden = 0;

  constructor(redactor: Pick<Redactor, "text" | "value">) {
    this.#redactor = redactor;
  }

  text(text: string): string {
    const clean = this.#redactor.text(text);
    if (clean !== text) this.#count(text, clean);
    return clean;
  }

  value(value: unknown): unknown {
    const clean = this.#redactor.value(value);
    this.#count(JSON.stringify(value) ?? "", JSON.stringify(clean) ?? "");
    return clean;
  }

  #count(before: string, after: string): void {
    this.hidden += Math.max(0, after.split(REDACTED).length - before.split(REDACTED).length);
  }
}

/** The pieces of a turn, in order. `calls`: the texts of its calls, where they are kept. */
export function sharedTurn(
  turn: SessionTurn,
  include: ShareInclude,
  { calls, redactor }: { readonly calls: ReadonlyMap<string, CallTexts>; readonly redactor: CountingRedactor },
): readonly SharedBlock[] {
  const whole = (text: string): string => (turn.truncated ? text.slice(0, SURE_CHARS) : text);
  const messages = turn.messages.flatMap((message) => {
    if (message.about === "approval" && !include.toolArguments) return [];
    const files = message.files.map(({ name, mediaType }) => redactor.text(name ?? mediaType));
    const { from, at } = message;
    return [{ kind: "message" as const, from, text: whole(redactor.text(message.text)), files, at }];
  });
  const artifacts = turn.artifacts.map((artifact): SharedBlock => {
    if (artifact.kind === "data") return { kind: "data", data: redactor.value(artifact.data) };
    return { kind: "component", component: redactor.value(artifact.component) };
  });
  const { answer, updatedAt: at, state, truncated: cut } = turn;
  return [
    ...messages,
    ...stepsOf(turn, include, { calls, redactor }),
    ...(answer === "" ? [] : [{ kind: "answer" as const, text: whole(redactor.text(answer)), at }]),
    ...artifacts,
    ...(state === "completed" && !cut ? [] : [{ kind: "state" as const, state, cut }]),
  ];
}

function stepsOf(
  turn: SessionTurn,
  include: ShareInclude,
  { calls, redactor }: { readonly calls: ReadonlyMap<string, CallTexts>; readonly redactor: CountingRedactor },
): readonly SharedBlock[] {
  const steps: SharedBlock[] = [];
  const thoughts = include.reasoning ? turn.thoughts : [];
  const think = (after: number): void => {
    for (const { text, truncated, callsBefore } of thoughts) {
      const shown = redactor.text(text);
      if (callsBefore === after) steps.push({ kind: "thought", text: truncated ? shown.slice(0, -CUT_END) : shown });
    }
  };
  for (const [index, { id, name, title, outcome, ms }] of turn.toolCalls.entries()) {
    think(index);
    const texts = calls.get(id);
    const shown = (text: string | undefined): string | undefined => {
      if (text === undefined) return undefined;
      // Redacted whole: a cut may split a secret.
      const clean = redactor.text(text);
      return clean.length > CALL_CHARS ? `${clean.slice(0, CALL_CHARS)}…` : clean;
    };
    steps.push({
      ...{ kind: "call", outcome, ms },
      title:
        include.toolArguments && include.toolResults && title !== undefined
          ? redactor.text(title)
          : nameInWords(redactor.text(name)),
      args: include.toolArguments ? shown(texts?.args) : undefined,
      result: include.toolResults ? shown(texts?.result) : undefined,
    });
  }
  think(turn.toolCalls.length);
  return steps;
}

/** `current_time` as `Current time`. */
function nameInWords(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
