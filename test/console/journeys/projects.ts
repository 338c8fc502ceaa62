import { once } from "node:events";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { violationsInThemes } from "../rig/accessibility.ts";
import type { Journey } from "../rig/journey.ts";

const service = { env: { SVC_HEADLESS_SETUP: "true" } };

export const journeys: readonly Journey[] = [
  {
    title: "a person lets the agent work in a folder they chose, says what it may do there, and takes it out again",
    service,
    async run({ page, visit, operator, service: { folders } }) {
      const folder = join(folders.root, "src/shop");
      mkdirSync(folder, { recursive: true });
      await visit("projects");
      await page.getByRole("heading", { name: "No projects yet" }).waitFor();
      await page.getByRole("button", { name: "Add a folder" }).click();
      await page.getByRole("textbox", { name: "Folder" }).fill(join(folders.root, "src"));
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "shop", exact: true }).click();
      await page.getByText("There is no folder in it.").waitFor();
      await page.getByRole("button", { name: "May write", exact: true }).click();
      expect(await violationsInThemes(page)).toEqual([]);
      await page.getByRole("button", { name: "Add shop" }).click();
      const shop = page.getByRole("listitem").filter({ hasText: folder });
      await shop.getByText("May write", { exact: true }).waitFor();
      // What was reached until then is a project too (F2).
      await page.getByRole("heading", { name: "workspace" }).waitFor();

      const choose = async (action: string): Promise<void> => {
        await page.getByRole("button", { name: "Actions of shop" }).click();
        await page.getByRole("menuitem", { name: action }).click();
      };
      await choose("Edit");
      await page.getByRole("button", { name: "Read only" }).click();
      await page.getByRole("textbox", { name: "Repository" }).fill("example/shop");
      await page.getByRole("button", { name: "Save" }).click();
      await shop.getByText("Read only", { exact: true }).waitFor();
      await shop.getByText("example/shop, branch main").waitFor();

      rmSync(folder, { recursive: true });
      // Changed elsewhere, it is read again without being asked for.
      await operator.patch("/api/projects/{name}", { params: { name: "shop" }, body: { no_delete: true } });
      await shop.getByText("The folder is missing, so the agent does not reach it.", { exact: false }).waitFor();
      mkdirSync(folder);
      await shop.getByText("The folder is missing", { exact: false }).waitFor({ state: "detached" });
      await choose("Remove from the list");
      await page.getByText("stays as it is, with everything in it.").waitFor();
      await page.getByRole("button", { name: "Remove from the list" }).click();
      await shop.waitFor({ state: "detached" });
      expect(existsSync(folder)).toBe(true);

      // As a configuration that this service may not write (O6).
      await page.route("**/api/config/setup-status", (route) =>
        route.fulfill({ json: { setup_complete: true, managed: true, presets: [] } }),
      );
      await visit("projects");
      await page.getByText("managed elsewhere: projects are changed there", { exact: false }).waitFor();
      await page.getByRole("heading", { name: "workspace" }).waitFor();
      expect(await page.getByRole("button", { name: /^(Add|Clone|Actions)/ }).count()).toBe(0);
    },
  },
  {
    title: "a clone that is refused names the setting to change and leads to it, and one that runs can be stopped",
    service,
    async run({ page, visit, operator, service: { folders }, expectStatus }) {
      let [isAsked, isLeft] = [false, false];
      // Answers nothing: the clone waits for it.
      const server = createServer((request) => {
        isAsked = true;
        request.on("close", () => {
          isLeft = true;
        });
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const host = `http://localhost:${(server.address() as AddressInfo).port}`;
      try {
        await visit("projects");
        await page.getByRole("button", { name: "Clone a repository" }).click();
        await page.getByText("Nothing may be cloned yet.", { exact: false }).waitFor();
        const updates = {
          ...{ "onboarding.root": join(folders.root, "clones"), "onboarding.allow": ["localhost:*/example/*"] },
          "egress.allowed_hosts": ["localhost"],
        };
        await operator.post("/api/settings", { body: { updates } });
        await page.getByText("Nothing may be cloned yet.", { exact: false }).waitFor({ state: "detached" });
        const repository = page.getByRole("textbox", { name: "Repository" });
        expectStatus(400);
        await repository.fill(`${host}/elsewhere/app`);
        await page.keyboard.press("Enter");
        await page.getByRole("alert").getByRole("link", { name: "onboarding.allow" }).waitFor();
        await repository.fill(`${host}/example/app`);
        await page.getByRole("button", { name: "Clone it" }).click();
        await page.getByRole("button", { name: "Stop cloning" }).waitFor();
        // One that is stopped before git has asked would never leave.
        await expect.poll(() => isAsked, { message: "git asked the server" }).toBe(true);
        await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
        await page.getByRole("button", { name: "Stop", exact: true }).click();
        await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
        await expect.poll(() => isLeft, { message: "git left the server" }).toBe(true);
        expect(existsSync(join(folders.root, "clones/app"))).toBe(false);
        await page.getByRole("button", { name: "Clone a repository" }).click();
        await repository.fill(`${host}/elsewhere/app`);
        await page.keyboard.press("Enter");
        await page.getByRole("alert").getByRole("link", { name: "onboarding.allow" }).click();
        await page.getByRole("textbox", { name: "Allowed repositories" }).waitFor();
      } finally {
        server.close();
        server.closeAllConnections();
      }
    },
  },
];
