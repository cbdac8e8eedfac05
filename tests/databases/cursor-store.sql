-- c-1
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO "cursorDiskKV" VALUES('composerData:c-1',CAST('{"_v":10,"composerId":"c-1","name":"Paint the boat","createdAt":1767225600000,"lastUpdatedAt":1767225700000,"modelConfig":{"modelName":"gpt-5.1"},"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2},{"bubbleId":"b3","type":2}]}' AS BLOB));
INSERT INTO "cursorDiskKV" VALUES('composerData:c-2',CAST('{"composerId":"c-2","fullConversationHeadersOnly":[]}' AS BLOB));
INSERT INTO "cursorDiskKV" VALUES('bubbleId:c-1:b1',CAST('{"_v":3,"type":1,"bubbleId":"b1","text":"Paint the boat","createdAt":"2026-01-01T00:00:00.000Z","tokenCount":{"inputTokens":0,"outputTokens":0}}' AS BLOB));
INSERT INTO "cursorDiskKV" VALUES('bubbleId:c-1:b2',CAST('{"_v":3,"type":2,"bubbleId":"b2","text":"","createdAt":"2026-01-01T00:00:05.000Z","modelInfo":{"modelName":"gpt-5.1"},"toolFormerData":{"name":"read_file","toolCallId":"t1","rawArgs":"{\"path\":\"boat.txt\"}","result":"{\"contents\":\"hull\"}","status":"completed"},"tokenCount":{"inputTokens":800,"outputTokens":20}}' AS BLOB));
INSERT INTO "cursorDiskKV" VALUES('bubbleId:c-1:b3',CAST('{"_v":3,"type":2,"bubbleId":"b3","text":"Blue it is.","createdAt":"2026-01-01T00:00:09.000Z","tokenCount":{"inputTokens":900,"outputTokens":10}}' AS BLOB));
