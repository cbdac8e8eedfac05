/*
 * Texts that hold conversations but are no JSON, written as lines of it: recordings of
 * HTTP by httprr and as YAML, conversations in Markdown or plain text
 * (io/transcript.c), traces of OpenTelemetry in protobuf (io/protobuf.c), logs with words
 * before the object of a line (`STDERR: {...}`), and objects that follow each other on
 * one line.
 */
#ifndef CATENA_IO_RECORDED_H
#define CATENA_IO_RECORDED_H

#include "base/buf.h"
#include "io/codec.h"

#define RECORDED_HEAD (16u * 1024) /* bytes by which such a text is known */

/* What the first bytes of a text are; LIKE_MAYBE while they are too few to tell. */
enum likeness recorded_recognize(struct str head);

/* Whether it is objects that follow each other on one line. */
bool recorded_is_joined(struct str text);

/* Whether it is a log with words before its objects, and some whole lines of one, which
 * is written as it comes: words before an object become its member "_line". */
bool recorded_is_log(struct str head);
void recorded_write_log(struct str text, struct buf *out);

/*
 * The whole text as lines.  Of httprr each exchange is an object {"request": {method,
 * url, headers, body}, "response": {status, headers, body}}; a body is a string, in
 * base64 where it is no text.  Gives the byte where it is damaged, of what can be; else
 * SIZE_MAX.  Linear in the text.
 */
size_t recorded_write(struct str text, struct buf *out);

/* ---- the parts of this, for recorded.c ---- */

/*
 * What OpenTelemetry exports in protobuf: a request, or such messages one after the other,
 * each after its length (four bytes, as the collector's file exporter writes them, or a
 * varint).  Recognized by its fields, names and ids among them.
 */
enum likeness protobuf_recognize(struct str head);
/* Each message as a line of OTLP-JSON.  Gives the byte where it is damaged: what can be
 * read of it is written; SIZE_MAX: nowhere. */
size_t protobuf_write(struct str bytes, struct buf *out);

/*
 * Talks written as text: histories of aider (https://aider.chat, .aider.chat.history.md,
 * and what it sent, .aider.llm.history), files of SpecStory (https://specstory.com), and
 * transcripts whose turns begin with who speaks: `User: ...`, `## User`, `**User:**`.
 */

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
