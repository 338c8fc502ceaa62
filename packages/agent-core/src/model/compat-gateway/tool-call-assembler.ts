import { randomUUID } from "node:crypto";
import { ModelError } from "../model-error.ts";
import type { ModelToolCall } from "../model-port.ts";
import { asObject, asText } from "../provider-call/index.ts";

interface Building {
  readonly index: number | undefined;
  id: string;
  name: string;
  args: string[];
  chars: number;
}

/** Bounds of one answer. */
export interface ToolCallBounds {
  readonly maxToolCalls: number;
  /** Characters of one call's arguments. */
  readonly maxArgumentChars: number;
}

/**
 * Puts tool calls together from streamed pieces.
 *
 * A piece belongs to the call of its `index`; where gateways leave the index out or give all parallel calls the same
 * one, its id and name decide (`#isAnother`). A call without an id gets one.
 */
export class ToolCallAssembler {
  readonly #bounds: ToolCallBounds;
  readonly #calls: Building[] = [];

  constructor(bounds: ToolCallBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#calls.length;
  }

  /** Takes one element of a `tool_calls` array. Throws `ModelError` (`bad_response`) beyond the bounds. */
  push(piece: unknown): void {
    const wire = asObject(piece);
    if (wire === undefined) return;
    const fn = asObject(wire.function);
    const index = typeof wire.index === "number" ? wire.index : undefined;
    const id = asText(wire.id);
    const name = asText(fn?.name);
    const given = fn?.arguments;
    const args = typeof given === "string" ? given : given == null ? "" : JSON.stringify(given);

    let call = this.#find(index, id);
    if (call === undefined || this.#isAnother(call, id, name)) call = this.#open(index);
    if (call.id === "") call.id = id;
    if (name !== "" && name !== call.name) call.name = name.startsWith(call.name) ? name : call.name + name;
    if (args === "") return;
    call.chars += args.length;
    if (call.chars > this.#bounds.maxArgumentChars) {
      throw new ModelError(
        "bad_response",
        `the model sent more than ${this.#bounds.maxArgumentChars} characters of arguments to one tool call`,
      );
    }
    call.args.push(args);
  }

  /** The calls in the order they began, each with an id of its own among them. */
  finish(): ModelToolCall[] {
    const seen = new Set<string>();
    const calls: ModelToolCall[] = [];
    for (const building of this.#calls) {
      if (building.name === "" && building.chars === 0) continue;
      const id = building.id === "" || seen.has(building.id) ? `call_${randomUUID()}` : building.id;
      seen.add(id);
      calls.push({ id, name: building.name, args: building.args.join("") });
    }
    return calls;
  }

  #find(index: number | undefined, id: string): Building | undefined {
    // The latest first: a gateway that gives every call the same index continues the last one.
    for (let at = this.#calls.length - 1; at >= 0; at--) {
      const call = this.#calls[at];
      if (call === undefined) continue;
      if (index === undefined ? id === "" || call.id === id : call.index === index) return call;
    }
    return undefined;
  }

  /**
   * Whether the piece begins another call although it has the same index: it repeats a name, and either has another id
   * or the arguments so far are complete. Some servers invent an id for every piece, so a new id with the same name
   * does not count while arguments are incomplete.
   */
  #isAnother(call: Building, id: string, name: string): boolean {
    if (name === "" || call.name === "" || (id !== "" && id === call.id)) return false;
    if (id !== "" && call.id !== "" && (name !== call.name || call.chars === 0)) return true;
    return isWholeObject(call.args);
  }

  #open(index: number | undefined): Building {
    if (this.#calls.length >= this.#bounds.maxToolCalls) {
      throw new ModelError("bad_response", `the model made more than ${this.#bounds.maxToolCalls} tool calls at once`);
    }
    const call: Building = { index, id: "", name: "", args: [], chars: 0 };
    this.#calls.push(call);
    return call;
  }
}

function isWholeObject(pieces: readonly string[]): boolean {
  // Looking at the end first keeps this cheap for a call that comes in thousands of pieces.
  if (pieces.at(-1)?.trimEnd().endsWith("}") !== true) return false;
  try {
    JSON.parse(pieces.join(""));
    return true;
  } catch {
    return false;
  }
}
