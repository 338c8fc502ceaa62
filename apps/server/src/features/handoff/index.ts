import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import {
  sessions as agentSessions,
  defineFeature,
  type EditorHandoff,
  files,
  filesystemSection,
  type Journal,
  openInEditor,
} from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { HandoffOffers } from "./handoff-offers.ts";
import { editorHandoffService } from "./handoff-service.ts";

/** Opening files in the operator's editor, and continuing conversations there. */
export const handoff = defineServiceFeature({
  engine: () =>
    defineFeature({
      name: "handoff",
      category: "files",
      needs: [files, agentSessions],
      sections: [filesystemSection],
      topics: ["handoff.offered", "handoff.claimed"],
      open({ bus, clock, journal, newId }, { needs, settings }) {
        const { fence } = needs.filesystem;
        const userHome = homeOfUser();
        const offers = new HandoffOffers({ clock, newId, userHome });
        const tool = openInEditor({
          ...{ fence, clock, inherited: process.env, userHome },
          settings: () => settings.filesystem,
          async offer(asked) {
            const session = await conversationOf(journal, asked);
            const { project, path, line = null } = asked;
            // A conversation whose index is behind has no title yet.
            const title = await needs.sessions.catalog.read(session).then(
              (record) => record.title || null,
              () => null,
            );
            const { id } = offers.add({ session, project, path, line, title });
            bus.publish("handoff.offered", { id, session_id: session });
            return () => offers.withdraw(id);
          },
        });
        return {
          tool,
          offers,
          service: editorHandoffService({ fence, sessions: needs.sessions.catalog, offers, bus }),
        };
      },
      tools: ({ tool }) => [tool],
      forgetSession: async ({ offers }, session) => offers.forget(session),
    }),
  services: ({ service }) => ({ editorHandoff: service }),
  flags: ({ settings }) => ({ editor_handoff: settings.filesystem.editor_handoff }),
});

function homeOfUser(): string {
  const home = homedir();
  try {
    return realpathSync(home);
  } catch {
    return home;
  }
}

/** The conversation that a person reads: what it delegated works for it. */
async function conversationOf(
  journal: Pick<Journal, "get">,
  { taskId, contextId }: Pick<EditorHandoff, "taskId" | "contextId">,
): Promise<string> {
  let record = await journal.get(taskId);
  while (record?.view.parent !== undefined) record = await journal.get(record.view.parent.task);
  return record?.view.context ?? contextId;
}
