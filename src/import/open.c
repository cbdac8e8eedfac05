/* Opening a step: see open.h. */
#include "config.h"
#include "import/open.h"

#include <math.h>

#include "base/mem.h"
#include "base/work.h"
#include "dialect/dialect.h"
#include "import/describe.h"
#include "import/known.h"
#include "import/opening.h"
#include "import/stream.h"
#include "json/json.h"

#define READ_EACH (1u << 20) /* bytes between two looks whether to stop */

static struct str range_text(
	struct trace *trace, struct file_range range, struct arena *arena)
{
	size_t length = (size_t)range.length, n = 0, got, want;
	char *data = mem_alloc(length + 1);

	do {
		want = length - n < READ_EACH ? length - n : READ_EACH;
		got = inputs_read(trace->inputs, range.offset + n, data + n, want);
		n += got;
	} while (got == want && n < length && !stop_wanted(want));
	data[n] = '\0';
	return (struct str){arena_take(arena, data, length + 1).p, n};
}

struct str step_text(struct trace *trace, uint32_t index, struct arena *arena)
{
	struct step s = trace_step(trace, index);

	return range_text(trace, (struct file_range){s.offset, s.length}, arena);
}

/* Events that are no JSON are read as far as they go: no step is broken by them. */
static uint32_t judge_stream(uint32_t flags, struct str text, struct json_report *report)
{
	*report = (struct json_report){0};
	if (!(flags & STEP_BARE))
		stream_check(text, flags & STEP_LINES, report);
	if (report->verdict != VERDICT_STRICT)
		return STEP_REPAIRED;
	if (flags & STEP_CUT)
		*report = (struct json_report){.verdict = VERDICT_BROKEN,
			.truncated = true,
			.offset = text.n,
			.text = flags & STEP_BARE ? "no line ends the event"
						  : "no event ends the response"};
	return 0;
}

#define JOIN_MOST (64u * 1024 * 1024)

/* Where a step has several records, the text becomes that of all of them merged; false:
 * it has one, or they are too much. */
static bool join_records(
	struct trace *trace, uint32_t index, struct str *text, struct arena *arena)
{
	struct step s = trace_step(trace, index);
	size_t count = further_count(&trace->further, s.offset);
	uint64_t sum = s.length;
	struct file_range *ranges;
	struct jv *records, merged;

	if (!count)
		return false;
	ranges = arena_alloc(arena, count * sizeof(*ranges));
	records = arena_alloc(arena, (count + 1) * sizeof(*records));
	further_get(&trace->further, s.offset, ranges);
	records[0] = jv_parse(*text);
	for (size_t i = 0; i < count; i++) {
		sum += ranges[i].length;
		if (sum > JOIN_MOST)
			return false;
		records[i + 1] = jv_parse(range_text(trace, ranges[i], arena));
	}
	merged = json_merge_all(records, count + 1, arena);
	*text = jv_raw(merged);
	return true;
}

bool step_joined(
	struct trace *trace, uint32_t step, struct str *text, struct arena *arena)
{
	*text = step_text(trace, step, arena);
	return join_records(trace, step, text, arena);
}

/* ---- texts that a step names instead of containing them ("attachment://…"): the word
 * `attached` of format files ---- */

#define AROUND_MOST 6                    /* steps around a step that are asked */
#define STEP_MOST   (256u * 1024 * 1024) /* bytes of a step that may hold texts */
#define ROOM_MOST   (64u * 1024 * 1024)  /* by which a text may grow */

/* Of the name of a text: how it begins, and the member's key. */
static uint64_t name_key(struct str begins, struct str rest)
{
	return map_hash(rest) * 31 + map_hash(begins);
}

/* Notes where the texts are that a step contains; false: it contains none. */
static bool find_texts(
	struct trace *trace, const struct description *d, const struct step *s)
{
	struct attached found = {.of = s->offset, .length = s->length};
	struct file_range range = {s->offset, s->length};
	AUTO_ARENA arena = {0};
	struct str text;
	struct jv value;

