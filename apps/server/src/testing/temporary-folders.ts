import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "@agent-service/config";

/** A home and a configuration folder of their own (N3), for one service or several in a row. */
export interface TemporaryFolders {
  /** `SVC_HOME`. */
  readonly home: string;
  /** `SVC_CONFIG_DIR`. */
  readonly config: string;
  /** The folder both lie in. */
  readonly root: string;
  /** Writes `agent-config.yaml`. */
  configure(yaml: string): void;
  remove(): void;
}

/** Makes them under the system's temporary folder. Without `yaml` there is no configuration file: a first run. */
export function temporaryFolders(yaml?: string): TemporaryFolders {
  const root = mkdtempSync(join(tmpdir(), "agent-service-"));
  const config = join(root, "config");
  const configure = (text: string): void => {
    makeFolder(config);
    writeFileSync(join(config, "agent-config.yaml"), text);
  };
  if (yaml !== undefined) configure(yaml);
  return {
    root,
    config,
    home: join(root, "home"),
    configure,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
