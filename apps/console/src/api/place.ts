/** Where the console is served, and with it the agent: both may lie below a prefix of a proxy (`/agents/<slug>/app`). */
export interface Place {
  /** Path of the console, without the slash at its end: `/app`, `/agents/one/app`. */
  readonly console: string;
  /** Address of the agent, without the slash at its end: `https://host`, `https://host/agents/one`. */
  readonly agent: string;
}

/** The place of a console whose scripts lie at `script` (`…/app/assets/index-1a2b.js`). */
export function placeOf(script: string): Place {
  const root = new URL("..", script);
  const console = root.pathname.replace(/\/$/, "");
  return { console, agent: new URL("..", root).href.replace(/\/$/, "") };
}
