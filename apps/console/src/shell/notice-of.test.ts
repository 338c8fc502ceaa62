import { expect, test } from "vitest";
import { noticeOf } from "./notice-of.ts";

const waits = { topic: "turn.input_required", data: { session_id: "a b" } };
const job = (status: string) => ({
  topic: "background.completed",
  data: { job_id: "bg-1", status, description: "Count" },
});

test.each([
  ["/app/chat/a%20b", false],
  ["/agents/one/app/chat/a%20b", false],
  ["/app/chat/a", true],
  ["/app/chat", true],
  ["/app/approvals", true],
])("a prompt causes a notice at %s: %s", (path, shown) => {
  expect(noticeOf(waits, path)?.to).toBe(shown ? "/approvals" : undefined);
});

test("a job that ended causes a notice, but not one that was canceled, and nothing else does", () => {
  expect(noticeOf(job("completed"), "/app")).toEqual({
    text: "The job “Count” is done.",
    tone: "good",
    to: "/work/jobs/bg-1",
  });
  expect(noticeOf(job("failed"), "/app")?.tone).toBe("bad");
  expect(noticeOf(job("canceled"), "/app")).toBeUndefined();
  expect(noticeOf({ topic: "turn.finished", data: {} }, "/app")).toBeUndefined();
});

test("a goal that ended causes a notice that leads to it", () => {
  const ended = (status: string) => ({
    topic: status === "met" ? "goal.met" : "goal.failed",
    data: { session_id: "a b", condition: "Tests pass", status, reason: "", evidence: "" },
  });
  expect(noticeOf(ended("met"), "/app")).toEqual({
    text: "The goal “Tests pass” is met.",
    tone: "good",
    to: "/work/goals/a%20b",
  });
  expect(noticeOf(ended("met"), "/agents/one/app/work/goals/a%20b")).toBeUndefined();
  expect(noticeOf(ended("exhausted"), "/app")).toMatchObject({ tone: "bad", text: expect.stringMatching(/exhausted/) });
  expect(noticeOf(ended("unachievable"), "/app")?.text).toBe("The goal “Tests pass” is given up.");
});
