import * as v from "valibot";
import { Problem } from "../problem/index.ts";
import type { ApiContents, EventTopic } from "../resource/index.ts";
import { type Call, defineRoute, events, json, type ServedRoute, serve } from "../route/index.ts";

const tag = "Events";

const eventSchema = v.object({
  topic: v.string(),
  data: v.record(v.string(), v.unknown()),
  seq: v.pipe(v.number(), v.description("Counts the events since the service started; the frame's `id` holds it.")),
});

const about: string = `Each frame has an \`id\`, \`<epoch>-<seq>\`; the first one of a new stream has nothing else. Send the last one as
\`Last-Event-ID\`, or as \`since\`, and you get what came after it. What is not kept any more (24 hours at most, and nothing
of before a restart) is announced by \`stream.gap\`: read again what you show. An event says what to read again, it is not the
truth itself.

Without the operator's credential you see \`activity.*\` and \`inbox.*\` alone, and of them \`id\`, \`origin\`, \`priority\` and
\`state\`; numbers of other events are skipped. An open instance shows everything to everyone.`;

/** `GET /api/events`. What is served has the table of topics in its description too. */
export const followEvents = defineRoute({
  name: "events.follow",
  method: "GET",
  path: "/api/events",
  tag,
  summary: "Events of what changes, as they happen",
  description: about,
  public: true,
  query: v.object({
    since: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(64),
        v.description("Id of the last event you have. `Last-Event-ID` wins over it."),
      ),
    ),
  }),
  reply: events(eventSchema),
});

export const publishEvent = defineRoute({
  name: "events.publish",
  method: "POST",
  path: "/api/events/publish",
  tag,
  summary: "Publishes an event to everyone who follows",
  description: "Of your own `activity.*` and `inbox.*` everyone sees the public part too.",
  body: v.object({
    topic: v.pipe(v.string(), v.description("Words joined by dots, such as `build.finished`; no wildcards.")),
    data: v.optional(v.pipe(v.record(v.string(), v.unknown()), v.description("64 KB at most.")), {}),
  }),
  reply: json(v.object({ ok: v.literal(true) })),
  failures: {
    400: "The topic has no dot or has a wildcard.",
    413: "The data is above 64 KB.",
  },
});

/** Bytes of a published event's data. */
const MAX_DATA = 64 * 1024;

/** Implemented by the service. */
export interface EventsService {
  /** Frames from `since` on, or from now. Throws `Problem` 503 when as many follow as may. */
  follow(since: string | undefined, caller: Call["caller"]): ReadableStream<Uint8Array>;
  /** Why a text is no topic to publish to; undefined when it is one. */
  topicProblem(topic: string): string | undefined;
  publish(topic: string, data: { readonly [key: string]: unknown }): void;
}

export function eventsRoutes(service: EventsService, { topics }: Pick<ApiContents, "topics">): readonly ServedRoute[] {
  return [
    serve(describedWith(topics), ({ query, headers, caller }) => ({
      body: service.follow(headers.get("last-event-id") || query.since, caller),
      headers: { "x-accel-buffering": "no" },
    })),
    serve(publishEvent, ({ body: { topic, data } }) => {
      const problem = service.topicProblem(topic);
      if (problem !== undefined) throw new Problem(400, problem);
      if (Buffer.byteLength(JSON.stringify(data)) > MAX_DATA) {
        throw new Problem(413, "The data of an event has at most 64 KB.");
      }
      service.publish(topic, data);
      return { ok: true as const };
    }),
  ];
}

function describedWith(topics: readonly EventTopic[]): typeof followEvents {
  const rows = topics.map(({ topic, when, data }) => `| \`${topic}\` | ${when} | ${data} |`);
  const table = ["| Topic | When | Data |", "|---|---|---|", ...rows].join("\n");
  return {
    ...followEvents,
    description: `${about}\n\n${table}\n\nFurther topics are those that \`POST /api/events/publish\` is given.`,
  };
}
