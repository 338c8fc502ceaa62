import type { ClientCommand } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT } from "../exit-code.ts";

export const steerCommand: ClientCommand = {
  name: "steer",
  order: 50,
  summary: "Sends a message to a running turn, which reads it at its next model call",
  usage: "agent-service steer <session> <text>\n",
  async run({ api, json, positionals, write, writeJson }) {
    const [session, ...rest] = positionals;
    const text = rest.join(" ").trim();
    if (session === undefined || text === "") throw usage("steer needs a session and a text");
    const done = await api.post("/api/chat/sessions/{id}/steer", { params: { id: session }, body: { text } });
    if (json) writeJson(done);
    else
      write(
        done.task_id === null
          ? `Queued for the next model call; ${done.pending} wait.\n`
          : `No turn was running: task ${done.task_id} reads it.\n`,
      );
    return EXIT.ok;
  },
};
