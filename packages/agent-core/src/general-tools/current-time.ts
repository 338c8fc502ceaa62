import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { CodedError } from "../error/index.ts";

/** A time zone the runtime does not know. */
export class UnknownTimeZoneError extends CodedError<"current_time.unknown-time-zone"> {
  override readonly name = "UnknownTimeZoneError";

  constructor(timeZone: string) {
    super(
      "current_time.unknown-time-zone",
      `unknown time zone ${JSON.stringify(timeZone.slice(0, 100))}: use an IANA name such as "UTC", "Europe/Berlin" or "America/New_York"`,
    );
  }
}

/**
 * `2026-11-21T10:30:00+01:00 (Saturday, Europe/Berlin)`: ISO 8601 with the zone's offset at that moment, the day of the
 * week and the zone as it is usually written. @throws UnknownTimeZoneError
 */
export function formatTime(at: Date, timeZone: string): string {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      weekday: "long",
      timeZoneName: "longOffset",
    });
  } catch {
    throw new UnknownTimeZoneError(timeZone);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const offset = parts.timeZoneName === "GMT" ? "+00:00" : parts.timeZoneName?.replace("GMT", "");
  const date = `${parts.year}-${parts.month}-${parts.day}`;
  const time = `${parts.hour}:${parts.minute}:${parts.second}`;
  return `${date}T${time}${offset} (${parts.weekday}, ${format.resolvedOptions().timeZone})`;
}

/** `current_time(timezone='UTC')` (B80). Pure: it only reads the host's clock. */
export const currentTime: AnyTool = defineTool({
  name: "current_time",
  description: "Tell the current date, time and day of the week in a time zone.",
  input: v.object({
    timezone: v.optional(
      v.pipe(v.string(), v.trim(), v.maxLength(100), v.description("IANA time zone name, for example Europe/Berlin.")),
      "UTC",
    ),
  }),
  effect: "pure",
  content: "own",
  present: {
    asks: "Read the clock?",
    doing: "Reading the clock[ for {timezone}]",
    done: "Looked up the time in {timezone}",
  },
  run: ({ timezone }, { now }) => formatTime(now(), timezone === "" ? "UTC" : timezone),
});
