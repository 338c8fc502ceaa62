/** The base URLs of the console and its agent. Both may be below a prefix of a proxy (`/agents/<slug>/app`). */
export interface BaseUrls {
  /** Path of the console, without a trailing slash: `/app`, `/agents/one/app`. */
  readonly console: string;
  /** Address of the agent, without a trailing slash: `https://host`, `https://host/agents/one`. */
  readonly agent: string;
}

/** Returns the base URLs of a console whose scripts are at `script` (`…/app/assets/index-1a2b.js`). */
export function baseUrlsOf(script: string): BaseUrls {
  const root = new URL("..", script);
  const console = root.pathname.replace(/\/$/, "");
  return { console, agent: new URL("..", root).href.replace(/\/$/, "") };
}
