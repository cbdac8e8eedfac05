/* The field map and its look-up: see fields.h.  The places come from the format's
 * document, doc/formats.md. */
#include "config.h"
#include "format/fields.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "chat/side.h"
#include "format/plan.h"

/* Grouped by fact: fields_of relies on it. */
const struct field event_fields[] = {
	{FACT_ID, IN_EVENT, "id"},
	{FACT_ID, IN_EVENT, "uuid"},
	{FACT_ID, IN_PROPERTIES, "id"},
	{FACT_ID, IN_PROPERTIES, "uuid"},
	{FACT_EVENT, IN_EVENT, "event"},
	{FACT_TIMESTAMP, IN_EVENT, "timestamp"},
	{FACT_TIMESTAMP, IN_PROPERTIES, "timestamp"},
	{FACT_TIMESTAMP, IN_EVENT, "created_at"},
	{FACT_MODEL, IN_PROPERTIES, "$ai_model"},
	{FACT_MODEL, IN_EVENT, "model"},
	{FACT_INPUT, IN_PROPERTIES, "$ai_input"},
	{FACT_INPUT, IN_EVENT, "user_prompt"},
	{FACT_INPUT, IN_PROPERTIES, "$ai_input_state"},
	{FACT_OUTPUT, IN_PROPERTIES, "$ai_output_choices"},
	{FACT_OUTPUT, IN_EVENT, "assistant_response"},
	{FACT_OUTPUT, IN_PROPERTIES, "$ai_output_state"},
	{FACT_INPUT_TOKENS, IN_PROPERTIES, "$ai_input_tokens"},
	{FACT_INPUT_TOKENS, IN_EVENT, "input_tokens"},
	{FACT_OUTPUT_TOKENS, IN_PROPERTIES, "$ai_output_tokens"},
	{FACT_OUTPUT_TOKENS, IN_EVENT, "output_tokens"},
	{FACT_COST, IN_PROPERTIES, "$ai_total_cost_usd"},
	{FACT_COST, IN_EVENT, "total_cost"},
	{FACT_LATENCY, IN_PROPERTIES, "$ai_latency"},
	{FACT_LATENCY, IN_EVENT, "latency"},
	{FACT_NAME, IN_PROPERTIES, "$ai_span_name"},
	{FACT_NAME, IN_EVENT, "name"},
	{FACT_CHAIN_NAME, IN_PROPERTIES, "chain_name"},
	{FACT_CHAIN_NAME, IN_EVENT, "chain_name"},
	{FACT_CHAIN_NAME, IN_EVENT, "trace_name"},
	{FACT_PROMPT_SCHEMA, IN_PROPERTIES, "promptSchema"},
	{FACT_PROMPT_SCHEMA, IN_EVENT, "prompt_schema"},
	{FACT_TRACE, IN_EVENT, "trace_id"},
	{FACT_TRACE, IN_PROPERTIES, "$ai_trace_id"},
	{FACT_TRACE, IN_PROPERTIES, "trace_id"},
	{FACT_TRACE, IN_METADATA, "trace_id"},
	{FACT_PARENT, IN_PROPERTIES, "$ai_parent_id"},
	{FACT_PARENT, IN_EVENT, "parent_id"},
	{FACT_SPAN, IN_PROPERTIES, "$ai_span_id"},
	{FACT_GENERATION, IN_PROPERTIES, "$ai_generation_id"},
	{FACT_IS_ERROR, IN_PROPERTIES, "$ai_is_error"},
	{FACT_ERROR, IN_PROPERTIES, "$ai_error"},
	{FACT_ERROR, IN_EVENT, "error"},
	{FACT_STATUS, IN_PROPERTIES, "$ai_http_status"},
	{FACT_IMAGES, IN_EVENT, "user_images"},
	{FACT_PROVIDER, IN_PROPERTIES, "$ai_provider"},
	{FACT_TOOLS, IN_PROPERTIES, "$ai_tools"},
	{FACT_TEMPERATURE, IN_PROPERTIES, "$ai_temperature"},
	{FACT_MAX_TOKENS, IN_PROPERTIES, "$ai_max_tokens"},
	{FACT_CACHE_READ, IN_PROPERTIES, "$ai_cache_read_input_tokens"},
	{FACT_CACHE_WRITE, IN_PROPERTIES, "$ai_cache_creation_input_tokens"},
	{FACT_FIRST_TOKEN, IN_PROPERTIES, "$ai_time_to_first_token"},
	{FACT_SESSION, IN_PROPERTIES, "$ai_session_id"},
	{FACT_CONVERSATION, IN_EVENT, "conversation_id"},
};
const size_t event_field_count = sizeof(event_fields) / sizeof(*event_fields);