	if (s->length > STEP_MOST)
		return false;
	text = range_text(trace, range, &arena);
	if (stop_asked()) /* what was not read is not known */
		return false;
	value = jv_parse(text);
	for (size_t i = 0; i < d->attached_count; i++) {
		const struct attachment *a = &d->attached[i];
		struct jv texts = path_first(&a->at, value, NULL, &arena);
		bool within = texts.p >= text.p && texts.p < text.p + text.n;

		JV_FIELDS(key, named, within ? texts : JV_NONE)
			if (named.kind == J_STRING && jv_plain(key).p) {
				idmap_add(&found.by_name,
					name_key(a->begins, jv_plain(key)),
					(uint32_t)found.count); /* the first counts */
				*MEM_ADD(found.ranges, found.count,
					found.cap) = (struct file_range){
					found.of + (uint64_t)(named.p - text.p), named.n};
			}
	}
	if (!found.count)
		return false;
	memcpy(found.bare, trace->attached.bare, sizeof(found.bare));
	idmap_done(&trace->attached.by_name);
	mem_free(trace->attached.ranges);
	trace->attached = found;
	return true;
}

/* Whether a step is known to have no texts, or is from now on (`note`). */
static bool is_bare(struct attached *a, struct file_range step, bool note)
{
	size_t at = 0;

	while (at < ATTACHED_BARE &&
		(a->bare[at].offset != step.offset || a->bare[at].length != step.length))
		at++;
	if (!step.length || (at == ATTACHED_BARE && !note))
		return false;
	at -= at == ATTACHED_BARE; /* what was asked for last stands first */
	memmove(a->bare + 1, a->bare, at * sizeof(*a->bare));
	a->bare[0] = step;
	return true;
}

/* Whether this step or one around it contains texts, the innermost first. */
static bool find_holder(struct trace *trace, const struct description *d, uint32_t step)
{
	struct attached *known = &trace->attached;
	uint32_t at = step;

	for (int i = 0; i < AROUND_MOST && at != NO_STEP; i++) {
		struct step s = trace_step(trace, at);
		struct file_range range = {s.offset, s.length};

		if (known->count && known->of == s.offset && known->length == s.length)
			return true;
		at = s.parent;
		if (i > 0 && is_bare(known, range, false))
			continue;
		if (find_texts(trace, d, &s))
			return true;
		if (i > 0 && !stop_asked())
			is_bare(known, range, true);
	}
	return false;
}

/* Writes the text that the string at `at` names and moves *at after the string; false: it
 * names none that is known. */
static bool put_named(struct buf *out, struct trace *trace, const struct description *d,
	struct str text, size_t *at, struct arena *arena)
{
	const struct attached *known = &trace->attached;
	struct str inside = str_skip(text, *at + 1);

	for (size_t i = 0; i < d->attached_count; i++) {
		struct str begins = d->attached[i].begins;
		size_t end = 0;
		uint32_t n;

		if (!str_starts(inside, begins))
			continue;
		while (end < inside.n && inside.p[end] != '"' && inside.p[end] != '\\')
			end++;
		if (end == inside.n || inside.p[end] == '\\') /* it has escapes */
			continue;
		n = idmap_find(&known->by_name,
			name_key(begins,
				(struct str){inside.p + begins.n, end - begins.n}));
		if (n == MAP_NONE)
			continue;
		buf_str(out, range_text(trace, known->ranges[n], arena));
		*at += end + 2;
		return true;
	}
	return false;
}

/*
 * The step's text with the named texts in their places, in the arena; false: it names
 * none that is known.  Cost: linear in the text and, once, in the steps around it that
 * may have such texts.
 */
static bool attach(
	struct trace *trace, uint32_t step, struct str *text, struct arena *arena)
{
	struct step s = trace_step(trace, step);
	const struct description *d = trace->scopes[s.scope].description;
	AUTO_BUF out = BUF_INIT;
	size_t at = 0, from = 0;
	bool some = false, named = false;

