import { expect, it } from "vitest";
import { Problem } from "../problem/index.ts";
import { askRoutes } from "../testing/index.ts";
import { type ChatMessage, chatRoutes } from "./routes.ts";

function routes() {
  const sent: ChatMessage[] = [];
  const ask = askRoutes(
    chatRoutes({
      commands: () => [{ name: "help", kind: "control", description: "Lists", usage: "/help" }],
      fileText: async ({ name }) => ({ text: name, pages: 1, pages_read: 1, truncated: false }),
      async send(message) {
        sent.push(message);
        if (message.message === "fail") {
          throw new Problem(502, { code: "upstream", message: "no", upstream_status: 500, session_id: "s" });
        }
        return { response: "hi", messages: [], session_id: "s", task_id: "t", state: "completed" };
      },
    }),
  );
  return { sent, ask };
}

it("hands on what was sent, blank and absent alike", async () => {
  const { sent, ask } = routes();
  const key = { "idempotency-key": "k", traceparent: "tp" };
  await ask("POST", "/api/chat", { message: "hi", session_id: "s", model: " m ", hitl_resume: true }, key);
  await ask("POST", "/api/chat", { message: "hi", model: " " });
  await ask("POST", "/api/chat", { message: "hi", model: null, incognito: true, bypass_approvals: true });
  const plain = {
    message: "hi",
    session: "",
    model: undefined,
    incognito: false,
    resumes: false,
    bypassApprovals: false,
    effort: undefined,
    refuseDecision: expect.any(Function),
  };
  const bare = { ...plain, key: undefined, traceparent: undefined };
  expect(sent).toEqual([
    { ...plain, session: "s", model: "m", resumes: true, key: "k", traceparent: "tp" },
    bare,
    { ...bare, incognito: true, bypassApprovals: true },
  ]);
});

it("refuses an invalid message before anything is asked", async () => {
  const { sent, ask } = routes();
  expect((await ask("POST", "/api/chat", { message: "\n " })).status).toBe(400);
  expect((await ask("POST", "/api/chat", { message: "hi", session_id: "s".repeat(513) })).status).toBe(422);
  expect((await ask("POST", "/api/chat", { message: "hi" }, { "idempotency-key": "k".repeat(256) })).status).toBe(422);
  expect(sent).toEqual([]);
  expect((await ask("POST", "/api/chat", { message: "fail" })).body).toMatchObject({ detail: { code: "upstream" } });
});

it("lists the commands of the moment", async () => {
  const { body } = await routes().ask("GET", "/api/chat/commands");
  expect(body).toEqual({ commands: [{ name: "help", kind: "control", description: "Lists", usage: "/help" }] });
});

it("hands on a file whose text is asked for, and refuses what is not base64", async () => {
  const { ask } = routes();
  const file = { name: "a.pdf", media_type: "application/pdf", data: "JVBERi0=" };
  expect((await ask("POST", "/api/chat/file-text", file)).body).toMatchObject({ text: "a.pdf" });
  expect((await ask("POST", "/api/chat/file-text", { ...file, data: "%" })).status).toBe(422);
});

it("hands on a file of as many characters as are taken, and refuses one of more, or that is not base64 at its end", async () => {
  const { ask } = routes();
  const file = { name: "a.pdf", media_type: "application/pdf" };
  const most = "A".repeat(8_000_000);
  expect((await ask("POST", "/api/chat/file-text", { ...file, data: most })).status).toBe(200);
  expect((await ask("POST", "/api/chat/file-text", { ...file, data: `${most}A` })).status).toBe(422);
  expect((await ask("POST", "/api/chat/file-text", { ...file, data: `${most.slice(1)}!` })).status).toBe(422);
});
