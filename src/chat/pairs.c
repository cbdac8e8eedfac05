/*
 * Collects the calls and results of all messages, then pairs them in four passes over
 * that list (see pairs.h).  Ids and names are numbered, and what waits under a number is
 * a chain through the ends, so that every end is looked at a few times at most.
 */
#include "config.h"
#include "chat/pairs.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/work.h"

/* Collecting */

/* A string, or a list of strings and of {"type":"text","text":"…"}. */
static bool is_plain_content(struct jv content)
{
	JV_ITEMS(item, content) {
		if (item.kind != J_OBJECT && item.kind != J_STRING)
			return false;
		JV_FIELDS(key, value, item)
			if (!(jv_is(key, STR("type")) && jv_is(value, STR("text"))) &&
				(!jv_is(key, STR("text")) || value.kind != J_STRING))
				return false;
	}
	return content.kind == J_ARRAY || content.kind == J_STRING;
}

/*
 * Whether a message is only text: most are, and this spares them the full reading.  It
 * knows what is harmless, not what calls look like, so new kinds of calls need no change.
 */
static bool is_plain(struct jv message)
{
	static const char *const roles[] = {
		"user", "assistant", "system", "developer", "human", "ai", "model"};

	JV_PAIRS(key, value, message)
		if (value.kind != J_NULL &&
			!(jv_is(key, STR("content")) && is_plain_content(value)) &&
			!(jv_is(key, STR("role")) && STR_AMONG(jv_plain(value), roles)))
			return false;
	return true;
}

#define KEEP_PARTS 500 /* parts of a message, from which on they are kept */

struct pair_parts {
	bool input;
	size_t message;
	struct parts parts;
};

static void read_ends(struct pairs *p, bool input, size_t message, struct jv value)
{
	struct parts parts;
	bool kept;

	parts = parts_read(value, &p->arena);
	kept = parts.count > KEEP_PARTS;
	for (size_t i = 0; i < parts.count; i++) {
		const struct part *part = PART_AT(&parts, i);

		if (part->kind != PART_CALL && part->kind != PART_RESULT)
			continue;
		if (!kept) /* the others of the message are not kept */
			part = arena_copy(&p->arena, part, sizeof(*part));
		*MEM_ADD(p->ends, p->count, p->cap) = (struct pair_end){
			.call = part->kind == PART_CALL,
			.input = input,
			.message = message,
			.part = i,
			.what = part,
			.other = NO_PAIR};
	}
	if (kept)
		*MEM_ADD(p->kept, p->kept_count, p->kept_cap) =
			(struct pair_parts){input, message, parts};
	else
		parts_done(&parts);
}

static void read_side(struct pairs *p, const struct side *side, bool input)
{
	const struct chat *chat = &side->chat;
	bool given = false;

	if (side->view != SIDE_CHAT)
		return;
	for (size_t i = 0; i < chat->count; i++) {
		if (stop_wanted(chat->items[i].n))
			return;
		if (!is_plain(chat->items[i]))
			read_ends(p, input, i, chat->items[i]);
	}
	/* up to the last message that names its speaker, which no note does */
	for (size_t i = chat->count; i && !given; i--) {
		struct str role = message_role(
			chat->items[i - 1], side->prefer, &given, &p->arena);

		given = given && !str_equal(role, STR("note"));
		p->spoken[input] = given ? i : 0;
	}
}

/* Pairing */

static void join(struct pairs *p, size_t a, size_t b)
{
	p->ends[a].other = b;
	p->ends[b].other = a;
}

/* Ends that wait for a partner, chained through `next`. */
struct pair_queue {
	size_t first, last; /* NO_PAIR: none */
	bool answered;      /* a result came since the last call */
	unsigned round;     /* in which the last call came */
};

static struct pair_queue *new_lines(size_t count)
{
	struct pair_queue *lines = mem_zalloc(count, sizeof(*lines));

	for (size_t i = 0; i < count; i++)
		lines[i].first = lines[i].last = NO_PAIR;
	return lines;
}

