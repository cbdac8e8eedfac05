-- 01k
CREATE TABLE conversations (id TEXT PRIMARY KEY, name TEXT, model TEXT);
INSERT INTO "conversations" VALUES('01k','How old is the oak?','gpt-4o-mini');
CREATE TABLE responses (id TEXT PRIMARY KEY, model TEXT, prompt TEXT, system TEXT, prompt_json TEXT, options_json TEXT, response TEXT, response_json TEXT, conversation_id TEXT, duration_ms INTEGER, datetime_utc TEXT, input_tokens INTEGER, output_tokens INTEGER, token_details TEXT, schema_id TEXT, resolved_model TEXT);
INSERT INTO "responses" VALUES('01a','gpt-4o-mini','How old is the oak?','Be brief.',NULL,'{"temperature":0.1}','',NULL,'01k',800,'2026-01-01T00:00:00.123456',50,12,NULL,NULL,NULL);
INSERT INTO "responses" VALUES('01b','gpt-4o-mini','','',NULL,'{}','Two hundred years.',NULL,'01k',700,'2026-01-01T00:00:02.5',80,6,'{"prompt_tokens_details":{"cached_tokens":32}}',NULL,NULL);
CREATE TABLE tool_calls (id INTEGER PRIMARY KEY, response_id TEXT, tool_id INTEGER, name TEXT, arguments TEXT, tool_call_id TEXT);
INSERT INTO "tool_calls" VALUES(1,'01a',1,'rings','{"tree":"oak"}','k1');
CREATE TABLE tool_results (id INTEGER PRIMARY KEY, response_id TEXT, tool_id INTEGER, name TEXT, output TEXT, tool_call_id TEXT, instance_id INTEGER, exception TEXT);
INSERT INTO "tool_results" VALUES(1,'01b',1,'rings','200','k1',NULL,NULL);
