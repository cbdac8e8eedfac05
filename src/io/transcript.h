/*
 * Talks written as text: histories of aider (https://aider.chat, .aider.chat.history.md),
 * files of SpecStory (https://specstory.com), and transcripts whose turns begin with who
 * speaks: `User: ...`, `## User`, `**User:**`.
 */
#ifndef CATENA_IO_TRANSCRIPT_H
#define CATENA_IO_TRANSCRIPT_H

#include "base/buf.h"
#include "io/codec.h"

/* Of a transcript both a person and a model have to speak in the first bytes. */
enum likeness transcript_recognize(struct str head);

/*
 * A line for each exchange, from what a person says to before the next time:
 * {"transcript": "aider", "session", "started", "title", "model", "sent", "received",
 * "cost", "messages": [{"role", "content"}], "answer": [...]}; what is not stated is left
 * out.  All text becomes part of a message, but for the marks of who speaks.
 */
void transcript_write(struct str text, struct buf *out);

#endif