static void push_back(struct pair_queue *line, size_t next[], size_t end)
{
	next[end] = NO_PAIR;
	if (line->first == NO_PAIR)
		line->first = end;
	else
		next[line->last] = end;
	line->last = end;
}

static size_t pop(struct pair_queue *line, const size_t next[])
{
	size_t end = line->first;

	if (end != NO_PAIR)
		line->first = next[end];
	return end;
}

/* A result takes the last call before it that has none; those that find no call before
 * them, since all that are left come after it, are taken in order by these. */
static void pair_by_id(struct pairs *p, const uint32_t ids[], size_t count)
{
	AUTO_FREE size_t *next = mem_zalloc(p->count, sizeof(*next)); /* by end */
	/* by id: calls without a result, the last one first; results without a call */
	AUTO_FREE struct pair_queue *calls = new_lines(count), *results = new_lines(count);

	for (size_t i = 0; i < p->count; i++) {
		size_t call;

		if (ids[i] == MAP_NONE)
			continue;
		if (p->ends[i].call) {
			next[i] = calls[ids[i]].first;
			calls[ids[i]].first = i;
			continue;
		}
		call = pop(&calls[ids[i]], next);
		if (call == NO_PAIR)
			push_back(&results[ids[i]], next, i);
		else
			join(p, i, call);
	}
	for (size_t i = 0; i < p->count; i++) {
		size_t result;

		if (ids[i] == MAP_NONE || !p->ends[i].call || p->ends[i].other != NO_PAIR)
			continue;
		result = pop(&results[ids[i]], next);
		if (result != NO_PAIR)
			join(p, i, result);
	}
}

struct by_order {
	const uint32_t *names;    /* by end */
	struct pair_queue any;    /* calls of any name, for results without one */
	size_t *next_any;         /* by end */
	struct pair_queue *named; /* by name */
	size_t *next_named;       /* by end */
	unsigned round; /* of all lines together, when those with ids count as well */
	bool answered;  /* a result came since the last call of any line */
};

static void put_call(
	const struct by_order *b, struct pair_queue *line, size_t next[], size_t call)
{
	if (line->answered || line->round != b->round)
		line->first = NO_PAIR;
	line->answered = false;
	line->round = b->round;
	push_back(line, next, call);
}

static size_t take_call(
	const struct pairs *p, struct pair_queue *line, const size_t next[])
{
	size_t call;

	line->answered = true;
	do {
		call = pop(line, next);
	} while (call != NO_PAIR && p->ends[call].other != NO_PAIR);
	return call;
}

static void meet_by_order(struct pairs *p, struct by_order *b, size_t i)
{
	uint32_t name = b->names[i];
	size_t call;

	if (p->ends[i].call) {
		put_call(b, &b->any, b->next_any, i);
		if (name != MAP_NONE)
			put_call(b, &b->named[name], b->next_named, i);
		return;
	}
	b->any.answered = true;
	call = name == MAP_NONE ? take_call(p, &b->any, b->next_any)
				: take_call(p, &b->named[name], b->next_named);
	if (call != NO_PAIR)
		join(p, i, call);
}

static void pair_by_order(struct pairs *p, const uint32_t names[], size_t count)
{
	struct by_order b = {.names = names,
		.next_any = mem_zalloc(p->count, sizeof(*b.next_any)),
		.next_named = mem_zalloc(p->count, sizeof(*b.next_named))};

	/* first those without ids; then a call whose id no result has waits like one
	 * without */
	for (int ids = 0; ids < 2; ids++) {
		b.named = new_lines(count);
		b.any = (struct pair_queue){.first = NO_PAIR, .last = NO_PAIR};
		for (size_t i = 0; i < p->count; i++) {
			const struct pair_end *e = &p->ends[i];
			bool without = e->what->link.kind == J_NONE;

			if (ids) {
				b.round += e->call && b.answered;
				b.answered = !e->call;
			}
			if (ids ? e->other == NO_PAIR && (e->call || without) : without)
				meet_by_order(p, &b, i);
		}
		mem_free(b.named);
	}
	mem_free(b.next_any);
	mem_free(b.next_named);
}

#define END_COST 64 /* of an end whose text is numbered, in bytes of messages */