_Static_assert(sizeof(event_fields) / sizeof(*event_fields) <= FIELD_MAX, "FIELD_MAX");

/* Positions of a row without column names, as the format's document numbers them. */
const enum fact row_facts[ROW_LENGTH] = {FACT_ID, FACT_EVENT, FACT_TIMESTAMP, FACT_MODEL,
	FACT_INPUT, FACT_OUTPUT, FACT_INPUT_TOKENS, FACT_OUTPUT_TOKENS, FACT_COST,
	FACT_LATENCY, FACT_NAME, FACT_CHAIN_NAME, FACT_PROMPT_SCHEMA};

const char *fact_name(enum fact fact)
{
	static const char *const names[FACT_COUNT] = {
		[FACT_ID] = "id",
		[FACT_EVENT] = "event",
		[FACT_TIMESTAMP] = "timestamp",
		[FACT_MODEL] = "model",
		[FACT_INPUT] = "input",
		[FACT_OUTPUT] = "output",
		[FACT_INPUT_TOKENS] = "input tokens",
		[FACT_OUTPUT_TOKENS] = "output tokens",
		[FACT_COST] = "cost",
		[FACT_LATENCY] = "latency",
		[FACT_NAME] = "name",
		[FACT_CHAIN_NAME] = "chain name",
		[FACT_PROMPT_SCHEMA] = "prompt schema",
		[FACT_TRACE] = "trace id",
		[FACT_PARENT] = "parent",
		[FACT_SPAN] = "span id",
		[FACT_GENERATION] = "generation id",
		[FACT_IS_ERROR] = "is error",
		[FACT_ERROR] = "error",
		[FACT_STATUS] = "HTTP status",
		[FACT_IMAGES] = "user images",
		[FACT_PROVIDER] = "provider",
		[FACT_TOOLS] = "tools",
		[FACT_TEMPERATURE] = "temperature",
		[FACT_MAX_TOKENS] = "max tokens",
		[FACT_CACHE_READ] = "cache read tokens",
		[FACT_CACHE_WRITE] = "cache creation tokens",
		[FACT_FIRST_TOKEN] = "time to first token",
		[FACT_SESSION] = "session",
		[FACT_CONVERSATION] = "conversation",
		[FACT_END] = "end",
		[FACT_THREAD] = "thread",
		[FACT_CWD] = "working directory",
		[FACT_BRANCH] = "branch",
		[FACT_STOP] = "stop reason",
		[FACT_PARAMETERS] = "parameters",
	};

	return names[fact];
}

/* ---- look-up ---- */

/*
 * Every key and its camelCase twin in a small hash table: the scan asks it for each key
 * of each event.  Built at the first question; read only from then on.
 */
struct field_entry {
	struct str key;
	int16_t field[IN_METADATA + 1]; /* + 1; 0: none */
};

#define FIELD_SLOTS 512

static struct field_entry field_table[FIELD_SLOTS];
static struct field_range fact_ranges[FACT_COUNT];
static char field_twins[2048];

static unsigned field_hash(struct str key)
{
	unsigned h = (unsigned)key.n;

	if (key.n) {
		h = h * 31 + (unsigned char)key.p[0];
		h = h * 31 + (unsigned char)key.p[key.n / 2];
		h = h * 31 + (unsigned char)key.p[key.n - 1];
		h = h * 31 + (unsigned char)key.p[key.n * 3 / 4];
	}
	return (h ^ h >> 9) % FIELD_SLOTS;
}

static struct field_entry *field_slot(struct str key)
{
	unsigned i = field_hash(key);

	while (field_table[i].key.p && !str_equal(field_table[i].key, key))
		i = (i + 1) % FIELD_SLOTS;
	return &field_table[i];
}

static void field_enter(struct str key, int field)
{
	struct field_entry *e = field_slot(key);
	int16_t *place = &e->field[event_fields[field].parent];

	e->key = key;
	if (!*place)
		*place = (int16_t)(field + 1);
}

static void build_table(void)
{
	char *twin = field_twins;

	for (size_t i = 0; i < event_field_count; i++) {
		const char *key = event_fields[i].key, *p = key;
		struct field_range *range = &fact_ranges[event_fields[i].fact];
		char *start = twin;

		if (!range->end)
			range->first = i;
		range->end = i + 1;
		field_enter(str_of(key), (int)i);
		while (*p) {
			bool hump = *p == '_' && p > key && islower((unsigned char)p[1]);

			*twin++ = hump ? (char)toupper((unsigned char)p[1]) : *p;
			p += hump ? 2 : 1;
		}
		field_enter((struct str){start, (size_t)(twin - start)}, (int)i);
	}
}

