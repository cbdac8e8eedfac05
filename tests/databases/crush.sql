-- s1
CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL, parts TEXT NOT NULL default '[]', model TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, finished_at INTEGER, provider TEXT);
INSERT INTO "messages" VALUES('m1','s1','user','[{"type":"text","data":{"text":"Mend the gate"}},{"type":"finish","data":{"reason":"stop","time":0}}]','',1767225600,1767225600,NULL,'');
INSERT INTO "messages" VALUES('m2','s1','assistant','[{"type":"reasoning","data":{"thinking":"Nails first."}},{"type":"text","data":{"text":"I look for nails."}},{"type":"tool_call","data":{"id":"c1","name":"agent","input":"{\"prompt\":\"nails?\"}","finished":true}},{"type":"finish","data":{"reason":"tool_use","time":1767225610}}]','claude-sonnet-4-5',1767225605,1767225610,1767225610,'anthropic');
INSERT INTO "messages" VALUES('n1','s1-t','user','[{"type":"text","data":{"text":"nails?"}}]','',1767225620,1767225620,NULL,'');
INSERT INTO "messages" VALUES('n2','s1-t','assistant','[{"type":"text","data":{"text":"In the shed."}},{"type":"finish","data":{"reason":"end_turn","time":1767225640}}]','claude-haiku-4-5',1767225630,1767225640,1767225640,'anthropic');
INSERT INTO "messages" VALUES('m3','s1','tool','[{"type":"tool_result","data":{"tool_call_id":"c1","name":"agent","content":"In the shed.","is_error":false}}]','',1767225650,1767225650,NULL,'');
INSERT INTO "messages" VALUES('m4','s1','assistant','[{"type":"text","data":{"text":"Mended."}},{"type":"finish","data":{"reason":"end_turn","time":1767225690}}]','claude-sonnet-4-5',1767225660,1767225690,1767225690,'anthropic');
CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, message_count INTEGER NOT NULL DEFAULT 0, prompt_tokens INTEGER NOT NULL DEFAULT 0, completion_tokens INTEGER NOT NULL DEFAULT 0, cost REAL NOT NULL DEFAULT 0.0, updated_at INTEGER NOT NULL, created_at INTEGER NOT NULL, summary_message_id TEXT);
INSERT INTO "sessions" VALUES('s1',NULL,'Mend the gate',3,900,80,0.012,1767225700,1767225600,NULL);
INSERT INTO "sessions" VALUES('s1-t','s1','Look for nails',3,900,80,0.002,1767225700,1767225620,NULL);