	for (size_t i = 0; d && i < d->attached_count; i++) {
		struct str begins = d->attached[i].begins;

		named |= memmem(text->p, text->n, begins.p, begins.n) != NULL;
	}
	if (!named || !find_holder(trace, d, step))
		return false;
	while (at < text->n && out.len < text->n + ROOM_MOST) {
		size_t here = at;

		if (text->p[at] != '"') {
			at++;
			continue;
		}
		buf_add(&out, text->p + from, here - from);
		from = here;
		if (put_named(&out, trace, d, *text, &at, arena)) {
			some = true;
			from = at;
			continue;
		}
		while (++at < text->n && text->p[at] != '"')
			at += text->p[at] == '\\';
		at++;
	}
	buf_add(&out, text->p + from, text->n - from);
	if (some)
		*text = arena_dup(arena, buf_view(&out));
	return some;
}

/* ---- checking ---- */

/* Sets the flags of a step by its text.  What was written by hand is a strict copy in the
 * arena afterwards.  What was checked before is checked again for its extents, unless
 * they are NULL: they save more than that costs. */
static void check_bytes(struct trace *trace, uint32_t index, struct str *text,
	struct extents *extents, struct json_report *report, struct arena *arena)
{
	struct step s = trace_step(trace, index);
	bool sound = s.flags & STEP_CHECKED && text->n == s.length &&
		     !(s.flags & (STEP_REPAIRED | STEP_BROKEN | STEP_CUT));
	uint32_t found = 0;

	*report = (struct json_report){.verdict = VERDICT_STRICT, .text = ""};
	if (s.flags & STEP_TURN) {
		/* value by value; what is wrong with one spoils no other */
		JV_RUN(item, *text, NULL) {
			json_check_keys(jv_raw(item), extents, report);
			report->offset += (uint64_t)(item.p - text->p);
			if (report->verdict != VERDICT_STRICT)
				break;
		}
		found = report->verdict == VERDICT_STRICT ? 0 : STEP_REPAIRED;
	} else if (s.flags & (STEP_SSE | STEP_LINES)) {
		found = judge_stream(s.flags, *text, report);
	} else if (sound && !extents) {
		return;
	} else {
		json_check_keys(*text, extents, report);
		if (stop_asked())
			return;
		step_mend(s.flags, text, report, arena);
		if (s.flags & STEP_CHECKED)
			return;
		if (report->verdict == VERDICT_TOLERATED)
			found = STEP_REPAIRED;
		if (report->verdict == VERDICT_BROKEN &&
			!(report->truncated && s.flags & STEP_CUT))
			found = STEP_BROKEN;
	}
	if (!stop_asked())
		trace_flag(trace, index, STEP_CHECKED | found);
}

void step_check(struct trace *trace, uint32_t step)
{
	AUTO_ARENA arena = {0};
	struct json_report report;
	struct str text = step_text(trace, step, &arena);

	check_bytes(trace, step, &text, NULL, &report, &arena);
}

/* The step's value; one that is whole is not gone through. */
static struct jv step_value(const struct step_content *o)
{
	struct jv v = o->report.verdict == VERDICT_BROKEN ? jv_parse(o->text)
							  : jv_whole(o->text);

	v.extents = o->extents;
	return v;
}

struct jv step_content_value(const struct step_content *o)
{
	return o->extents && !o->run ? step_value(o) : jv_parse(o->text);
}

/* Where the extractor finds nothing, a value is its own tree, however empty. */
static void bare_tree(struct side *s, struct jv value, enum prefer prefer)
{
	s->view = SIDE_JSON;
	s->prefer = prefer;
	s->value = value;
}

static void read_sides(
	struct step_content *o, struct jv input, struct jv images, struct jv output)
{
	side_read(&o->input, input, images, PREFER_INPUT, &o->arena);
	side_read(&o->output, output, JV_NONE, PREFER_OUTPUT, &o->arena);
	o->shared = o->bare && side_shared(&o->input, &o->output);
}

static void leave_out(struct rest *rest, const struct chat *chat)
{
	if (chat->array.kind == J_ARRAY)
		rest_leave_out_messages(rest, chat->array);
	for (size_t i = 0; chat->array.kind == J_NONE && i < chat->count; i++)
		rest_leave_out_messages(rest, chat->items[i]);
}