struct field_range fields_of(enum fact fact)
{
	if (!field_twins[0])
		build_table();
	return fact_ranges[fact];
}

int field_find(enum field_parent parent, struct str key)
{
	const struct field_entry *e;

	if (!field_twins[0])
		build_table();
	e = field_slot(key);
	return e->key.p ? e->field[parent] - 1 : -1;
}

int field_of_column(struct str name)
{
	static const struct {
		struct str head;
		enum field_parent parent;
	} parents[] = {
		{{"properties.", 11}, IN_PROPERTIES},
		{{"metadata.", 9}, IN_METADATA},
	};
	int field;

	for (size_t i = 0; i < sizeof(parents) / sizeof(*parents); i++) {
		size_t n = parents[i].head.n;

		if (str_starts(name, parents[i].head))
			return field_find(
				parents[i].parent, (struct str){name.p + n, name.n - n});
	}
	field = field_find(IN_EVENT, name);
	return field >= 0 ? field : field_find(IN_PROPERTIES, name);
}

/* ---- slots ---- */

void slots_clear(struct slots *s)
{
	if (++s->round == 0) {
		memset(s, 0, sizeof(*s));
		s->round = 1;
	}
}

void slots_put(struct slots *s, int field, struct jv value, uint64_t at, uint64_t len)
{
	struct slot *slot = &s->by_field[field];

	if (value.kind == J_NULL && slot->round == s->round)
		return; /* it takes nothing away */
	slot->round = s->round;
	slot->kind = value.kind;
	slot->cut = value.cut;
	slot->at = at;
	slot->len = len;
	if (value.p && len <= SLOT_TEXT)
		memcpy(slot->text, value.p, (size_t)len);
}

struct jv slot_view(const struct slot *s)
{
	if (!s->len)
		return JV_NONE;
	return (struct jv){s->text, (size_t)s->len, s->kind, s->cut};
}

bool slot_empty(const struct slot *s)
{
	if (s->kind == J_NULL || s->kind == J_FALSE)
		return true;
	return s->len && s->len <= SLOT_TEXT && jv_empty(slot_view(s));
}

/* Most facts stand in one place: then it does not matter whether that one is empty. */
const struct slot *slots_get(const struct slots *s, enum fact fact)
{
	struct field_range range = fields_of(fact);
	const struct slot *first = NULL;

	for (size_t i = range.first; i < range.end; i++) {
		const struct slot *slot = &s->by_field[i];

		if (slot->round != s->round)
			continue;
		if (!first)
			first = slot;
		else if (!slot_empty(first))
			return first;
		else if (!slot_empty(slot))
			return slot;
	}
	return first;
}

/* ---- an opened step ---- */

/* The field that a key names; keys with escapes are decoded first. */
static int field_of_key(enum field_parent parent, struct jv key)
{
	struct str name = jv_plain(key);
	struct buf text = BUF_INIT;
	int field;

	if (name.p)
		return field_find(parent, name);
	jv_decode(key, &text);
	field = field_find(parent, buf_view(&text));
	buf_done(&text);
	return field;
}

static void read_object(struct jv found[], struct jv object, enum field_parent parent)
{
	struct jwalk w;
	struct jv key, value;

	jwalk_begin(&w, object);
	while (jwalk_next(&w, &key, &value)) {
		int field = field_of_key(parent, key);

		if (field >= 0)
			found[field] = value;
	}
}

/* In one walk: an event may be long. */
static void read_event(struct jv found[], struct jv event)
{
	struct jv key, value, properties = JV_NONE, metadata = JV_NONE;
	struct jwalk w;

	jwalk_begin(&w, event);
	while (event.kind == J_OBJECT && jwalk_next(&w, &key, &value)) {
		int field = field_of_key(IN_EVENT, key);

		if (field >= 0)
			found[field] = value;
		if (jv_is(key, STR("properties")))
			properties = value;
		if (jv_is(key, STR("metadata")))
			metadata = value;
	}
	read_object(found, properties, IN_PROPERTIES);
	read_object(found, metadata, IN_METADATA);
}

void fields_read_cell(
	struct jv found[FIELD_MAX], bool event, struct jv value, struct arena *arena)
{
	struct jv object = side_open_string(value, &(unsigned){0}, arena);

	if (event)
		read_event(found, object);
	else
		read_object(found, object, IN_PROPERTIES);
}

