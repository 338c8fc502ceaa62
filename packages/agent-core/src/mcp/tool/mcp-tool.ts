import {
  type AnyTool,
  type ApprovalRequest,
  type Effect,
  jsonInput,
  type ParkAnswer,
  type ToolContext,
} from "@agent-service/plugin-sdk";
import type { GenericSchema } from "valibot";
import type { JsonObject } from "../../json/index.ts";
import {
  asksBefore,
  offered,
  type PinnedDefinition,
  type ToolDefinition,
  withoutInvisible,
  withoutInvisibleIn,
} from "../definition/index.ts";
import { McpError } from "../mcp-error.ts";
import type { ApproveMode } from "../settings/index.ts";

type Outcome = ReturnType<AnyTool["run"]>;

/** How calls of a server's tools are made. `tool` is the server's own name. */
export interface ToolCalls {
  /** The tool's pin now: what it was when the model read of it may be approved no longer. */
  pin(tool: string): PinnedDefinition | undefined;
  run(tool: string, input: unknown, context: ToolContext): Outcome;
  resume?(tool: string, input: unknown, answer: ParkAnswer, context: ToolContext): Outcome;
  reattach?(tool: string, input: unknown, context: ToolContext): Outcome;
  /** Whether `reattach` can go on from a note. */
  reattaches?(tool: string, kept: unknown): boolean;
}

/** What a tool is made of. */
export interface ToolParts {
  readonly server: string;
  /** The name that the model is shown. */
  readonly name: string;
  /** The approved definition. */
  readonly definition: ToolDefinition;
  readonly effect: Effect;
  readonly approve: ApproveMode;
  /** Turns of peers have it (M14). */
  readonly federation: boolean;
  readonly calls: ToolCalls;
  /** The model searches for it. */
  readonly deferred?: boolean;
}

/** Makes what validates arguments of a JSON Schema. */
export type InputOf = (schema: JsonObject) => GenericSchema<unknown, unknown>;

const REASONS: Readonly<Record<ApproveMode, string>> = {
  never: "",
  always: "The settings of the server ask before every call.",
  marked: "The server says that this tool may delete or overwrite something.",
  destructive: "The server does not say that this tool only reads or only adds.",
};

/** The line and reason that a person is asked with (M5). */
function approvalOf({ server, definition, effect, approve }: ToolParts): ApprovalRequest | undefined {
  if (!asksBefore(approve, definition.hints, effect)) return undefined;
  const label = withoutInvisible(definition.title ?? definition.name)
    .replaceAll(/\s+/g, " ")
    .trim();
  return { title: `Call ${label.slice(0, 100)} of ${server}?`, detail: REASONS[approve], bypassable: true };
}

/** @throws McpError `mcp.held` where what the model read is not what is approved and shown now */
function requireOffered({ definition, calls }: ToolParts): void {
  const pin = calls.pin(definition.name);
  if (pin !== undefined && offered(pin) === definition) return;
  if (pin === undefined || pin.state === "gone")
    throw new McpError("mcp.held", "the server does not show this tool any more");
  throw new McpError(
    "mcp.held",
    offered(pin) === undefined
      ? "the definition of this tool changed and waits for the operator"
      : "the definition of this tool changed meanwhile; read it again before calling it",
  );
}

function descriptionOf({ title, description, name }: ToolDefinition): string {
  const text = withoutInvisible(description).trim();
  if (text !== "") return text;
  return withoutInvisible(title ?? name).trim();
}

function makeTool(parts: ToolParts, inputOf: InputOf): AnyTool {
  const { name, definition, effect, federation, calls, deferred = false } = parts;
  const tool = definition.name;
  const { resume, reattach, reattaches } = calls;
  const approval = approvalOf(parts);
  return {
    ...{ name, description: descriptionOf(definition), effect },
    input: inputOf(withoutInvisibleIn(definition.inputSchema) as JsonObject),
    ...(federation ? {} : { availableTo: ["lead", "subagents"] as const }),
    content: "outside",
    ...(deferred && { deferred }),
    // The connection keeps `call_timeout`, which also cancels on the server.
    timeoutMs: null,
    ...(approval !== undefined && { approval: () => approval }),
    run(input: unknown, context: ToolContext) {
      requireOffered(parts);
      return calls.run(tool, input, context);
    },
    ...(resume !== undefined && {
      resume: (input: unknown, answer: ParkAnswer, context: ToolContext) =>
        resume.call(calls, tool, input, answer, context),
    }),
    ...(reattach !== undefined && {
      reattach: (input: unknown, context: ToolContext) => reattach.call(calls, tool, input, context),
    }),
    ...(reattaches !== undefined && { reattaches: (note: unknown) => reattaches.call(calls, tool, note) }),
  };
}

const KEYS = ["server", "name", "definition", "effect", "approve", "federation", "calls"] as const;

/**
 * The tools of servers as the engine has them. A tool is the same object while nothing of its parts changed, and the list
 * is the same while no tool did: the beginning of prompts stays, and nothing is prepared again.
 */
export class McpTools {
  readonly #inputOf: InputOf;
  #made: ReadonlyMap<string, { readonly parts: ToolParts; readonly tool: AnyTool }> = new Map();
  #list: readonly AnyTool[] = [];

  constructor(inputOf: InputOf = jsonInput) {
    this.#inputOf = inputOf;
  }

  /** The tools of these parts, each name once, in their order. */
  update(wanted: readonly ToolParts[]): readonly AnyTool[] {
    const made = new Map(
      wanted.map((parts) => {
        const before = this.#made.get(parts.name);
        const isSame = before !== undefined && KEYS.every((key) => before.parts[key] === parts[key]);
        return [parts.name, isSame ? before : { parts, tool: makeTool(parts, this.#inputOf) }];
      }),
    );
    const list = [...made.values()].map(({ tool }) => tool);
    const isSame = list.length === this.#list.length && list.every((tool, index) => tool === this.#list[index]);
    this.#made = made;
    if (!isSame) this.#list = list;
    return this.#list;
  }
}
