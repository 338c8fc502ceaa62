import { describe, expect, it } from "vitest";
import { withoutSecrets } from "./index.ts";

describe("a push config as callers read it (W1)", () => {
  it("names where and how, and holds neither token nor credentials", () => {
    const config = { id: "a", taskId: "t", url: "https://hook.example/" };
    const authentication = { scheme: "Basic", credentials: "s3cret" };
    expect(withoutSecrets({ ...config, token: "s3cret", authentication })).toEqual({
      ...config,
      authentication: { scheme: "Basic" },
    });
    expect(withoutSecrets({ ...config, token: "s3cret" })).toEqual(config);
  });
});
