import type { ReactElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import {
  CutNote,
  fromLabel,
  messageOf,
  Timeline,
  type TimelineSource,
  taskTitle,
  timelineOf,
} from "../../timeline/index.ts";
import { dollars, duration, exactTime, StateBadge, tokens, workState } from "../../ui/index.ts";

export function exportName({ task }: TimelineSource): string {
  return `run-${task.task_id.replaceAll(/[^\w-]/g, "_").slice(0, 80)}.html`;
}

/** A task's timeline as one HTML document with its styles: no script, nothing loaded, folding included. */
export function taskDocument(source: TimelineSource): string {
  const container = document.createElement("div");
  const root = createRoot(container);
  flushSync(() => root.render(<TaskReport source={source} now={Date.now()} />));
  const body = container.innerHTML;
  root.unmount();
  return htmlDocument({ title: taskTitle(source.task), body, styles: stylesOf(document) });
}

/** The content of an exported document. */
export function TaskReport({ source, now }: { readonly source: TimelineSource; readonly now: number }): ReactElement {
  const { task } = source;
  const message = messageOf(source);
  const timeline = timelineOf(source, now);
  return (
    <main className="mx-auto flex max-w-6xl flex-col gap-4 p-6">
      <h1 className="font-display text-xl font-semibold">{taskTitle(task)}</h1>
      {message !== taskTitle(task) && <pre className="text-sm whitespace-pre-wrap">{message}</pre>}
      <p className="flex flex-wrap items-center gap-x-4">
        <StateBadge state={workState(task.state)} />
        <span>{fromLabel(task)}</span>
        <time dateTime={task.created_at}>{exactTime(task.created_at)}</time>
        <span>{duration(task.duration_ms)}</span>
        <span>
          {tokens(task.usage.input_tokens)} → {tokens(task.usage.output_tokens)} tokens
        </span>
        <span>{dollars(task.cost_usd)} estimated</span>
        <code>{task.task_id}</code>
      </p>
      {task.status !== null && <p>{task.status}</p>}
      <section aria-label="Timeline">
        <Timeline timeline={timeline} printed />
        <CutNote scale={timeline.scale} />
      </section>
    </main>
  );
}

/** Bars are backgrounds, which browsers do not print without `print-color-adjust`. */
const PRINT =
  "*{print-color-adjust:exact}@page{margin:12mm}@media print{:root{color-scheme:light}li,summary{break-inside:avoid}main{padding:0}}";

/** A document that cannot run or load anything, whatever its content. `body` is markup, `title` is text. */
export function htmlDocument({
  title,
  body,
  styles,
}: {
  readonly title: string;
  readonly body: string;
  readonly styles: string;
}): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  const name = title.slice(0, 200).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${name}</title>
<style>${styles.replaceAll("</", String.raw`<\/`)}
html,body{height:auto}${PRINT}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** The page's own style sheets as text. */
function stylesOf({ styleSheets }: Document): string {
  return [...styleSheets].flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join("\n");
}
