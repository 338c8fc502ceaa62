import { boardOfIssues, goal as goals } from "@agent-service/agent-core/host";
import { makeFolder } from "@agent-service/config";
import { defineServiceFeature, type ServiceHost } from "../../service-feature/index.ts";
import { goalMirror } from "./goal-mirror.ts";
import { goalRow, goalsService } from "./goals-service.ts";

/** What the agent works towards by itself. */
export const goal = defineServiceFeature({
  engine: (host) => goals(mirrored(host)),
  services: ({ goals }, { redact, opened }) => ({
    goals: goalsService({ goals, board: opened(boardOfIssues).issues, redact }),
  }),
  flags: ({ settings }) => ({ goals: settings.goal.enabled }),
});

function mirrored({ settings, redactor, logging }: ServiceHost) {
  const { goalFolder: folder } = settings;
  if (folder === undefined) return {};
  const redact = (text: string): string => redactor.text(text);
  return {
    onChange: goalMirror({
      ...{ folder, makeFolder, rowOf: (goal) => goalRow(goal, redact), planOf: ({ plan }) => redact(plan) },
      warn: (message) => logging.logger.warn(message),
    }),
  };
}
