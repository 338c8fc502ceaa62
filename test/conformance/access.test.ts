/** Who may do what, asked of every operation in both versions and both bindings. */
import { afterAll, describe, expect, it } from "vitest";
import { startTestService } from "../../apps/server/src/testing/test-service.ts";
import { type Json, type Operation, type Outcome, speakersTo, stateOf, textOf } from "./speaker.ts";

const running = await startTestService({
  config: 'auth: { token: operator-token, federation_token: peer-token }\nmodel: { name: "scripted:demo" }\n',
});
afterAll(() => running.stop());

const callers = speakersTo(running.url);
const operator = { authorization: "Bearer operator-token" };
const peer = { authorization: "Bearer peer-token" };
const operations: readonly Operation[] = ["send", "stream", "get", "list", "cancel", "subscribe", "card"];

describe.each(callers)("access in $version over $binding", (caller) => {
  it("without a valid credential is refused for every operation, with a challenge and what would do [R10-3.3.2-3, R10-3.3.2-4, R10-3.3.2-5, R10-7.4-1, R10-7.4-2, R10-7.4-3, R10-13.1-2, R10-14.1.1-5, R03-4.4-1, R03-4.4-2, R03-4.4-3, R03-10.2-1]", async () => {
    const { result: task } = await caller.say({ text: "/wait 60000", wait: false }, operator);
    const wrong: readonly Record<string, string>[] = [
      {},
      { authorization: "Bearer wrong" },
      { authorization: "Basic b3BlcmF0b3ItdG9rZW4=" },
      { "x-api-key": "operator-token" },
    ];
    for (const operation of operations) {
      const input =
        operation === "send" || operation === "stream" ? caller.params({ text: "/say x" }) : { id: task.id };
      for (const headers of wrong) {
        const refused = await caller.ask(operation, input, headers);
        expect([operation, refused.status, refused.headers.get("www-authenticate")]).toEqual([
          operation,
          401,
          "Bearer",
        ]);
        expect(refused.body).toMatchObject({ detail: expect.stringContaining("Authorization: Bearer") });
      }
    }
    expect(stateOf((await caller.ask("get", { id: task.id }, operator)).result)).toBe("working");
    await caller.ask("cancel", { id: task.id }, operator);
  });

  it("to what another class began is answered like access to nothing, and changes nothing [R10-3.3.2-8, R10-3.3.2-12, R10-3.3.2-13, R10-13.1-1, R10-13.1-3, R10-13.1-6, R10-13.1-7, R10-13.1-8, R10-14.1.1-6]", async () => {
    const { result: task } = await caller.say({ text: "/wait 60000\n/say secret", wait: false }, operator);
    const withoutId = ({ status, body }: Outcome, id: string) => [status, JSON.stringify(body).replaceAll(id, "ID")];
    for (const operation of ["get", "cancel", "subscribe"] as const) {
      const forbidden = await caller.ask(operation, { id: task.id }, peer);
      const absent = await caller.ask(operation, { id: "no-such-task" }, peer);
      expect(forbidden.error?.code).toBe(-32001);
      expect(withoutId(forbidden, task.id)).toEqual(withoutId(absent, "no-such-task"));
    }
    const joining = { text: "/say mine", message: { taskId: task.id } };
    const sent = await caller.say(joining, peer);
    if (caller.version === "1.0") expect(sent.error?.code).toBe(-32001);
    else expect([sent.result.id === task.id, sent.result.contextId === task.contextId]).toEqual([false, false]);
    const same = await caller.say({ text: "/say theirs", message: { contextId: task.contextId } }, peer);
    expect(JSON.stringify(same.body)).not.toContain("secret");
    expect(textOf(same.result)).toBe("theirs");
    expect(stateOf((await caller.ask("get", { id: task.id }, operator)).result)).toBe("working");
    await caller.ask("cancel", { id: task.id }, operator);
    // The other way round the operator sees all.
    expect((await caller.ask("get", { id: same.result.id }, operator)).result.id).toBe(same.result.id);
  });
});

describe("a caller without the permission", () => {
  it("gets the name of the missing one, and nothing of what exists [R10-3.3.2-6, R10-3.3.2-7, R10-7.4-2, R03-4.4-2]", async () => {
    for (const [method, path] of [
      ["POST", "/message:stream"],
      ["GET", "/tasks/any:subscribe"],
      ["GET", "/api/config"],
      ["GET", "/api/no-such-thing"],
    ] as const) {
      const response = await fetch(running.url + path, { method, headers: peer });
      expect([path, response.status, await response.json()]).toEqual([
        path,
        403,
        { detail: "This path needs the operator's credential." },
      ]);
    }
  });
});

describe("the log", () => {
  it("records refused requests, and holds no credential and no content [R10-13.4-8, R10-13.4-13, R10-13.4-16, R10-13.4-22]", async () => {
    for (const caller of callers) {
      await caller.say({ text: "/say My number is 555-0100", message: { contextId: "Ada Lovelace" } }, operator);
      await caller.say({ text: "/fail 400" }, peer);
      await caller.ask("send", { message: "555-0100" } as Json, peer);
      await caller.ask("get", { id: "555-0100" }, { authorization: "Bearer wrong-token" });
    }
    const log = running.log.join("");
    expect(log).toContain("requests without a valid credential were refused");
    expect(log).not.toMatch(/555-0100|Ada Lovelace|operator-token|peer-token|wrong-token/);
  });
});
