import { OperatorApiError } from "@agent-service/operator-api/client";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ErrorState } from "./error-state.tsx";

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
