-- Calls of a server's tools, newest first, however many other calls there are. A tool of an MCP server is named after its
-- server, two underscores and its own name; no other row is in the index, and its key does not change when a call ends.
CREATE INDEX call_mcp_server ON call (substr(name, 1, instr(name, '__') - 1), started_at, id) WHERE instr(name, '__') > 1;
