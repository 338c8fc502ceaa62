import type { EventBus } from "../bus/index.ts";
import { defineFeature, featureKey, type OwnStoreOptions } from "../feature/index.ts";
import type { WorkingSource } from "../working-state/index.ts";
import { boardTools } from "./board-tools.ts";
import { IssueBoard } from "./issue-board.ts";
import { IssueRuns } from "./issue-runs.ts";
import { WorkingIssues } from "./working-issues.ts";

export interface BoardFeatureOptions extends Pick<OwnStoreOptions, "url"> {
  /** Whether the store has been made: turns are shown nothing of one that has not. Default: it has. */
  readonly exists?: () => boolean;
}

/** The task board, in a store of its own at `url`. A store that cannot be opened leaves the service without a board. */
export function board({ url, exists = () => true }: BoardFeatureOptions) {
  return defineFeature({
    name: "board",
    category: "tasks",
    topics: ["board.changed", "task.changed"],
    open({ db, service, newId, clock, bus, log, openStore }) {
      const noting: EventBus = {
        publish(topic, data) {
          open.noteChange();
          bus.publish(topic, data);
        },
      };
      const issues = new IssueBoard({ store: openStore({ schema: "board", url }), clock, bus: noting });
      const open = new WorkingIssues({ board: issues, exists, clock, log });
      const working: WorkingSource = (ask) => open.of(ask);
      return { issues, working, runs: new IssueRuns({ board: issues, db, service, newId }) };
    },
    workingState: ({ working }, ask) => working(ask),
    tools: ({ issues }) => boardTools(issues),
    close: ({ issues }) => issues.closeStore(),
  });
}

/** What other features need of it. */
export const boardOfIssues = featureKey<"board", { readonly issues: IssueBoard }>("board");
