import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Section } from "../section/index.ts";
import { ConfigSaveError, revisionOf, type SaveOptions, type SettingEdit, saveConfig } from "./index.ts";

const field = { label: "L", description: "D.", type: "string" } as const;
const SECTIONS: readonly Section[] = [
  {
    name: "auth",
    description: "",
    schema: v.object({ token: v.optional(v.string(), ""), mode: v.optional(v.string(), "") }),
    fields: { token: { ...field, type: "secret" }, mode: field },
    secrets: ["token"],
  },
  {
    name: "providers",
    description: "",
    schema: v.array(v.object({ id: v.string(), url: v.optional(v.string()), key: v.optional(v.string(), "") })),
    fields: { id: field, url: field, key: { ...field, type: "secret" } },
    secrets: ["key"],
    merge_by: "id",
  },
];

let home: string;
let live: string;
let overlay: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "save-"));
  mkdirSync(join(home, "config"));
  live = join(home, "config", "agent-config.yaml");
  overlay = join(home, "config", "secrets.yaml");
});
afterEach(() => {
  chmodSync(join(home, "config"), 0o700);
  rmSync(home, { recursive: true });
});

const save = (edits: readonly SettingEdit[], more: Partial<SaveOptions> = {}) =>
  saveConfig({ home, configDir: join(home, "config"), sections: SECTIONS, edits, check: () => {}, ...more });
const read = (file: string): string => readFileSync(file, "utf8");
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "saved",
    (error: unknown) => (error instanceof ConfigSaveError ? error.code : String(error)),
  );

/** Saves of another process: `count` settings of a section, all at once. */
function saving(count: number, section: string, prefix: string): string {
  return `import(${JSON.stringify(new URL("index.ts", import.meta.url).href)}).then(({ saveConfig }) =>
    Promise.all(Array.from({ length: ${count} }, (_, index) => saveConfig({
      home: ${JSON.stringify(home)}, configDir: ${JSON.stringify(join(home, "config"))}, sections: [], check() {},
      edits: [{ section: "${section}", key: "${prefix}" + index, value: index }],
    })))) `;
}

describe("secrets (B70)", () => {
  test("one that is set goes into the overlay, which only its owner reads, and leaves the live file", async () => {
    writeFileSync(live, "auth:\n  token: old # here\n  mode: x\n");
    await save([{ section: "auth", key: "token", value: "new-token" }]);
    expect(read(live)).toBe("auth:\n  mode: x\n");
    expect(read(overlay)).toBe("auth:\n  token: new-token\n");
    expect(statSync(overlay).mode & 0o777).toBe(0o600);
  });

  test("every save moves those of the live file, and never over one of the overlay", async () => {
    writeFileSync(
      live,
      "auth: { token: inline, mode: x }\nproviders:\n  - id: a\n    key: ka\n  - id: b\n    key: kb\n",
    );
    writeFileSync(overlay, "providers:\n  a: stored # mine\n");
    const { moved } = await save([{ section: "auth", key: "mode", value: "y" }]);
    expect(read(live)).toBe("auth: { mode: y }\nproviders:\n  - id: a\n  - id: b\n");
    expect(read(overlay)).toBe("providers:\n  a: stored # mine\n  b: kb\nauth:\n  token: inline\n");
    expect(moved).toEqual(["auth.token", "providers.a", "providers.b"]);
  });

  test("a blank one keeps what is stored", async () => {
    writeFileSync(overlay, "auth: { token: stored }\n");
    await save([
      { section: "auth", key: "token", value: " " },
      { section: "auth", key: "mode", value: "z" },
    ]);
    expect(read(overlay)).toBe("auth: { token: stored }\n");
  });

  test("one that is removed is deleted from both files; with an entry its own are deleted", async () => {
    writeFileSync(live, "auth: { token: t1 }\nproviders:\n  - id: a\n  - id: b\n");
    writeFileSync(overlay, "auth: { token: t2 }\nproviders: { a: ka, b: kb }\n");
    await save([
      { section: "auth", key: "token", value: undefined },
      { section: "providers", entry: "a", value: undefined },
    ]);
    expect(read(live)).not.toMatch(/t1|id: a/);
    expect(read(overlay)).toBe("auth: {}\nproviders: { b: kb }\n");
  });

  test("when the overlay cannot be written they stay inline, the new ones too", async () => {
    writeFileSync(live, "auth: { token: inline }\nproviders:\n  - id: a\n");
    const check = (): void => void mkdirSync(overlay);
    const { warnings, moved } = await save([{ section: "providers", entry: "a", key: "key", value: "ka" }], { check });
    expect(read(live)).toBe("auth: { token: inline }\nproviders:\n  - id: a\n    key: ka\n");
    expect([moved, warnings]).toEqual([[], [expect.stringMatching(/cannot be written \(EISDIR\): secrets stay in/)]]);
  });

  test("none goes into the host layer", async () => {
    expect(await codeOf(save([{ section: "auth", key: "token", value: "x" }], { layer: "host" }))).toBe(
      "misplaced-secret",
    );
    await save([{ section: "auth", key: "mode", value: "x" }], { layer: "host" });
    expect(read(join(home, "host-config.yaml"))).toBe("auth:\n  mode: x\n");
  });
});