/* A bare value: the string that it may be is opened once, so that both sides look at the
 * same text. */
static void open_bare(struct step_content *o)
{
	struct rest rest = {0};
	struct string_content s =
		side_read_string(o->facts.value, o->extents != NULL, &o->arena);
	AUTO(chat_done) struct chat chat = {0};

	o->bare = true;
	o->string_extents = s.extents;
	if (s.value.kind == J_STRING ||
		(chat_find(s.value, PREFER_NONE, &chat) && !chat_has_calls(chat.array))) {
		read_sides(o, s.value, JV_NONE, s.value);
		if (s.value.kind != J_OBJECT && s.value.kind != J_ARRAY)
			return;
		/* what stands beside the messages of the value, and in them */
		leave_out(&rest, &o->input.chat);
		if (!o->shared)
			leave_out(&rest, &o->output.chat);
		rest_show(&rest, o, s.value);
	} else if (!dug_open(o, s.value)) {
		bare_tree(&o->input, s.value, PREFER_INPUT);
		o->output.prefer = PREFER_OUTPUT;
	}
}

/* ---- streams and envelopes ---- */

/* A name that the list made up, as a string. */
static struct jv event_fact(struct trace *trace, uint32_t event, struct arena *arena)
{
	return event == NO_TEXT ? JV_NONE : json_quoted(trace_text(trace, event), arena);
}

/* The events as a tree, what they say as a conversation, and the text raw. */
static void open_stream(struct step_content *o, struct trace *trace, uint32_t step)
{
	struct step s = trace_step(trace, step);
	struct stream stream;
	struct assembled said;

	stream_read(&stream, o->text, s.flags & STEP_LINES, &o->arena);
	assemble(&said, &stream, &o->arena);
	stream_facts(o, &stream);
	o->facts.v[FACT_TRACE] = o->facts.v[FACT_CONVERSATION];
	o->facts.v[FACT_EVENT] = event_fact(trace, s.event, &o->arena);
	o->facts.value = stream_tree(&stream, &o->arena);
	stream_done(&stream);
	o->bare = true;
	o->input.prefer = PREFER_INPUT;
	o->response = said.response;
	if (said.messages.kind == J_ARRAY)
		side_of_messages(
			&o->output, said.messages, o->facts.value, PREFER_OUTPUT);
	else /* nothing knows such events */
		bare_tree(&o->output, o->facts.value, PREFER_OUTPUT);
}

static void open_envelope(struct step_content *o, struct trace *trace, uint32_t step)
{
	struct step s = trace_step(trace, step);
	bool request = s.flags & STEP_REQUEST;
	struct jv messages, value;

	event_facts(o, step_value(o), false, NULL);
	value = o->facts.value;
	if (jv_empty(o->facts.v[FACT_EVENT]))
		o->facts.v[FACT_EVENT] = event_fact(trace, s.event, &o->arena);
	if (jv_empty(o->facts.v[FACT_TRACE]))
		o->facts.v[FACT_TRACE] = o->facts.v[FACT_CONVERSATION];
	o->bare = true;
	o->input.prefer = PREFER_INPUT;
	o->output.prefer = PREFER_OUTPUT;
	if (request) {
		messages = envelope_request(value, &o->arena);
		side_of_messages(&o->input, messages, value, PREFER_INPUT);
		o->context = envelope_context(value, &o->page, &o->arena);
	} else {
		messages = envelope_response(value, &o->arena);
		side_of_messages(&o->output, messages, value, PREFER_OUTPUT);
		o->response = value;
	}
}

#define REQUEST_MOST (16u * 1024 * 1024)

