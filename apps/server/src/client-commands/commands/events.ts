import type { ClientCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { refuseArguments, textFlag } from "../flag-values.ts";
import { type FollowedEvent, followEvents } from "../follow-events.ts";
import { interruptible } from "../interruptible.ts";
import { oneLine } from "../terminal-text.ts";

export const eventsCommand: ClientCommand = {
  name: "events",
  order: 100,
  summary: "What changes in the service, as it changes",
  usage: `agent-service events

  --topic <name>    of this topic, or of those below it (turn: turn.started, turn.finished …)
  --since <id>      what came after the event of this id first
  --until <topic>   end after the first event of this topic
`,
  options: { topic: { type: "string" }, since: { type: "string" }, until: { type: "string" } },
  async run(context) {
    const { flags, json, positionals, write, writeJson, paint } = context;
    refuseArguments("events", positionals);
    const topic = textFlag(flags, "topic");
    const until = textFlag(flags, "until");
    return interruptible(context.io, async (signal) => {
      for await (const event of followEvents(context, { since: textFlag(flags, "since"), signal })) {
        if (topic === undefined || event.topic === topic || event.topic.startsWith(`${topic}.`)) {
          if (json) writeJson(event);
          else write(`${paint("dim", event.id)}  ${paint("cyan", event.topic.padEnd(20))} ${dataText(event)}\n`);
        }
        if (event.topic === until) return EXIT.ok;
      }
      return signal.aborted ? EXIT.interrupted : EXIT.ok;
    });
  },
};

function dataText({ data }: FollowedEvent): string {
  const texts = Object.entries(data).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return oneLine(texts.join(" "), 400);
}
