/** Signing in to servers, as operators do (M4, M13). */
import { type McpOperations, SignInError } from "@agent-service/agent-core/host";
import { type McpServerRow, type McpService, Problem } from "@agent-service/operator-api";
import type { AuditNotes } from "./audit-notes.ts";
import { refusedBody } from "./declared-server.ts";

export interface SignInServiceParts {
  readonly operations: Pick<McpOperations, "signIn">;
  readonly publicUrl: () => string | undefined;
  rowOfServer(name: string): McpServerRow;
  /** What the engine refuses of a server, with the status of each reason. */
  refusing<T>(act: () => Promise<T>): Promise<T>;
  readonly audit: Pick<AuditNotes, "signIn">;
}

export function signInService(parts: SignInServiceParts): Pick<McpService, "beginSignIn" | "finishSignIn" | "signOut"> {
  const { operations, publicUrl, rowOfServer, refusing, audit } = parts;
  const acting = <T>(server: string, step: "begun" | "granted" | "signed_out", act: () => Promise<T>): Promise<T> =>
    refusing(() =>
      signingIn(async () => {
        try {
          const done = await act();
          await audit.signIn({ server, step });
          return done;
        } catch (error) {
          if (error instanceof SignInError) await audit.signIn({ server, step: "failed", reason: error.code });
          throw error;
        }
      }),
    );
  return {
    async beginSignIn(name, redirectUri) {
      refuseRedirect(redirectUri, publicUrl());
      return acting(name, "begun", async () => operations.signIn(name).begin(redirectUri));
    },
    async finishSignIn(name, answer) {
      await acting(name, "granted", async () => operations.signIn(name).finish(answer));
      return rowOfServer(name);
    },
    async signOut(name) {
      await acting(name, "signed_out", async () => operations.signIn(name).signOut());
      return rowOfServer(name);
    },
  };
}

async function signingIn<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    const { code, message } = error;
    const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
    throw new Problem(code === "unreachable" ? 502 : 409, sentence, { cause: error });
  }
}

/** Answers of sign-ins come to the console of this service, or to a program of the person's own machine. @throws Problem 422 */
function refuseRedirect(redirectUri: string, publicUrl: string | undefined): void {
  if (publicUrl !== undefined && redirectUri === `${publicUrl}${SIGN_IN_PAGE}`) return;
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
  const isLoopback = url?.protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  const isBare = url?.username === "" && url.password === "" && url.hash === "" && url.search === "";
  if (isLoopback && isBare && LOOPBACK_PATHS.includes(url.pathname)) return;
  throw refusedBody(
    `\`redirect_uri\` is ${SIGN_IN_PAGE} at A2A_PUBLIC_URL, or that or /callback at this machine's loopback; set A2A_PUBLIC_URL to where people open the console`,
    "redirect_uri",
  );
}

/** The console's page that ends sign-ins. */
const SIGN_IN_PAGE = "/app/oauth/mcp";
/** Where answers come to on the person's own machine: the console, and the command line. */
const LOOPBACK_PATHS = [SIGN_IN_PAGE, "/callback"];
