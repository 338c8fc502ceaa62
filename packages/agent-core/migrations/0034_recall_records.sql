-- What turns recalled, newest first (document 2 "Memory inspector").
CREATE INDEX event_recalled ON event (at, task, seq) WHERE kind = 'context.recalled';