/* Numbers for the ids, or the names, of the ends, by their text; MAP_NONE for one without;
 * to be freed. */
static uint32_t *number_ends(const struct pairs *p, bool ids, size_t *count)
{
	uint32_t *numbers = mem_zalloc(p->count, sizeof(*numbers));
	AUTO(intern_done) struct intern texts = {0};
	AUTO_BUF decoded = BUF_INIT;

	for (size_t i = 0; i < p->count && !stop_wanted(END_COST); i++) {
		struct jv v = ids ? p->ends[i].what->link : p->ends[i].what->name;

		numbers[i] = MAP_NONE;
		if (v.kind == J_STRING)
			numbers[i] = intern_add(&texts, jv_str(v, &decoded));
		else if (v.kind == J_NUMBER)
			numbers[i] = intern_add(&texts, jv_raw(v));
	}
	*count = texts.count;
	return numbers;
}

void pairs_read(
	struct pairs *p, const struct side *input, const struct side *output, bool shared)
{
	uint32_t *numbers;
	size_t count;

	*p = (struct pairs){.shared = shared};
	read_side(p, input, true);
	if (!shared)
		read_side(p, output, false);
	if (!p->count)
		return;
	numbers = number_ends(p, true, &count);
	if (!stop_asked())
		pair_by_id(p, numbers, count);
	mem_free(numbers);
	numbers = number_ends(p, false, &count);
	if (!stop_asked())
		pair_by_order(p, numbers, count);
	mem_free(numbers);
}

void pairs_done(struct pairs *p)
{
	for (size_t i = 0; i < p->kept_count; i++)
		parts_done(&p->kept[i].parts);
	mem_free(p->kept);
	mem_free(p->ends);
	arena_done(&p->arena);
	*p = (struct pairs){0};
}

size_t pairs_bytes(const struct pairs *p)
{
	size_t bytes = p->cap * sizeof(*p->ends) + p->arena.bytes;

	for (size_t i = 0; i < p->kept_count; i++)
		bytes += parts_bytes(&p->kept[i].parts);
	return bytes;
}

/* Finding */

/* The messages of the input stand before those of the output. */
static uint64_t message_place(bool input, size_t message)
{
	return (uint64_t)!input << 63 | message;
}

static uint64_t kept_place(const void *items, size_t i)
{
	const struct pair_parts *kept = items;

	return message_place(kept[i].input, kept[i].message);
}

const struct parts *pairs_parts(const struct pairs *p, bool input, size_t message)
{
	uint64_t place = message_place(input || p->shared, message);
	size_t i = sorted_below(p->kept, p->kept_count, place, kept_place);

	return i < p->kept_count && kept_place(p->kept, i) == place ? &p->kept[i].parts
								    : NULL;
}

struct part_place {
	const struct pair_end *ends;
	uint64_t message;
	size_t part;
};

static bool end_stands_before(const void *context, size_t i)
{
	const struct part_place *place = context;
	const struct pair_end *e = &place->ends[i];
	uint64_t message = message_place(e->input, e->message);

	return message != place->message ? message < place->message
					 : e->part < place->part;
}

/* The first end that does not stand before a part. */
static size_t first_end(const struct pairs *p, bool input, size_t message, size_t part)
{
	struct part_place place = {
		p->ends, message_place(input || p->shared, message), part};

	return sorted_place(&place, p->count, end_stands_before);
}

size_t pairs_find(const struct pairs *p, bool input, size_t message, size_t part)
{
	size_t i = first_end(p, input, message, part);

	if (i == p->count || p->ends[i].message != message || p->ends[i].part != part ||
		p->ends[i].input != (input || p->shared))
		return NO_PAIR;
	return i;
}

size_t pairs_of_message(const struct pairs *p, bool input, size_t message)
{
	return first_end(p, input, message, 0);
}

bool pairs_open_call(const struct pairs *p, size_t end)
{
	const struct pair_end *e = &p->ends[end];
	bool served = false;

	if (!e->call || e->other != NO_PAIR)
		return false;
	part_is_vendor_call(jv_member(e->what->raw, "type"), &served);
	return served || e->message + 1 >= p->spoken[e->input];
}
