/** How git is called for a clone over ssh, and what is said of it when it fails (F20). */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../clock/index.ts";
import { type Database, openDatabase } from "../database/index.ts";
import { Processes } from "../process/index.ts";
import { cloneCommand } from "./clone-command.ts";
import { Cloning } from "./index.ts";
import { parseRepositoryAddress } from "./repository-address.ts";

let base: string;
let db: Database;
let processes: Processes;
beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "ssh-clone-")));
  for (const folder of ["root", "bin"]) mkdirSync(join(base, folder));
  db = await openDatabase({ url: ":memory:", owner: { name: "test" } });
  const log = { warn: () => {}, debug: () => {} };
  processes = new Processes({ db, clock: systemClock(), log, newId: () => crypto.randomUUID(), graceMs: 300 });
});
afterAll(async () => {
  await processes.stop();
  await db.close();
  rmSync(base, { recursive: true, force: true });
});

/** Clones with a program in the place of ssh that notes its arguments and ends as ssh does. */
async function cloneOver(repo: string, said: string) {
  const program = `#!/bin/sh\nprintf '%s\\n' "$@" > "${base}/args"\nenv > "${base}/env"\necho "${said}" >&2\nexit 255\n`;
  writeFileSync(join(base, "bin/ssh"), program);
  chmodSync(join(base, "bin/ssh"), 0o755);
  const cloning = new Cloning({
    settings: () => ({ root: join(base, "root"), allow: ["**"] }),
    makeRoot: (root) => root,
    addressesOf: async () => ({ addresses: ["192.0.2.7", "192.0.2.8"], isNamed: false }),
    programs: processes,
    clock: systemClock(),
    environment: () => ({ PATH: `${join(base, "bin")}:${process.env.PATH}`, HOME: "/home/ann" }),
  });
  return cloning.clone(repo, undefined, new AbortController().signal);
}

test.each([
  ["git@git.example.org:team/app.git", "git.example.org", []],
  ["ssh://git@git.example.org:2222/team/app.git", "[git.example.org]:2222", ["-p", "2222"]],
])(
  "%s connects to the checked address and looks for the host's key as known_hosts has it",
  async (repo, alias, port) => {
    await expect(cloneOver(repo, "closed")).rejects.toMatchObject({ code: "onboarding.failed" });
    const args = readFileSync(join(base, "args"), "utf8").trimEnd().split("\n");
    const options = args.filter((_, at) => args[at - 1] === "-o");
    expect(args.slice(0, 2)).toEqual(["-F", "none"]);
    expect(options).toEqual(
      expect.arrayContaining([
        ...["HostName=192.0.2.7", `HostKeyAlias=${alias}`, "StrictHostKeyChecking=yes", "BatchMode=yes"],
        ...["ProxyCommand=none", "PermitLocalCommand=no", "ForwardAgent=no", "ClearAllForwardings=yes"],
      ]),
    );
    expect(args.slice(-2 - port.length)).toEqual([...port, "git@git.example.org", "git-upload-pack '/team/app.git'"]);
    expect(readFileSync(join(base, "env"), "utf8")).toMatch(/^HOME=\/home\/ann$/m);
    expect(readdirSync(join(base, "root"))).toEqual([]);
  },
);

test.each([
  ["Host key verification failed.", "git.example.org is not in the known_hosts of the service's user"],
  ["git@192.0.2.7: Permission denied (publickey).", "git.example.org accepts no key of the service's user"],
  ["ssh: connect to host 192.0.2.7 port 22: Connection refused", "git.example.org: Connection refused"],
  ["ssh: connect to host 2001:db8::7 port 22: Connection timed out", "git.example.org: Connection timed out"],
  ["kex_exchange_identification: read: Connection reset by peer", "Could not read from remote repository"],
])("that ends with %j is explained, without the address", async (said, reason) => {
  const failure = await cloneOver("git@git.example.org:team/app", said).catch((error: Error) => error.message);
  expect(failure).toContain(`git could not clone it: ${reason}`);
  expect(failure).not.toMatch(/192\.0|2001/);
});

test("nothing of ssh is set for the other protocols, which see an empty home", () => {
  const { variables, argv } = cloneCommand(parseRepositoryAddress("example/app"), ["192.0.2.7"], "/into", "/beside");
  expect(variables).toMatchObject({ HOME: "/beside", GIT_ALLOW_PROTOCOL: "https" });
  expect(variables).not.toHaveProperty("GIT_SSH_COMMAND");
  expect(argv).toContain("http.curloptResolve=github.com:443:192.0.2.7");
});
