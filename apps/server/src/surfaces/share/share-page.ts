import type { SharedPage } from "@agent-service/agent-core/host";
import { escaped } from "./safe-markdown.ts";

/** The product's mark; `share-page.test.ts` compares it with the console's. */
const MARK =
  '<svg aria-hidden="true" viewBox="0 0 32 32" class="mark"><path d="M27 16.2A11 11 0 1 1 15.2 6" fill="none" stroke="currentColor" stroke-width="5" stroke-linecap="round"/><circle cx="24.4" cy="7.4" r="3.1" fill="currentColor"/></svg>';

/** The whole page around a frozen body. `agent`: the agent's name now. */
export function sharePage({ title, page, createdAt, expiresAt }: SharedPage, agent: string): string {
  const heading = escaped(title === "" ? "A conversation" : title);
  const name = escaped(agent);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${heading}</title>
<link rel="stylesheet" href="page.css">
</head>
<body>
<header>
<p class="brand">${MARK}${name}</p>
<h1>${heading}</h1>
<p class="facts">A read-only copy of ${timeOf(createdAt)}. This link works until ${timeOf(expiresAt)}. Secrets are replaced by ***.</p>
</header>
<main>
${page}
</main>
<footer>${MARK}Shared with Agent Service</footer>
</body>
</html>
`;
}

/** The page where there is nothing, whatever the reason. */
export const NO_SHARE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Nothing is shared here</title>
<link rel="stylesheet" href="page.css">
</head>
<body>
<main class="empty">
${MARK}
<h1>Nothing is shared here</h1>
<p>The link is incomplete, or what it led to has expired or was withdrawn. Ask whoever sent it for a new one.</p>
</main>
</body>
</html>
`;

/** The page runs no script, so it cannot know its reader's zone: it names the one it uses. */
const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

function timeOf(at: number): string {
  return `<time datetime="${new Date(at).toISOString()}">${moment.format(at)} UTC</time>`;
}
