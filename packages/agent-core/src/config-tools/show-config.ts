import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { CodedError } from "../error/index.ts";

/** A setting as it may be shown: `value` of a secret is only whether it is set. */
export interface ShownSetting {
  /** Full dotted key. */
  readonly key: string;
  readonly value: string;
  /** Where the value comes from, as a phrase for people. */
  readonly source: string;
}

/** Bounds of a page. */
export const SHOW_CONFIG_LIMITS = Object.freeze({ defaultLimit: 100, maxLimit: 500, valueChars: 300 });

const whole = (description: string) =>
  v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.description(description)), 0);

/** There is no such section. */
export class UnknownSectionError extends CodedError<"show_config.unknown-section"> {
  override readonly name = "UnknownSectionError";

  constructor(message: string, options?: ErrorOptions) {
    super("show_config.unknown-section", message, options);
  }
}

/** `show_config(section='', offset=0, limit=0)`: `key = value  (source)` lines, secrets masked, paged. */
export function showConfig(settings: () => readonly ShownSetting[]): AnyTool {
  return defineTool({
    name: "show_config",
    description:
      "Show this agent's configuration: every setting with its value and where it comes from. Secrets are masked. Long output comes in pages.",
    input: v.object({
      section: v.optional(
        v.pipe(
          v.string(),
          v.trim(),
          v.maxLength(200),
          v.description("A section or the start of a key, for example model. Blank: all."),
        ),
        "",
      ),
      offset: whole("How many settings to skip."),
      limit: whole("How many to show; 0 means 100."),
    }),
    effect: "pure",
    availableTo: ["lead", "subagents"],
    content: "own",
    present: {
      asks: "Show settings[ of {section}]?",
      doing: "Reading settings[ of {section}]",
      done: "Read settings[ of {section}]",
    },
    run({ section, offset, limit }) {
      const all = settings();
      const chosen = section === "" ? all : all.filter(({ key }) => key === section || key.startsWith(`${section}.`));
      if (chosen.length === 0 && section !== "") {
        const names = [...new Set(all.map(({ key }) => key.split(".", 1)[0] ?? ""))];
        throw new UnknownSectionError(`there is no section ${JSON.stringify(section)}; there are: ${names.join(", ")}`);
      }
      const count = Math.min(limit === 0 ? SHOW_CONFIG_LIMITS.defaultLimit : limit, SHOW_CONFIG_LIMITS.maxLimit);
      const page = chosen.slice(offset, offset + count);
      const rest = chosen.length - offset - page.length;
      const lines = page.map(({ key, value, source }) => `${key} = ${clipped(value)}  (${source})`);
      if (rest > 0) lines.push(`${rest} more: call again with offset ${offset + page.length}`);
      return lines.length === 0 ? `nothing: there are ${chosen.length} settings` : lines.join("\n");
    },
  });
}

function clipped(value: string): string {
  return value.length <= SHOW_CONFIG_LIMITS.valueChars ? value : `${value.slice(0, SHOW_CONFIG_LIMITS.valueChars)}…`;
}