static void read_row(struct facts *f, struct jv found[], const struct columns *columns,
	struct arena *arena)
{
	struct jwalk w;
	struct jv key, value;

	jwalk_begin(&w, f->value);
	while (jwalk_next(&w, &key, &value)) {
		int field = columns_field(columns, w.index);
		enum cell cell = columns_cell(columns, w.index);

		if (field >= 0)
			found[field] = value;
		if (cell != CELL_FACT)
			fields_read_cell(found, cell == CELL_EVENT, value, arena);
	}
	f->positions = w.started ? (size_t)w.index + 1 : 0;
}

static void choose(struct facts *f, const struct jv found[])
{
	for (size_t i = 0; i < event_field_count; i++) {
		struct jv *v = &f->v[event_fields[i].fact];

		if (found[i].kind == J_NONE)
			continue;
		if (v->kind == J_NONE || (jv_empty(*v) && !jv_empty(found[i])))
			*v = found[i];
	}
}

void facts_read(struct facts *f, struct jv step, bool row, const struct columns *columns,
	struct arena *arena)
{
	struct jv found[FIELD_MAX] = {{0}};

	*f = (struct facts){.value = step};
	if (row)
		read_row(f, found, columns, arena);
	else
		read_event(found, f->value);
	choose(f, found);
}

/* ---- values ---- */

double fact_number(struct jv v)
{
	double d;

	return jv_number(v, &d) ? d : NAN;
}

static double unit_seconds(struct str unit)
{
	static const struct {
		struct str name;
		double seconds;
	} units[] = {
		{{"", 0}, 1},
		{{"s", 1}, 1},
		{{"sec", 3}, 1},
		{{"secs", 4}, 1},
		{{"second", 6}, 1},
		{{"seconds", 7}, 1},
		{{"ms", 2}, 1e-3},
		{{"msec", 4}, 1e-3},
		{{"milliseconds", 12}, 1e-3},
		{{"us", 2}, 1e-6},
		{{"\xC2\xB5s", 3}, 1e-6},
		{{"\xCE\xBCs", 3}, 1e-6},
		{{"ns", 2}, 1e-9},
		{{"m", 1}, 60},
		{{"min", 3}, 60},
		{{"mins", 4}, 60},
		{{"minutes", 7}, 60},
		{{"h", 1}, 3600},
		{{"hr", 2}, 3600},
		{{"hours", 5}, 3600},
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (unit.n == units[i].name.n &&
			strncasecmp(unit.p, units[i].name.p, unit.n) == 0)
			return units[i].seconds;
	return NAN;
}

/* 850 / 1000 is the double nearest to 0.85; 850 * 0.001 is not. */
static double times_unit(double value, struct str unit)
{
	double seconds = unit_seconds(unit);

	return seconds < 1 ? value / round(1 / seconds) : value * seconds;
}

/* "1m 30s" adds up; anything that is no number with a unit spoils the whole. */
static double parse_seconds(const char *p)
{
	double sum = NAN;

	while (*p) {
		char *end;
		double value = strtod(p, &end);
		size_t n;

		if (end == p || !isfinite(value) || isalpha((unsigned char)*p) ||
			memchr(p, 'x', (size_t)(end - p)) ||
			memchr(p, 'X', (size_t)(end - p)))
			return NAN;
		p = end + strspn(end, " ");
		n = strcspn(p, " 0123456789.+-");
		value = times_unit(value, (struct str){p, n});
		sum = isnan(sum) ? value : sum + value;
		if (isnan(sum))
			return NAN;
		p += n;
		p += strspn(p, " ");
	}
	return sum;
}

/* A plain decimal and its unit, which most are. */
static double simple_seconds(struct str s)
{
	size_t n = 0;
	double value;

	while (n < s.n && (isdigit((unsigned char)s.p[n]) || s.p[n] == '.'))
		n++;
	if (!jv_number((struct jv){s.p, n, J_NUMBER, false}, &value))
		return NAN;
	return times_unit(value, (struct str){s.p + n, s.n - n});
}

double fact_seconds(struct jv v)
{
	struct buf text = BUF_INIT;
	struct str trimmed = jv_plain(v);
	double d;

	if (v.kind != J_STRING)
		return fact_number(v);
	d = simple_seconds(trimmed);
	if (!isnan(d))
		return d;
	jv_decode(v, &text);
	trimmed = str_trim(buf_view(&text));
	text.data[trimmed.p + trimmed.n - text.data] = '\0';
	d = strlen(trimmed.p) == trimmed.n ? parse_seconds(trimmed.p) : NAN;
	buf_done(&text);
	return d;
}
