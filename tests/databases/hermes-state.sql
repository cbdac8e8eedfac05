-- h7
CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT NOT NULL);
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, model_config TEXT, system_prompt TEXT, system_prompt_hash TEXT, parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL, end_reason TEXT, message_count INTEGER DEFAULT 0, input_tokens INTEGER DEFAULT 0, output_tokens INTEGER DEFAULT 0, cache_read_tokens INTEGER DEFAULT 0, cache_write_tokens INTEGER DEFAULT 0, reasoning_tokens INTEGER DEFAULT 0, cwd TEXT, git_branch TEXT, billing_provider TEXT, estimated_cost_usd REAL, actual_cost_usd REAL, title TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, token_count INTEGER, finish_reason TEXT, reasoning TEXT, reasoning_content TEXT, active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0);
INSERT INTO system_prompts VALUES('f00d','You are Hermes.');
INSERT INTO sessions VALUES('h7','cli','owl-large',NULL,NULL,'f00d',NULL,1785661200.5,1785661260.0,'user_exit',5,900,70,400,100,20,'/srv/wood','main','openrouter',0.004,0.003,'Nests in the wood');
INSERT INTO messages VALUES(1,'h7','user','json:[{"type":"text","text":"How many nests?"}]',NULL,NULL,NULL,1785661201.0,NULL,NULL,NULL,NULL,1,0);
INSERT INTO messages VALUES(2,'h7','assistant','I count.',NULL,'[{"id": "c1", "type": "function", "function": {"name": "terminal", "arguments": "{\"command\":\"ls nests\"}"}}]',NULL,1785661202.0,NULL,'tool_calls','The folder has them.',NULL,1,0);
INSERT INTO messages VALUES(3,'h7','tool','oak
elm
','c1',NULL,'terminal',1785661203.0,NULL,NULL,NULL,NULL,1,0);
INSERT INTO messages VALUES(4,'h7','assistant','Three nests.',NULL,NULL,NULL,1785661204.0,NULL,'stop',NULL,NULL,0,0);
INSERT INTO messages VALUES(5,'h7','assistant','Two nests.',NULL,NULL,NULL,1785661205.0,NULL,'stop',NULL,NULL,1,0);
