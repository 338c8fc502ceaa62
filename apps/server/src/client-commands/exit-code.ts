/** The exit codes of commands, for scripts. 130 is a Ctrl-C, as everywhere. */
export const EXIT = Object.freeze({
  ok: 0,
  /** The service refused, or the request failed. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** No service answers. */
  unreachable: 3,
  /** The service does not accept the credential, or there is none. */
  unauthorized: 4,
  /** The turn waits for a person. */
  waiting: 5,
  interrupted: 130,
});

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
