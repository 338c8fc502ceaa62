import { expect, test } from "vitest";
import { changeToken, problemOfToken, randomToken, TokenNotChangedError, type TokenPorts } from "./change-token.ts";

/** A service with a token, and a browser that stores one. */
function world(
  token: string | undefined,
  { save }: { readonly save: "takes" | "refuses" | "takes, answer lost" | "confirms, and keeps the old" },
) {
  const state = { service: token, browser: token, steps: [] as string[], reachable: true };
  const ports: TokenPorts = {
    keep(next) {
      state.browser = next;
      state.steps.push(`browser has ${next}`);
    },
    save(next) {
      state.steps.push("service is asked");
      if (save === "refuses") return Promise.reject(new Error("it is managed."));
      if (save !== "confirms, and keeps the old") state.service = next;
      return save === "takes, answer lost" ? Promise.reject(new TypeError("fetch failed")) : Promise.resolve();
    },
    accepts: (one) =>
      state.reachable
        ? Promise.resolve(state.service === undefined || one === state.service)
        : Promise.reject(new TypeError("fetch failed")),
  };
  return { state, ports };
}

test.each(["old", undefined])(
  "the browser has the new token before the service takes it (before: %s)",
  async (before) => {
    const { state, ports } = world(before, { save: "takes" });
    await changeToken("new", before, ports);
    expect(state).toMatchObject({ service: "new", browser: "new", steps: ["browser has new", "service is asked"] });
  },
);

test.each(["old", undefined])(
  "a refusal leaves the browser with the previous token (%s), and gives the reason",
  async (before) => {
    const { state, ports } = world(before, { save: "refuses" });
    await expect(changeToken("new", before, ports)).rejects.toThrow("The token is as it was: it is managed.");
    expect(state).toMatchObject({ service: before, browser: before });
  },
);

test("a response that is lost after the service accepted the token locks no one out", async () => {
  const { state, ports } = world("old", { save: "takes, answer lost" });
  await changeToken("new", "old", ports);
  expect(state).toMatchObject({ service: "new", browser: "new" });
});

test("a service that confirms the change and still expects the old token is noticed, on an open instance too", async () => {
  for (const before of ["old", undefined]) {
    const { state, ports } = world(before, { save: "confirms, and keeps the old" });
    await expect(changeToken("new", before, ports)).rejects.toBeInstanceOf(TokenNotChangedError);
    expect(state.browser).toBe(before);
  }
});

test("without a way to the service the token of before is kept", async () => {
  const { state, ports } = world("old", { save: "refuses" });
  state.reachable = false;
  await expect(changeToken("new", "old", ports)).rejects.toBeInstanceOf(TokenNotChangedError);
  expect(state.browser).toBe("old");
});

test("tokens are made of what a header holds", () => {
  expect(randomToken()).toMatch(/^[\w-]{43}$/);
  expect(problemOfToken(randomToken())).toBeUndefined();
  expect(problemOfToken("short")).toMatch(/16/);
  expect(problemOfToken("with space in the middle")).toMatch(/spaces/);
  expect(problemOfToken("schlüssel-schlüssel-schlüssel")).toMatch(/accents/);
});
