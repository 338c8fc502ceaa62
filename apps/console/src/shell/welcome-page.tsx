import type { ReactElement } from "react";
import "./welcome-page.css";

/**
 * What `/app` shows until the operator's console is there: that the agent runs, where it answers, and that the console
 * itself is still to come. Needs no data and no credential. Its link is relative to `/app/`.
 */
export function WelcomePage(): ReactElement {
  return (
    <main>
      <h1>The agent is running</h1>
      <p>
        It answers other agents and programs over A2A at <code>/a2a</code>. What it can do stands in its{" "}
        <a href="../.well-known/agent-card.json">agent card</a>.
      </p>
      <p>
        Its operator has an API at <code>/api</code>; <a href="docs">its reference</a> is here.
      </p>
      <p className="later">
        The console for its operator comes with a later release. Until then the agent is used over A2A and set up
        through its configuration file.
      </p>
    </main>
  );
}
