import { OperatorApiError } from "@agent-service/operator-api/client";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ErrorState, InlineError } from "./error-state.tsx";

function shown(error: unknown): string {
  return renderToStaticMarkup(
    <ErrorState
      title="It cannot be read"
      error={error}
      onRetry={() => {}}
      back={<a href="/tasks">Show all tasks</a>}
    />,
  );
}

const answered = (status: number): OperatorApiError => new OperatorApiError(status, undefined, undefined);

test("what does not exist or was refused leads back, and is not tried again", () => {
  for (const error of [404, 410, 422].map(answered)) {
    expect(shown(error)).toContain("Show all tasks");
    expect(shown(error)).not.toContain("Try again");
  }
});

test("what failed on the way or was too much at once can be tried again", () => {
  for (const error of [...[429, 500, 503].map(answered), new TypeError("Failed to fetch")]) {
    expect(shown(error)).toContain("Try again");
    expect(shown(error)).not.toContain("Show all tasks");
  }
});

test("says what happened and when to try again, also where no text came with the answer", () => {
  const said = (status: number, body?: unknown, after?: number) => shown(new OperatorApiError(status, body, after));
  expect(said(503, { detail: "The store is busy: nothing was accepted." }, 10)).toContain(
    "The store is busy: nothing was accepted. Try again in 10 s.",
  );
  expect(said(503, { detail: "The board is not enabled here." })).not.toContain("in a moment");
  expect(said(429)).toContain("too many requests at once. Try again in a moment.");
  expect(said(502)).toContain("cannot be reached through its proxy");
  expect(said(401, { detail: "Unauthorized" })).toContain("Reload the page to enter another");
  expect(said(409, { detail: "The job is still running: cancel it first." })).not.toContain("Try again in");
  for (const status of [401, 404, 429, 500, 502, 503, 504]) expect(said(status)).not.toMatch(/answered \d{3}/);
});

test("a failure in one line has its button: to try again what was read, and to reload where the token is refused", () => {
  const line = (error: unknown, onRetry?: () => void) =>
    renderToStaticMarkup(<InlineError error={error} onRetry={onRetry} />);
  expect(line(answered(500), () => {})).toContain("Try again");
  expect(line(answered(500))).not.toContain("<button");
  expect(line(answered(404), () => {})).not.toContain("<button");
  expect(line(answered(401), () => {})).toMatch(/<button[^>]*>Reload<\/button>$|Reload/);
});
