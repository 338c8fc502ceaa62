import { describe, expect, it } from "vitest";
import { loggingRefusals } from "./refusal-log.ts";

describe("the log of refusals", () => {
  it("logs the first at once, then once a minute how many there were, each status by itself [R10-13.4-13]", () => {
    const lines: unknown[] = [];
    let time = 0;
    const format = loggingRefusals(
      { warn: (fields, message) => void lines.push([fields, message.length > 0]) },
      (_, refusal) => refusal,
      () => time,
    );
    const refuse = (status: number) => {
      const refusal = new Response(null, { status });
      expect(format("/a2a/tasks/secret-id", refusal, true)).toBe(refusal);
    };
    for (const status of [401, 401, 403, 404, 413, 401]) refuse(status);
    expect(lines).toEqual([
      [{ status: 401, refused: 1 }, true],
      [{ status: 403, refused: 1 }, true],
    ]);
    time = 59_999;
    refuse(401);
    expect(lines).toHaveLength(2);
    time = 60_000;
    refuse(401);
    refuse(403);
    expect(lines.slice(2)).toEqual([
      [{ status: 401, refused: 4 }, true],
      [{ status: 403, refused: 1 }, true],
    ]);
  });
});