describe("what is refused changes nothing", () => {
  test("another revision (O6)", async () => {
    writeFileSync(live, "auth: {}\n");
    const revision = revisionOf({ configDir: join(home, "config") });
    const saved = await save([{ section: "auth", key: "mode", value: "a" }], { revision });
    expect(await codeOf(save([{ section: "auth", key: "mode", value: "b" }], { revision }))).toBe("revision");
    expect(await codeOf(save([{ section: "auth", key: "mode", value: "b" }], saved))).toBe("saved");
  });

  test("a file that is no YAML, with its line", async () => {
    writeFileSync(live, "auth: {}\nb: [\n");
    await expect(save([{ section: "auth", key: "mode", value: "a" }])).rejects.toThrow(
      /agent-config\.yaml:\d: .*correct the file first/,
    );
    expect(read(live)).toBe("auth: {}\nb: [\n");
  });

  test("whatever the check refuses", async () => {
    const check = ({ file, secrets }: { file?: string | undefined; secrets?: string | undefined }) => {
      throw new Error(`no: ${file}${secrets}`);
    };
    await expect(
      save(
        [
          { section: "auth", key: "token", value: "s" },
          { section: "auth", key: "mode", value: "m" },
        ],
        { check },
      ),
    ).rejects.toThrow("no: auth:\n  mode: m\nauth:\n  token: s\n");
    expect(readdirSync(join(home, "config"))).toEqual([]);
  });

  test("a folder that cannot be written", () => {
    chmodSync(home, 0o755);
    chmodSync(join(home, "config"), 0o555);
    // Root may write anywhere, so a process of root gives its rights away first.
    const run = spawnSync(process.execPath, [
      "--input-type=module",
      "-e",
      `if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
       ${saving(1, "auth", "m")}.catch(({ code }) => process.stdout.write(code));`,
    ]);
    expect(run.stdout.toString()).toBe("managed");
  });
});

test("a link stays a link, and the file keeps its mode", async () => {
  writeFileSync(join(home, "real.yaml"), "auth: { mode: a }\n", { mode: 0o640 });
  symlinkSync(join(home, "real.yaml"), live);
  await save([{ section: "auth", key: "mode", value: "b" }]);
  expect(read(join(home, "real.yaml"))).toBe("auth: { mode: b }\n");
  expect(statSync(join(home, "real.yaml")).mode & 0o777).toBe(0o640);
});

test("a hand edit between reading and writing is kept", async () => {
  writeFileSync(live, "auth: { mode: a }\n");
  let times = 0;
  await save([{ section: "auth", key: "mode", value: "b" }], {
    check: () => {
      if (times++ === 0) writeFileSync(live, "auth: { mode: a }\nother: kept\n");
    },
  });
  expect(read(live)).toBe("auth: { mode: b }\nother: kept\n");
});

test("saves at once, in this process and in others, lose none of them; a lock of a process that has ended is taken over", async () => {
  writeFileSync(join(home, "config", ".agent-config.lock"), JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
  const processes = ["p", "q"].map((prefix) =>
    spawn(process.execPath, ["--input-type=module", "-e", `await ${saving(12, prefix, prefix)}`], { stdio: "inherit" }),
  );
  const own = Array.from({ length: 12 }, (_, index) => save([{ section: "own", key: `k${index}`, value: index }]));
  const codes = await Promise.all([...processes.map((one) => once(one, "exit").then(([code]) => code as number))]);
  await Promise.all(own);
  expect(codes.every((code) => code === 0)).toBe(true);
  const text = read(live);
  for (const prefix of ["p", "q", "k"])
    for (let index = 0; index < 12; index++) expect(text).toContain(`  ${prefix}${index}: ${index}\n`);
  expect(readdirSync(join(home, "config"))).toEqual(["agent-config.yaml"]);
});
