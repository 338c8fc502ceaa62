-- Whether a server was found to have resources: its tools for them exist before it is connected.
ALTER TABLE mcp_server ADD COLUMN resources INTEGER;  -- 1: yes; null: no, or it was not asked yet