/* A response is given for the page of the request directly before it. */
static void find_page(struct step_content *o, struct trace *trace, uint32_t step)
{
	AUTO_ARENA arena = {0};
	struct step request;
	struct str page;

	if (o->page.n || !step ||
		!(trace_flags(trace, step) & (STEP_SSE | STEP_LINES | STEP_RESPONSE)))
		return;
	request = trace_step(trace, step - 1);
	if (!(request.flags & STEP_REQUEST) ||
		request.chain != trace_step(trace, step).chain ||
		request.length > REQUEST_MOST)
		return;
	envelope_context(jv_parse(step_text(trace, step - 1, &arena)), &page, &arena);
	if (page.n)
		o->page = arena_dup(&o->arena, page);
}

/* ---- any step ---- */

static void open_event(struct step_content *o, struct trace *trace, uint32_t step)
{
	struct step s = trace_step(trace, step);
	const struct jv *v = o->facts.v;
	AUTO(chat_done) struct chat chat = {0};
	bool sides;

	event_facts(o, step_value(o), s.flags & STEP_ROW, trace->scopes[s.scope].plan);
	sides = v[FACT_INPUT].kind != J_NONE || v[FACT_OUTPUT].kind != J_NONE ||
		v[FACT_IMAGES].kind != J_NONE || o->facts.value.kind != J_OBJECT;
	/* one that names neither side may still hold a conversation of its own */
	if (!sides && chat_find(o->facts.value, PREFER_NONE, &chat))
		open_bare(o);
	else if (sides || !dug_open(o, o->facts.value))
		read_sides(o, v[FACT_INPUT], v[FACT_IMAGES], v[FACT_OUTPUT]);
}

/* Finds the facts and the sides from the text and the report. */
static void read_text(struct step_content *o, struct trace *trace, uint32_t step)
{
	struct step s = trace_step(trace, step);
	uint32_t flags = s.flags;
	bool stream = flags & (STEP_SSE | STEP_LINES);
	const struct description *d = trace->scopes[s.scope].description;
	const struct {
		enum fact fact;
		double figure;
	} tokens[] = {{FACT_INPUT_TOKENS, s.input_tokens},
		{FACT_OUTPUT_TOKENS, s.output_tokens}, {FACT_CACHE_READ, s.cache_read},
		{FACT_CACHE_WRITE, s.cache_write}};

	o->boilerplate = d ? &d->boilerplate : NULL;
	if (flags & STEP_BROKEN || (stream && flags & STEP_BARE)) {
		o->bare = true;
		o->input = (struct side){
			.view = SIDE_TEXT, .prefer = PREFER_INPUT, .text = o->text};
		o->output.prefer = PREFER_OUTPUT;
	} else if (stream) {
		open_stream(o, trace, step);
	} else if (flags & (STEP_REQUEST | STEP_RESPONSE)) {
		open_envelope(o, trace, step);
	} else if (d && !(flags & STEP_BARE)) {
		open_described(o, trace, step, step_value(o));
	} else if (flags & STEP_BARE) {
		o->facts.value = step_value(o);
		open_bare(o);
	} else {
		open_event(o, trace, step);
	}
	/* tokens are those of the list, by the one definition; they stay as they are
	 * written where they say that */
	for (size_t i = 0; i < sizeof(tokens) / sizeof(*tokens); i++) {
		struct jv *v = &o->facts.v[tokens[i].fact];

		if (fact_number(*v) != tokens[i].figure)
			*v = known_number(tokens[i].figure, &o->arena);
	}
	find_page(o, trace, step);
}

struct step_content *step_content_new(struct trace *trace, uint32_t step)
{
	struct step_content *o = mem_zalloc(1, sizeof(*o));
	uint32_t flags = trace_flags(trace, step);
	size_t most = flags & STEP_TURN ? EXTENTS_RUN : EXTENTS_TEXT;
	const char *read;

	o->text = step_text(trace, step, &o->arena);
	read = o->text.p;
	/* of a long text it is noted where large values end */
	if (!(flags & (STEP_SSE | STEP_LINES)) && o->text.n > most)
		o->extents = extents_new(o->text);
	check_bytes(trace, step, &o->text, o->extents, &o->report, &o->arena);
	/* what belongs to the text elsewhere in the file */
	join_records(trace, step, &o->text, &o->arena);
	attach(trace, step, &o->text, &o->arena);
	if (o->extents)
		extents_seal(o->extents);
	if (o->text.p != read || o->report.verdict == VERDICT_BROKEN) {
		extents_free(o->extents);
		o->extents = NULL;
	}
	if (!stop_asked())
		read_text(o, trace, step);
	return o;
}

