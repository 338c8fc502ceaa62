import { exampleNote as agentExampleNote } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { exampleNoteService } from "./example-note-service.ts";

export const exampleNote = defineServiceFeature({
  engine: () => agentExampleNote,
  services: (store, { redact }) => ({ exampleNote: exampleNoteService(store, redact) }),
  flags: () => ({ exampleNote: true }),
});
