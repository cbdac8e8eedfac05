/*
 * What messages say, as numbers: see identity.h.  The parts of a message are those that
 * the screen shows (chat/parts), each hashed by what it is and what its body means
 * (json/meaning).
 */
#include "config.h"
#include "chat/identity.h"

#include "chat/side.h"

static struct meaning of_number(uint64_t number)
{
	return (struct meaning){{number, 1}};
}

static struct meaning of_text(enum part_kind kind, struct jv string)
{
	return meaning_then(of_number(kind), jv_meaning(string));
}

static struct meaning of_part(const struct part *p, struct arena *arena);

/* What a tool gave: a string, or the list with that text; parts of parts as they stand.
 */
static struct meaning of_content(struct jv content, struct arena *arena)
{
	struct meaning sum = of_number(PART_RESULT);
	AUTO(parts_done) struct parts parts = {0};
	struct jv value = side_open_string(content, arena);

	if (value.kind == J_STRING)
		return meaning_then(sum, of_text(PART_TEXT, value));
	if (value.kind != J_ARRAY)
		return meaning_then(sum, jv_meaning(value));
	parts = parts_read_content(value, arena);
	PARTS_EACH(p, &parts) {
		sum = meaning_then(sum,
			p->kind == PART_RESULT ? jv_meaning(p->raw) : of_part(p, arena));
	}
	if (!parts.count)
		sum = meaning_then(sum, jv_meaning(value));
	return sum;
}

static struct meaning of_part(const struct part *p, struct arena *arena)
{
	switch (p->kind) {
	case PART_TEXT:
	case PART_REASONING:
	case PART_REFUSAL:
	case PART_IMAGE:
	case PART_FILE:
		return of_text(p->kind, p->body);
	case PART_CALL:
		return meaning_then(of_text(p->kind, p->name),
			jv_meaning(side_open_string(p->body, arena)));
	case PART_RESULT:
		return meaning_then(of_number(p->error), of_content(p->body, arena));
	case PART_TOOL:
	case PART_JSON:
		break;
	}
	return meaning_then(of_number(p->kind), jv_meaning(p->raw));
}

struct meaning identity_of_part(const struct part *part)
{
	AUTO_ARENA arena = {0};

	return of_part(part, &arena);
}

/* Of a message without known parts: its members, in any order. */
static struct meaning of_members(struct jv message)
{
	static const char *const noise[] = {"id", "timestamp", "created", "created_at",
		"updated_at", "time", "cache_control"};
	struct meaning sum = {{0, 0}};

	if (message.kind != J_OBJECT)
		return jv_meaning(message);
	JV_PAIRS(key, value, message) {
		bool says =
			!jv_null(value) && (value.kind != J_STRING || !jv_empty(value));
		struct meaning m;

		if (!says || JV_KEY_AMONG(key, noise))
			continue;
		m = meaning_then(jv_meaning(key), jv_meaning(value));
		sum.half[0] += m.half[0];
		sum.half[1] += m.half[1];
	}
	return sum;
}

/* Of the parts with thoughts or without: then *left_out says whether there are some. */
static struct meaning read_message(
	struct jv message, enum prefer side, bool thoughts, bool *left_out)
{
	AUTO_ARENA arena = {0};
	AUTO(parts_done) struct parts parts = {0};
	struct str role = message_role(message, side, NULL, &arena);
	enum speaker speaker = role_speaker(role);
	struct meaning sum =
		speaker == SPEAKER_OTHER ? meaning_of_text(role) : of_number(speaker);

	*left_out = false;
	parts = parts_read(message, &arena);
	PARTS_EACH(p, &parts) {
		if (!thoughts && p->kind == PART_REASONING)
			*left_out = true;
		else if (p->raw.p == message.p && p->kind == PART_JSON)
			sum = meaning_then(sum, of_members(message));
		else
			sum = meaning_then(sum, of_part(p, &arena));
	}
	if (!parts.count)
		sum = meaning_then(sum, of_members(message));
	return sum;
}

struct meaning identity_of(struct jv message, enum prefer side)
{
	return read_message(message, side, true, &(bool){false});
}

bool identity_of_said(struct jv message, enum prefer side, struct meaning *said)
{
	bool left_out;

	*said = read_message(message, side, false, &left_out);
	return left_out;
}
