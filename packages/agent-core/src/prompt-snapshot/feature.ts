import { defineFeature } from "../feature/index.ts";
import { observation } from "../telemetry/index.ts";
import { PromptSnapshots } from "./prompt-snapshots.ts";
import { promptsSection } from "./prompts-section.ts";

/** What models were asked, kept for the operator (B60 `prompts`). */
export const promptSnapshots = defineFeature({
  name: "prompts",
  needs: [observation],
  sections: [promptsSection],
  open: ({ clock, redactor, log }, { needs, settings }) =>
    new PromptSnapshots({
      ...{ db: needs.observation.get, clock, redactor, log },
      settings() {
        const { capture, retention_days: retentionDays, max_calls: maxCalls } = settings.prompts;
        return { capture, retentionDays, maxCalls };
      },
    }),
  onModelCall: (snapshots, call) => snapshots.capture(call),
  forgetSession: (snapshots, session) => snapshots.forget(session),
  forgetTasks: (snapshots, tasks) => snapshots.forgetTasks(tasks),
  rewriteTexts: (snapshots, rewriting) => snapshots.rewrite(rewriting),
  close: (snapshots) => snapshots.flush(),
});
