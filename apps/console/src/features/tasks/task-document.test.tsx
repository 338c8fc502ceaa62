import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { JournalRow, TimelineSource } from "../../timeline/index.ts";
import { exportName, htmlDocument, TaskReport } from "./task-document.tsx";

const at = "2026-11-21T10:00:00.000Z";
const usage = { input_tokens: 1_200, output_tokens: 30, cache_read_tokens: 0, cache_creation_tokens: 0 };
const row: JournalRow = { kind: "answer", seq: 1, at, text: "<script>alert(1)</script>", truncated: false };
const source: TimelineSource = {
  task: {
    ...{
      task_id: "../t 1",
      session_id: "s",
      class: "operator",
      origin: "chat",
      role: null,
      incognito: false,
      status: null,
    },
    ...{ parent_task_id: null, parent_call_id: null, state: "completed", input: "Do <this>", usage, cost_usd: null },
    ...{ created_at: at, last_updated: at, model_calls: 1, tool_calls: 0, duration_ms: 5 },
  },
  events: [row],
  children: [],
};

test("an export is a page of its own that holds the journal as text and can run nothing", () => {
  const body = renderToStaticMarkup(<TaskReport source={source} now={0} />);
  const page = htmlDocument({ title: source.task.input, body, styles: "a{content:'</style>'}" });
  expect(page).toContain("<title>Do &lt;this></title>");
  expect(page).toContain("default-src 'none'");
  // Bars are backgrounds, which browsers do not print by default.
  expect(page).toContain("*{print-color-adjust:exact}");
  expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(page).not.toMatch(/<script|<link|src=|href=|url\(/);
  expect(page.match(/<\/style>/g)).toHaveLength(1);
  expect(page).toContain("– estimated");
});

test("an export contains the whole message of the task, of which its row has only the beginning", () => {
  const text = `Do <this>\n${"and that ".repeat(100)}`;
  const accepted: JournalRow = {
    ...{ kind: "accepted", seq: 0, at, state: "working", origin: "chat", text, parent_task_id: null, role: null },
  };
  const html = renderToStaticMarkup(<TaskReport source={{ ...source, events: [accepted, row] }} now={0} />);
  expect(html).toContain(text.trim().replace("<this>", "&lt;this&gt;"));
});

test("a file's name is one in any folder", () => {
  expect(exportName(source)).toBe("run-___t_1.html");
});
