import { mkdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { run } from "../process/run.ts";

/** A package in the form its users install, unpacked into a `node_modules` folder. */
export interface PackedPackage {
  readonly name: string;
  /** The folder in the working tree it was packed from. */
  readonly source: string;
  readonly tarball: string;
  /** Where it lies unpacked. */
  readonly folder: string;
  readonly manifest: PackedManifest;
}

/** The fields of a packed `package.json` that the checks read. */
export interface PackedManifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly type?: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

async function mustRun(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, output } = await run(program, args, { cwd });
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} in ${cwd} ended with ${code}:\n${output}`);
  return output;
}

/**
 * Packs the package in `source` with `pnpm pack` (which applies `publishConfig`) and unpacks it below
 * `<target>/node_modules`, its external dependencies linked beside it as an installer would place them.
 */
export async function pack(source: string, target: string): Promise<PackedPackage> {
  const { name, dependencies = {} } = JSON.parse(
    await readFile(path.join(source, "package.json"), "utf8"),
  ) as PackedManifest;
  const tarball = path.join(target, `${name.replace("@", "").replace("/", "-")}.tgz`);
  await mustRun("pnpm", ["pack", "--out", tarball], source);
  const folder = path.join(target, "node_modules", name);
  await mkdir(folder, { recursive: true });
  await mustRun("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"], target);
  for (const dependency of Object.keys(dependencies).filter((other) => !other.startsWith("@agent-service/"))) {
    const link = path.join(target, "node_modules", dependency);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(source, "node_modules", dependency), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
  const manifest = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as PackedManifest;
  return { name, source, tarball, folder, manifest };
}
