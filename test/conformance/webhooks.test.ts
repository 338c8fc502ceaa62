/** Webhooks: their configs and what they are sent, in both versions and both bindings. */
import { afterAll, describe, expect, it } from "vitest";
import { type ReceivedPost, webhookReceiver } from "../../apps/server/src/testing/index.ts";
import { startTestService } from "../../apps/server/src/testing/test-service.ts";
import { inlineConfig, pushCalls } from "./push-calls.ts";
import { misfits03 } from "./shapes-0-3.ts";
import { misfits10 } from "./shapes-1-0.ts";
import { type Json, speakersTo, textOf } from "./speaker.ts";

const running = await startTestService({
  config: 'auth: { token: operator-token, federation_token: peer-token }\nmodel: { name: "scripted:demo" }\n',
  env: { PUSH_NOTIFICATION_ALLOWED_HOSTS: "127.0.0.1" },
});
afterAll(() => running.stop());
const callers = speakersTo(running.url, { authorization: "Bearer operator-token" });
const QUESTION = '/call ask_human {"question":"Which?"}\n/then\n/say Thanks.';

const isCompleted = ({ state }: ReceivedPost) => /^(TASK_STATE_COMPLETED|completed)$/.test(state ?? "");

describe.each(callers)("a webhook in $version over $binding", (caller) => {
  const push = pushCalls(caller);
  const parked = async (): Promise<Json> => (await caller.say({ text: QUESTION })).result;
  const scheme = caller.version === "1.0" ? "Basic" : "Bearer";
  const authentication = { scheme, credentials: "hook-secret" };

  it("is declared on the card [R10-3.1.7-1]", async () => {
    const card = (await caller.ask("card", {})).result;
    expect(card.capabilities.pushNotifications).toBe(true);
  });

  it("gets the task's states with its credentials, in the form of its version, and the result at the end [R10-3.1.7-1, R10-4.3.3-1, R10-4.3.3-2, R10-13.2-1, R03-T:push-1, R03-T:push-3]", async () => {
    await using receiver = await webhookReceiver();
    const task = await parked();
    const set = await push.set(task.id, { id: "first", url: receiver.url, authentication });
    expect(set.error).toBeUndefined();
    await caller.say({ text: "This", message: { taskId: task.id } });
    await receiver.until(isCompleted);
    const { posts } = receiver;
    for (const { headers, body, id } of posts) {
      expect([headers.authorization, headers["x-a2a-notification-token"]]).toEqual([
        `${scheme} hook-secret`,
        "hook-secret",
      ]);
      expect(id).toMatch(new RegExp(`^${task.id}/\\d+$`));
      if (caller.version === "1.0") {
        expect(headers["content-type"]).toBe("application/a2a+json");
        expect(misfits10("streamResponse", body)).toEqual([]);
      } else {
        expect(headers["content-type"]).toBe("application/json");
        expect(misfits03("TaskStatusUpdateEvent", body)).toEqual([]);
      }
    }
    const artifacts = posts.flatMap(({ body }) => body.artifact ?? body.artifactUpdate?.artifact ?? []);
    expect(artifacts.map(textOf)).toEqual(["Thanks."]);
    expect(isCompleted(posts.at(-1)!)).toBe(true);
  });

  it("can come with the message [R10-3.1.7-1, R10-3.2.2-3]", async () => {
    await using receiver = await webhookReceiver();
    const config = { url: receiver.url, token: "inline-token" };
    const sent = await caller.say({ text: "/say hi", wait: false, configuration: inlineConfig(caller, config) });
    await receiver.until(isCompleted);
    expect(new Set(receiver.posts.map(({ headers }) => headers["x-a2a-notification-token"]))).toEqual(
      new Set(["inline-token"]),
    );
    const [listed] = (await push.list(sent.result.id)).result.configs;
    expect(listed).toMatchObject({ taskId: sent.result.id, url: receiver.url });
  });

  it("is kept, read and listed with everything but its secrets [R10-3.1.7-2, R10-3.1.8-1, R10-3.1.8-2, R10-3.1.9-1, R10-13.2-6, R03-3.2.3-7]", async () => {
    await using receiver = await webhookReceiver();
    const { id } = await parked();
    const { url } = receiver;
    const answers = [
      await push.set(id, { id: "one", url, token: "secret-token", authentication }),
      await push.set(id, { id: "two", url }),
      await push.get(id, "one"),
      await push.get(id, "two"),
      await push.list(id),
    ];
    const shown = { taskId: id, id: "one", url };
    for (const at of [0, 2]) expect(answers[at]!.result).toMatchObject(shown);
    expect(
      answers
        .at(-1)!
        .result.configs.map((config: Json) => config.id)
        .sort(),
    ).toEqual(["one", "two"]);
    expect(JSON.stringify(answers)).not.toMatch(/secret-token|hook-secret/);
    if (caller.version === "1.0") {
      for (const config of answers[4]!.result.configs) expect(misfits10("pushConfig", config)).toEqual([]);
    } else {
      const raw = [answers[0]!, answers[2]!].map(({ body }) => body.result ?? body);
      for (const config of raw) expect(misfits03("TaskPushNotificationConfig", config)).toEqual([]);
    }
    expect((await push.get(id, "three")).error?.code).toBe(-32001);
    expect((await push.get("no-such-task", "one")).error?.code).toBe(-32001);
    expect(running.log.join("")).not.toMatch(/secret-token|hook-secret/);
    await caller.ask("cancel", { id });
  });

  it("gets nothing more once it is removed, which may be asked twice [R10-3.1.10-1, R10-3.1.10-2]", async () => {
    const { id } = await parked();
    await using removed = await webhookReceiver();
    await using stays = await webhookReceiver();
    await push.set(id, { id: "removed", url: removed.url });
    await push.set(id, { id: "stays", url: stays.url });
    await Promise.all([removed.count(1), stays.count(1)]);
    for (const _ of [1, 2]) expect((await push.remove(id, "removed")).error).toBeUndefined();
    expect((await push.get(id, "removed")).error?.code).toBe(-32001);
    const before = removed.posts.length;
    await caller.say({ text: "This", message: { taskId: id } });
    await stays.until(isCompleted);
    expect(removed.posts).toHaveLength(before);
  });

  it("is refused where its address is private, without being asked [R10-13.2-4, R03-T:push-2]", async () => {
    const { id } = await parked();
    for (const url of [
      "http://10.0.0.1/hook",
      "http://[::1]/hook",
      "http://169.254.169.254/",
      "http://localhost:1/",
      "ftp://example.com/",
    ]) {
      const refused = await push.set(id, { url });
      expect([url, refused.error?.code]).toEqual([url, -32602]);
      const inline = await caller.say({ text: "/say x", configuration: inlineConfig(caller, { url }) });
      expect([url, inline.error?.code]).toEqual([url, -32602]);
    }
    expect((await push.list(id)).result.configs).toEqual([]);
    await caller.ask("cancel", { id });
  });

  it("of another class's task is none [R10-13.1-7, R10-3.1.8-2]", async () => {
    const { id } = await parked();
    await using receiver = await webhookReceiver();
    await push.set(id, { id: "mine", url: receiver.url });
    const theirs = pushCalls(caller, { authorization: "Bearer peer-token" });
    for (const refused of [
      await theirs.set(id, { url: receiver.url }),
      await theirs.get(id, "mine"),
      await theirs.list(id),
      await theirs.remove(id, "mine"),
    ]) {
      expect(refused.error?.code).toBe(-32001);
    }
    expect((await push.get(id, "mine")).error).toBeUndefined();
    await caller.ask("cancel", { id });
  });
});
