/** What `--help` prints. */
export const helpText = `agent-service: one autonomous agent, served over A2A.

Usage: agent-service [options]
       agent-service config explain [key]    say what each setting is and where it comes from

  --port <number>       port to listen on (default 7870; 0 takes a free one)
  --host <address>      address to bind (SVC_HOST, default 127.0.0.1)
  --ui <console|none>   serve the console at /app, or not (SVC_UI, default console)
  --setup               validate the configuration, mark setup as complete, and exit
  --version             print the version
  --help                print this

The configuration is config/agent-config.yaml (SVC_CONFIG_DIR), data lives under ~/.protoagent (SVC_HOME).
Exit codes: 0 stopped as asked, 1 could not start or broke down, 2 wrong command line.
`;
