import { expect } from "vitest";
import type { Journey } from "../rig/journey.ts";

export const journeys: readonly Journey[] = [
  {
    title: "a person writes a task down, carries it over the board by hand and by keys, and closes it with a reason",
    service: { env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, operator }) {
      await visit("work/board");
      await page.getByText("The board is empty").waitFor();
      await page.getByRole("button", { name: "New item" }).first().click();
      await page.getByRole("textbox", { name: "Title" }).fill("Renew the certificate");
      await page.getByRole("combobox", { name: "Priority" }).selectOption("Urgent");
      await page.getByRole("button", { name: "Create item" }).click();
      const column = (name: string) => page.getByRole("region", { name, exact: true });
      const card = (name: string) => column(name).getByRole("link", { name: "Renew the certificate" });
      await page.getByRole("dialog").waitFor({ state: "detached" });
      const start = await card("Open").boundingBox();
      const blocked = await column("Blocked").boundingBox();
      if (start === null || blocked === null) throw new Error("no card, or no column");
      // Put back by Escape, it is not opened by the button that is released over it.
      await page.mouse.move(start.x + 20, start.y + 8);
      await page.mouse.down();
      await page.mouse.move(start.x + 40, start.y + 12, { steps: 3 });
      await page.keyboard.press("Escape");
      await page.mouse.up();
      await page.mouse.move(start.x + 20, start.y + 8);
      await page.mouse.down();
      await page.mouse.move(blocked.x + 60, blocked.y + 120, { steps: 5 });
      await page.mouse.up();
      await card("Blocked").waitFor();
      await card("Blocked").press("Space");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Space");
      await card("In progress").waitFor();
      await page.getByRole("status").getByText("Renew the certificate moved to In progress.").waitFor();
      await expect.poll(() => card("In progress").evaluate((link) => link === document.activeElement)).toBe(true);
      await card("In progress").press("Enter");
      await page.getByRole("textbox", { name: "Reason for closing" }).fill("Done in November");
      await page.getByRole("button", { name: "Close item" }).click();
      await card("Closed").waitFor();
      const { issue } = await operator.get("/api/tasks/issues/{id}", { params: { id: "task-1" } });
      expect(issue).toMatchObject({ status: "closed", close_reason: "Done in November", priority: 0 });
    },
  },
  {
    title:
      "a person schedules a prompt by plain choices, runs it now, reads what became of it, pauses, changes and deletes it",
    async run({ page, visit, operator }) {
      await visit("work/schedules");
      await page.getByText("Nothing is scheduled").waitFor();
      await page.getByRole("button", { name: "New schedule" }).first().click();
      const form = page.getByRole("dialog", { name: "New schedule" });
      await form.getByRole("textbox", { name: "What to do" }).fill("Sum up what came in overnight");
      await form.getByRole("combobox", { name: "How often" }).selectOption("Certain days of the week");
      await form.getByRole("checkbox", { name: "Friday" }).check();
      await form.getByLabel("Time", { exact: true }).fill("07:30");
      await form.getByRole("combobox", { name: "Time zone" }).fill("Europe/Berlin");
      const times = form.getByRole("region", { name: "Next times" });
      await times.getByText("At 07:30, only on Monday and Friday (Europe/Berlin)").waitFor();
      expect(await times.getByRole("listitem").count()).toBe(10);
      await form.getByRole("button", { name: "Create schedule" }).click();
      await page.getByRole("heading", { name: "At 07:30, only on Monday and Friday" }).waitFor();
      await page.getByText("None has come yet.").waitFor();
      await page.getByRole("button", { name: "Run now" }).click();
      const ledger = page.getByRole("region", { name: "Its times so far" }).first();
      await ledger.getByText("Completed").waitFor();
      await ledger.getByRole("link", { name: "Open run" }).waitFor();
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByRole("article").getByText("Paused", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Switch on" }).click();
      await page.getByRole("button", { name: "Edit" }).click();
      const edit = page.getByRole("dialog", { name: "Edit schedule" });
      await edit.getByRole("combobox", { name: "How often" }).selectOption("Cron fields");
      await edit.first().waitFor();
      await edit.getByRole("textbox", { name: "Schedule" }).fill("15 9 1 * *");
      const asks = edit.getByRole("combobox", { name: "Ask before each run" });
      await asks.selectOption("Another check, as JSON");
      expect(await edit.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
      await asks.selectOption("Whether a page holds a text");
      await edit.getByRole("textbox", { name: "Address of the page" }).fill("https://example.com/releases");
      await edit.getByRole("textbox", { name: "Text it holds" }).fill("2.0");
      await edit.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: "At 09:15, on day 1 of the month" }).waitFor();
      const { jobs } = await operator.get("/api/scheduler/jobs", { query: {} });
      expect(jobs).toMatchObject([{ schedule: "15 9 1 * *", timezone: "Europe/Berlin", enabled: true }]);
      const check_args = { url: "https://example.com/releases", contains: "2.0" };
      expect(jobs[0]?.only_if).toEqual({ check: "core:url", check_args });
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete schedule" }).click();
      await page.getByText("Nothing is scheduled").waitFor();
    },
  },
  {
    title: "a person has an issue watched, checks it now, reads what was found and what fired, and removes the watch",
    async run({ page, visit, operator }) {
      const { id } = (await operator.post("/api/tasks/issues", { body: { title: "Ship it" } })).issue;
      await visit("work/watches");
      await page.getByText("Nothing is watched").waitFor();
      await page.getByRole("button", { name: "New watch" }).first().click();
      const form = page.getByRole("dialog", { name: "New watch" });
      await form.getByRole("textbox", { name: "What is watched" }).fill("The issue is closed");
      const how = form.getByRole("combobox", { name: "How it is checked" });
      await form.getByRole("textbox", { name: "Text it holds" }).waitFor();
      await how.selectOption("Whether a page changes");
      expect(await form.getByRole("textbox", { name: "Text it holds" }).count()).toBe(0);
      await how.selectOption("Another check, as JSON");
      const check = { check: "core:board", check_args: { issue_id: id } };
      await form.getByRole("textbox", { name: "Check" }).fill(JSON.stringify(check));
      await form.getByRole("checkbox", { name: "Go on watching" }).check();
      await form.getByRole("button", { name: "Start watching" }).click();
      await page.getByRole("heading", { name: "The issue is closed" }).waitFor();
      await page.getByText("It has not fired yet.").waitFor();
      await operator.post("/api/tasks/issues/{id}/close", { params: { id } });
      await page.getByRole("button", { name: "Check now" }).click();
      await page.getByRole("region", { name: "When it fired" }).first().getByText("It was true").waitFor();
      await page.getByRole("link", { name: "Open reaction" }).waitFor();
      await page.getByRole("button", { name: "Remove" }).click();
      await page.getByRole("button", { name: "Remove watch" }).click();
      await page.getByText("Nothing is watched").waitFor();
    },
  },
  {
    title:
      "a person sets a goal with a check, reads the evidence of its verdicts, rearms it until it is met, and clears it",
    async run({ page, visit, operator }) {
      const { id } = (await operator.post("/api/tasks/issues", { body: { title: "Sweep the attic" } })).issue;
      await visit("work/goals");
      await page.getByText("There is no goal").waitFor();
      await page.getByRole("button", { name: "New goal" }).first().click();
      const form = page.getByRole("dialog", { name: "New goal" });
      await form.getByRole("textbox", { name: "What is to hold" }).fill("The attic is swept");
      const how = form.getByRole("combobox", { name: "How it is checked" });
      await how.selectOption("Tests pass");
      await form.getByRole("textbox", { name: "Files that must not change" }).waitFor();
      const save = form.getByRole("button", { name: "Set goal" });
      expect(await save.isDisabled()).toBe(true);
      await how.selectOption("A check with a name");
      await form.getByRole("combobox", { name: "Check", exact: true }).selectOption("core:board");
      await save.click();
      await form.getByText("Fill this in.").waitFor();
      await form.getByRole("textbox", { name: "Issue id" }).fill(id);
      await form.getByRole("spinbutton", { name: "Iterations" }).fill("1");
      await form.getByText("What to keep to, and when to give up").click();
      await form.getByRole("textbox", { name: "What to leave alone" }).fill("The windows");
      // It ends on its own page, where no notice of that comes.
      await form.getByRole("checkbox", { name: "Begin now" }).uncheck();
      await save.click();
      const details = page.getByRole("article");
      await details.getByRole("heading", { name: "The attic is swept" }).waitFor();
      await details.getByText("It was set without beginning. Resume begins.").waitFor();
      await page.getByRole("button", { name: "Resume" }).click();
      await details.getByText("Exhausted", { exact: true }).first().waitFor();
      await details.getByText("The windows").waitFor();
      const happened = page.getByRole("region", { name: "What happened" });
      await happened.getByText("Evidence").first().click();
      await happened.getByText(`${id}: open`).waitFor();
      expect(await happened.getByRole("link", { name: /Open (run|check)/ }).count()).toBe(2);
      await operator.post("/api/tasks/issues/{id}/close", { params: { id } });
      await page.getByRole("button", { name: "Rearm…" }).click();
      await page.getByRole("spinbutton", { name: "Iterations to add" }).fill("2");
      await page.getByRole("button", { name: "Rearm goal" }).click();
      await details.getByText("Met", { exact: true }).first().waitFor();
      await details.getByText("1 of 3 iterations").waitFor();
      await page.getByRole("button", { name: "Clear…" }).click();
      await page.getByRole("button", { name: "Clear goal" }).click();
      await page.getByText("There is no goal").waitFor();
    },
  },
  {
    title: "a chat with a paused goal says so above its message box, and leads to it, where it is resumed",
    async run({ page, visit, operator }) {
      const session_id = "goal-line";
      await operator.post("/api/chat", { body: { session_id, message: "/say The lamp is off." } });
      const { id } = (await operator.post("/api/tasks/issues", { body: { title: "Light the lamp" } })).issue;
      const verifier = { type: "plugin", check: "core:board", args: { issue_id: id } };
      const goal = { session_id, condition: "The lamp is lit", verifier, kick: false, max_iterations: 1 };
      await operator.post("/api/goals", { body: goal });
      await visit(`chat/${session_id}`);
      const line = page.getByRole("region", { name: "Goal" });
      await line.getByText("0 of 1").waitFor();
      await line.getByText("Paused", { exact: true }).waitFor();
      await line.getByRole("link", { name: /The lamp is lit\. It was set without beginning/ }).click();
      await operator.post("/api/tasks/issues/{id}/close", { params: { id } });
      await page.getByRole("button", { name: "Resume" }).click();
      await page.getByRole("article").getByText("Met", { exact: true }).first().waitFor();
      await page.getByRole("button", { name: "Clear…" }).click();
      await page.getByRole("button", { name: "Clear goal" }).click();
      await page.getByText("There is no goal").waitFor();
      await visit(`chat/${session_id}`);
      await page.getByText("The lamp is off.").first().waitFor();
      expect(await line.count()).toBe(0);
    },
  },
  {
    title: "a person leaves something in the inbox, delivers it, and reads in the activity what the agent made of it",
    async run({ page, visit }) {
      await visit("work/inbox");
      await page.getByRole("button", { name: "Add to inbox" }).first().click();
      const form = page.getByRole("dialog", { name: "Add to the inbox" });
      await form.getByRole("textbox", { name: "Text" }).fill("Count the archives of the year");
      await form.getByRole("button", { name: "Add to inbox" }).click();
      const item = page.getByRole("listitem").filter({ hasText: "Count the archives of the year" });
      await item.getByRole("button", { name: "Deliver now" }).click();
      await item.waitFor({ state: "detached" });
      await page.getByRole("link", { name: "Activity", exact: true }).click();
      const entry = page.getByRole("listitem").filter({ hasText: "Count the archives of the year" });
      await entry.getByText("Completed").waitFor();
      await entry.getByText("You said:").waitFor();
    },
  },
  {
    title: "a person finds a running background job by its state, cancels it, reads another's result, and dismisses it",
    async run({ page, visit, operator }) {
      const start = (description: string, prompt: string) =>
        operator.post("/api/chat", {
          body: {
            session_id: "jobs-2",
            message: `/call task ${JSON.stringify({ description, prompt, subagent_type: "researcher", run_in_background: true })}`,
          },
        });
      await start("Watch the moon for a minute", "/wait 600000");
      await start("Say what was found", "/say Nothing but dust.");
      await visit("work/jobs");
      await page.getByRole("button", { name: "Running" }).click();
      await page.getByRole("link", { name: /Watch the moon/ }).click();
      await page.getByRole("button", { name: "Cancel job" }).click();
      await page.getByRole("article").getByText("Canceled", { exact: true }).waitFor();
      await page.getByRole("button", { name: "All", exact: true }).click();
      await page.getByRole("link", { name: /Say what was found/ }).click();
      await page.getByText("Nothing but dust.").waitFor();
      await page.reload();
      await page.getByText("Nothing but dust.").waitFor();
      await page.getByRole("button", { name: "Dismiss" }).click();
      await page.getByRole("link", { name: /Say what was found/ }).waitFor({ state: "detached" });
    },
  },
];
