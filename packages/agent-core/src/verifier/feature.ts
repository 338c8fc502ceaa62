import type { AnyVerifier } from "@agent-service/plugin-sdk";
import { boardOfIssues } from "../board/index.ts";
import type { Egress } from "../egress/index.ts";
import { defineFeature, featureKey } from "../feature/index.ts";
import { files, filesystemSection } from "../filesystem/index.ts";
import type { Environment } from "../process/index.ts";
import { coreVerifiers } from "./core-verifiers.ts";
import { Expressions } from "./expressions.ts";
import { Verifiers } from "./verifiers.ts";

/** What the host knows of checks. */
export interface VerificationOptions {
  /** The service's own environment; of it an allow-list is passed on. */
  readonly inherited: Environment;
  /** For pages that are looked at. Asked at each check. */
  readonly egress: () => Pick<Egress, "request">;
  /** Why no command may be set as a check; undefined: it may. Asked at each use. */
  readonly commandsRefused?: () => string | undefined;
}

/** Checks that say from outside of a conversation whether something holds. */
export function verification({ inherited, egress, commandsRefused = () => undefined }: VerificationOptions) {
  return defineFeature({
    name: "verification",
    needs: [files, boardOfIssues],
    sections: [filesystemSection],
    open({ clock, redactor, log, processes, service, verifiers: ofPlugins }, { needs, settings }) {
      const expressions = new Expressions(processes);
      const own = coreVerifiers({ egress, expressions, board: needs.board.issues, tasks: service });
      const named = new Map<string, AnyVerifier>();
      for (const [plugin, verifiers] of [...Object.entries(ofPlugins), ["core", own] as const])
        for (const verifier of verifiers) named.set(`${plugin}:${verifier.name}`, verifier);
      const pass = (): readonly string[] => settings.filesystem.run_env;
      return new Verifiers({
        ...{ fence: needs.filesystem.fence, clock, redactor, log, expressions, verifiers: named, commandsRefused },
        commands: { processes, inherited, pass },
      });
    },
    close: (verifiers) => verifiers.close(),
  });
}

/** What other features need of it. */
export const checks = featureKey<"verification", Verifiers>("verification");
