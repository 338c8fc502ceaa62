/** What `--help` prints; `commands` lists those that use a running service. */
export const helpText = (commands: string): string => `agent-service: one autonomous agent, served over A2A.

Usage: agent-service [options]               start the service
       agent-service <command> [options]     use the running service; <command> --help for details

${commands.trimEnd()}

  --port <number>       port to listen on (default 7870; 0 takes a free one)
  --host <address>      address to bind (SVC_HOST, default 127.0.0.1)
  --ui <console|none>   serve the console at /app, or not (SVC_UI, default console)
  --setup               validate the configuration, mark setup as complete, and exit
  --version             print the version
  --help                print this
  --json                with any command, --setup, --version and --help: JSON on standard output, one value or a
                        line for each event; an error as {"error": {"code", "message", "exit_code"}} on standard error

The configuration is config/agent-config.yaml (SVC_CONFIG_DIR), data lives under ~/.protoagent (SVC_HOME).
Exit codes: 0 done, or stopped as asked; 1 it failed, or could not start; 2 wrong command line; 3 no service answers;
4 the credential is not accepted; 5 the turn waits for a person; 130 interrupted.
`;