bool step_content_with(struct trace *trace, uint32_t step,
	void (*work)(void *ctx, struct step_content *o), void *ctx)
{
	struct step_content *o;

	stop_begin();
	o = step_content_new(trace, step);
	if (!stop_asked())
		work(ctx, o);
	step_content_free(o);
	return !stop_end();
}

struct step_content *step_content_try(struct trace *trace, uint32_t step, bool paired)
{
	struct step_content *o;

	stop_begin();
	o = step_content_new(trace, step);
	if (paired && !stop_asked())
		step_content_pairs(o);
	if (!stop_end())
		return o;
	step_content_free(o);
	return NULL;
}

const struct pairs *step_content_pairs(struct step_content *o)
{
	if (!o->paired)
		pairs_read(&o->pairs, &o->input, &o->output, o->shared);
	o->paired = true;
	return &o->pairs;
}

void step_content_free(struct step_content *o)
{
	if (!o)
		return;
	pairs_done(&o->pairs);
	side_done(&o->input);
	side_done(&o->output);
	extents_free(o->extents);
	extents_free(o->string_extents);
	arena_done(&o->arena);
	mem_free(o);
}

bool step_content_is_empty(const struct step_content *o)
{
	return o->input.view == SIDE_EMPTY && o->output.view == SIDE_EMPTY;
}

struct str step_content_folder(const struct step_content *o)
{
	struct jv cwd = o->facts.v[FACT_CWD];

	if (cwd.kind != J_STRING || cwd.n < 3 || memchr(cwd.p, '\\', cwd.n))
		return STR("");
	return (struct str){cwd.p + 1, cwd.n - 2};
}

size_t opened_bytes(const struct step_content *o)
{
	return sizeof(*o) + pairs_bytes(&o->pairs) + o->arena.bytes +
	       extents_bytes(o->extents) + extents_bytes(o->string_extents) +
	       extents_bytes(o->input.extents) + extents_bytes(o->output.extents) +
	       (o->input.chat.cap + o->output.chat.cap) * sizeof(struct jv);
}

void step_title(struct trace *trace, uint32_t step, struct buf *out)
{
	struct step s = trace_step(trace, step);
	AUTO_BUF raw = BUF_INIT;
	size_t before = out->len;

	if (s.name_at) {
		buf_reserve(&raw, s.name_len);
		raw.len = inputs_read(
			trace->inputs, s.offset + s.name_at, raw.data, s.name_len);
		jv_text(jv_parse(buf_view(&raw)), out);
	}
	if (out->len == before)
		buf_str(out, trace_text(trace, s.model));
	if (out->len == before)
		buf_str(out, trace_text(trace, s.event));
	if (out->len == before)
		buf_text(out, s.flags & STEP_BROKEN ? "unreadable" : "step");
}

bool step_problem(
	struct trace *trace, uint32_t step, const struct step_content *o, struct err *err)
{
	struct step s = trace_step(trace, step);
	AUTO_BUF text = BUF_INIT;

	if (!(s.flags & (STEP_BROKEN | STEP_CUT | STEP_REPAIRED)))
		return false;
	if (o->report.verdict == VERDICT_TOLERATED)
		json_report_text(&o->report, &text);
	else if (o->report.verdict == VERDICT_STRICT && s.flags & STEP_BROKEN)
		buf_text(&text, "a second value on the same line");
	else
		buf_text(&text, o->report.text ? o->report.text : "the file ends here");
	err_at(err, s.offset + o->report.offset, "%s%s",
		!(s.flags & STEP_CUT)               ? ""
		: s.flags & (STEP_SSE | STEP_LINES) ? "the stream is cut here: "
						    : "the file ends inside this step: ",
		text.data);
	inputs_locate(trace->inputs, err);
	return true;
}
