/* What the scan found in a value becomes facts of a step or of a chain, or says of which
 * format it is: see loader.h. */
#include "config.h"

#include <math.h>
#include <strings.h>

#include "base/mem.h"
#include "chat/side.h"
#include "import/loader.h"
#include "json/json.h"

void candidate_begin(
	struct candidate *c, const struct scan_item *item, struct loader *loader)
{
	c->loader = loader;
	slots_clear(&c->slots);
	c->shape = (struct shape){.kind = item->kind};
	c->start = item->start;
	c->end = c->positions = 0;
	c->row = c->may_carry = c->run = c->child = c->holds_steps = false;
	c->carrier = CARRIER_VALUE;
	c->columns = c->found_columns = NULL;
	c->description = NULL;
	c->first_step = loader->trace->count;
	c->first_scope = loader->trace->scope_count;
}

static void put_found(void *ctx, int leaf, struct jv value)
{
	struct candidate *c = ctx;

	if (c->description->summed[leaf])
		slots_add(&c->slots, leaf, value);
	else
		slots_put(&c->slots, leaf, value, UINT64_MAX, value.n);
}

void candidate_read(struct candidate *c, uint16_t node, struct jv value)
{
	AUTO_ARENA arena = {0};
	struct trie_reading r = {&c->description->trie, &arena, put_found, c};

	trie_read(&r, node, value);
}

#define FACT_LONGEST 65536 /* a longer text is no name and no id */

/* The value of a slot; the bytes of a long one are valid until the next is asked for. */
static struct jv slot_value(const struct candidate *c, const struct slot *s)
{
	if (s->len <= SLOT_TEXT)
		return slot_view(s);
	return jv_parse(loader_fetch(c->loader, s->at, s->len));
}

/* The slot of a leaf, or NULL. */
static const struct slot *leaf_slot(const struct candidate *c, int leaf)
{
	const struct slot *s = leaf < 0 ? NULL : &c->slots.by_field[leaf];

	return s && s->round == c->slots.round ? s : NULL;
}

struct jv candidate_leaf(void *ctx, int leaf)
{
	const struct candidate *c = ctx;
	const struct slot *s = leaf_slot(c, leaf);

	if (!s)
		return JV_NONE;
	return s->len <= SLOT_TEXT ? slot_view(s)
				   : (struct jv){.kind = s->kind, .cut = true};
}

static const struct fact_paths *places_of(const struct candidate *c, enum fact fact)
{
	return c->run ? &c->description->run[fact] : &c->description->facts[fact];
}

int candidate_place(const struct candidate *c, const struct fact_paths *p)
{
	return place_that_counts(p, c->description->events, candidate_leaf, (void *)c);
}

/* The slot of the place that counts, or NULL.  Most facts stand in one place, or nowhere:
 * then nothing else need be known of it. */
static const struct slot *place_slot(
	const struct candidate *c, const struct fact_paths *p)
{
	const struct slot *s = NULL;
	bool one = true;
	int place;

	for (size_t i = 0; i < p->count && one; i++) {
		const struct slot *here = leaf_slot(c, p->items[i].leaf);

		one = !here || (!s && !p->items[i].when.count);
		s = here ? here : s;
	}
	if (!one) {
		place = candidate_place(c, p);
		s = place < 0 ? NULL : leaf_slot(c, p->items[place].leaf);
	}
	return s && s->kind == J_NULL && !c->description->events ? NULL : s;
}

/* What is there, if it is no longer than names and ids are. */
static struct jv place_value(const struct candidate *c, const struct fact_paths *p)
{
	const struct slot *s = place_slot(c, p);

	return s && s->len <= FACT_LONGEST ? slot_value(c, s) : JV_NONE;
}

static struct jv lift_value(const struct candidate *c, enum fact fact)
{
	return place_value(c, places_of(c, fact));
}

/* A figure; NaN: nothing says it. */
static double lift_number(const struct candidate *c, enum fact fact)
{
	const struct fact_paths *p = places_of(c, fact);
	double sum = NAN;

	if (!p->sum)
		return p->count ? fact_number(place_value(c, p)) : NAN;
	for (size_t i = 0; i < p->count; i++) {
		const struct slot *s = leaf_slot(c, p->items[i].leaf);
		if (s && s->len <= FACT_LONGEST)
			sum = sum_of_known(sum, fact_number(slot_value(c, s)));
	}
	return sum;
}

/* The text of a value, perhaps decoded into the buffer; false when it is empty. */
static bool text_of(struct jv v, struct buf *decoded, struct str *text)
{
	if (jv_empty(v) && v.kind != J_NUMBER)
		return false;
	*text = v.kind == J_STRING ? jv_str(v, decoded) : jv_raw(v);
	return true;
}

static uint32_t interned(const struct candidate *c, struct jv v)
{
	AUTO_BUF decoded = BUF_INIT;
	struct str text;

	return text_of(v, &decoded, &text) ? intern_add(&c->loader->trace->texts, text)
					   : NO_TEXT;
}

static uint64_t lift_parent(const struct candidate *c)
{
	struct jv value = lift_value(c, FACT_PARENT);
	AUTO_BUF decoded = BUF_INIT;
	struct str id;
	size_t n = 0;

	if (value.kind == J_OBJECT || value.kind == J_ARRAY || !text_of(value, &decoded, &id))
		return 0;
	/* some write a parent that there is not as zeros, or as a word */
	while (n < id.n && (id.p[n] == '0' || (n == 1 && id.p[n] == 'x')))
		n++;
	if (!c->description->events && (n == id.n || str_equal(id, STR("undefined")) ||
						  str_equal(id, STR("null"))))
		return 0;
	return trace_key(id);
}

static bool is_error(const struct candidate *c)
{
	const struct slot *error = place_slot(c, places_of(c, FACT_ERROR));
	struct jv flag;

	if (c->description->failed.count && !c->run)
		return groups_hold(
			&c->description->failed, candidate_leaf, (void *)c);

	flag = lift_value(c, FACT_IS_ERROR);
	return (!jv_empty(flag) && !jv_is(flag, STR("false"))) ||
	       (error && !slot_empty(error) && error->kind != J_NULL);
}

/* What a format says of the kind of a step. */
static uint32_t kind_flags(const struct candidate *c)
{
	const struct description *d = c->description;
	enum time_unit unit;
	struct jv kind;

	if (c->run)
		return STEP_CONTAINER;
	kind = places_value(&d->kind_at, candidate_leaf, (void *)c, &unit);
	if (groups_hold(&d->call_when, candidate_leaf, (void *)c))
		return STEP_CALL;
	if (groups_hold(&d->container_when, candidate_leaf, (void *)c))
		return STEP_CONTAINER;
	if (text_is_one_of(kind, &d->calls))
		return STEP_CALL;
	if (text_is_one_of(kind, &d->traces))
		return STEP_CONTAINER | STEP_TRACE;
	return text_is_one_of(kind, &d->containers) ? STEP_CONTAINER : 0;
}

/*
 * What is stated, unless start and end say something quite different: some exports state
 * milliseconds where others state seconds.
 */
static double lift_latency(const struct candidate *c, double start)
{
	const struct fact_paths *p = places_of(c, FACT_LATENCY);
	int place = candidate_place(c, p);
	double stated = NAN, measured;

	if (place >= 0)
		stated = unit_seconds_of(
			place_value(c, p), (enum time_unit)p->items[place].unit);

	if (!places_of(c, FACT_END)->count)
		return stated;
	measured = candidate_end(c) - start;
	if (isnan(measured) || measured < 0)
		return stated;
	return fabs(stated - measured) <= fmax(1, measured / 10) ? stated : measured;
}

/* The facts of which figures and texts of a step are, by their numbers. */
#define FACT(id, word, name, member) FACT_##id,
static const enum fact figure_facts[STEP_FIGURES] = {
	STEP_FACTS(FACT_NOT, FACT, FACT_NOT, FACT_NOT)
	STEP_FACTS(FACT_NOT, FACT_NOT, FACT, FACT_NOT)
};
static const enum fact text_facts[STEP_TEXTS] = {
	STEP_FACTS(FACT_NOT, FACT_NOT, FACT_NOT, FACT)};
#undef FACT

/* The figures that are stated, of a step whose time is known; of tokens what the one
 * definition makes of them, and of a cost what its parts add up to where it is not
 * stated. */
static void lift_figures(const struct candidate *c, struct step *s)
{
	static const enum fact parts[] = {FACT_FRESH_TOKENS, FACT_CACHED_TOKENS,
		FACT_ANSWER_TOKENS, FACT_REASONING_TOKENS, FACT_TOTAL_TOKENS,
		FACT_INPUT_COST, FACT_OUTPUT_COST};
	double stated[FACT_COUNT];
	struct token_figures t;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		stated[parts[i]] = lift_number(c, parts[i]);
	for (size_t i = 0; i < STEP_FIGURES; i++) {
		enum fact fact = figure_facts[i];

		stated[fact] = fact == FACT_LATENCY ? lift_latency(c, s->timestamp)
						    : lift_number(c, fact);
		s->figures[i] = stated[fact];
	}
	t = token_figures(stated);
	s->input_tokens = t.input;
	s->cache_read = t.cache_read;
	s->cache_write = t.cache_write;
	s->output_tokens = t.output;
	if (isnan(s->cost))
		s->cost = sum_of_known(stated[FACT_INPUT_COST], stated[FACT_OUTPUT_COST]);
}

void candidate_lift(const struct candidate *c, uint64_t start, struct step *s)
{
	const struct slot *name = place_slot(c, places_of(c, FACT_NAME));

	s->timestamp = described_time(lift_value(c, FACT_TIMESTAMP));
	lift_figures(c, s);
	if (isnan(s->timestamp)) /* NaN where one is not known */
		s->timestamp = candidate_end(c) - s->latency;
	for (size_t i = 0; i < STEP_TEXTS; i++)
		s->texts[i] = interned(c, lift_value(c, text_facts[i]));
	s->flags |= kind_flags(c);
	if (!c->description->events && !isnan(s->timestamp))
		s->flags |= STEP_TIMED;
	if (is_error(c))
		s->flags |= STEP_ERROR;
	s->parent_key = lift_parent(c);
	if (name && !slot_empty(name) && name->at - start <= UINT32_MAX) {
		s->name_at = (uint32_t)(name->at - start);
		s->name_len =
			name->len > FACT_LONGEST ? FACT_LONGEST : (uint32_t)name->len;
	}
}

void figures_take(struct step *s, const struct step *said)
{
	for (size_t i = 0; i < STEP_FIGURES; i++)
		if (!isnan(said->figures[i]))
			s->figures[i] = said->figures[i];
}

void texts_take(struct step *s, const struct step *said)
{
	for (size_t i = 0; i < STEP_TEXTS; i++)
		if (said->texts[i] != NO_TEXT)
			s->texts[i] = said->texts[i];
}

void name_take(struct step *s, const struct step *said, uint64_t offset)
{
	uint64_t after = offset - s->offset;

	if (s->name_at || !said->name_at || after > UINT32_MAX - said->name_at)
		return;
	s->name_at = said->name_at + (uint32_t)after;
	s->name_len = said->name_len;
}

double candidate_end(const struct candidate *c)
{
	return described_time(lift_value(c, FACT_END));
}

/* The key of a text, 0 where a value has none. */
static uint64_t key_of(struct jv v)
{
	AUTO_BUF decoded = BUF_INIT;
	struct str text;

	return text_of(v, &decoded, &text) ? trace_key(text) : 0;
}

void candidate_facts(const struct candidate *c)
{
	static const enum fact ids[] = {FACT_SPAN, FACT_GENERATION, FACT_ID};
	struct trace *trace = c->loader->trace;

	candidate_lift(c, c->start, trace_last(trace));
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		uint64_t key = key_of(lift_value(c, ids[i]));

		if (key)
			trace_add_id(trace, key);
	}
}

/* That of a place, if it is no container and not 0. */
static struct jv plain_value(const struct candidate *c, const struct fact_paths *places)
{
	struct jv v = place_value(c, places);

	return jv_empty(v) || v.kind == J_OBJECT || v.kind == J_ARRAY ? JV_NONE : v;
}

uint32_t candidate_text(const struct candidate *c, const struct fact_paths *places)
{
	return interned(c, plain_value(c, places));
}

uint32_t candidate_shared(
	const struct candidate *c, const struct fact_paths places[SHARED_FACTS])
{
	AUTO_BUF list = BUF_INIT;
	bool known = false;

	for (size_t i = 0; i < SHARED_FACTS; i++) {
		struct jv v = place_value(c, &places[i]);

		buf_byte(&list, i ? ',' : '[');
		known |= !jv_empty(v);
		if (jv_empty(v))
			buf_text(&list, "null");
		else
			json_write_raw(&list, jv_raw(v));
	}
	buf_byte(&list, ']');
	return known ? intern_add(&c->loader->trace->texts, buf_view(&list)) : NO_TEXT;
}

uint64_t candidate_key_of(const struct candidate *c, const struct fact_paths *places)
{
	return key_of(plain_value(c, places));
}

void candidate_conversation(const struct candidate *c)
{
	struct step *s = trace_last(c->loader->trace);

	if (s->trace_id == NO_TEXT)
		s->trace_id = interned(c, lift_value(c, FACT_CONVERSATION));
}

void candidate_scope(const struct candidate *c, bool names_trace)
{
	struct scope *scope = &c->loader->trace->scopes[c->scope];

	if (c->shape.kind != J_OBJECT)
		return;
	scope->trace_id = interned(c, lift_value(c, FACT_TRACE));
	if (scope->trace_id == NO_TEXT && names_trace)
		scope->trace_id = interned(c, lift_value(c, FACT_ID));
	scope->name = interned(c, lift_value(c, FACT_CHAIN_NAME));
}

/* ---- formats by the shape of a value ---- */

struct jv candidate_value(const struct candidate *c, struct buf *text)
{
	size_t n = (size_t)(c->end - c->start);

	buf_reserve(text, n);
	text->len = source_read(c->loader->source, c->start, text->data, n);
	return jv_parse(buf_view(text));
}

/* Whether the chat extractor finds messages in the value: asked last. */
static bool has_chat(const struct candidate *c)
{
	AUTO(chat_done) struct chat chat = {0};
	AUTO_BUF text = BUF_INIT;

	return chat_extract(candidate_value(c, &text), PREFER_NONE, &chat);
}

/*
 * Whether an object whose array of steps is empty is a chain: nothing else is in it,
 * neither a conversation, nor an event, nor steps under another key.
 */
static bool is_empty_chain(const struct candidate *c, bool read)
{
	for (int i = CARRIER_RESULTS; i < CARRIER_COUNT; i++)
		if (c->shape.carried[i].items != ITEMS_NONE)
			return false;
	return !(c->shape.signs & SIGN_INPUT) && !(read && has_chat(c));
}

static enum carrier chain_carrier(const struct shape *s)
{
	bool events = s->carried[CARRIER_EVENTS].kind == J_ARRAY;

	if (events && s->carried[CARRIER_EVENTS].items != ITEMS_NONE)
		return CARRIER_EVENTS;
	if (s->carried[CARRIER_CHAIN_EVENTS].kind == J_ARRAY &&
		(!s->carried[CARRIER_EVENTS].present || s->carried[CARRIER_EVENTS].empty))
		return CARRIER_CHAIN_EVENTS;
	return events ? CARRIER_EVENTS : CARRIER_VALUE;
}

const struct format *candidate_format(const struct candidate *c, bool read)
{
	const struct shape *s = &c->shape;
	bool object = s->kind == J_OBJECT, array = s->kind == J_ARRAY;
	bool message = object && s->signs & SIGN_MESSAGE;
	enum carrier chain = object ? chain_carrier(s) : CARRIER_VALUE;
	const struct carried *results = &s->carried[CARRIER_RESULTS];
	bool rows = s->row;

	/* what a PostHog query returns, or one row of it */
	if (object && results->kind == J_ARRAY && results->items == ITEMS_NONE)
		rows |= is_empty_chain(c, read);
	else if (object && results->kind == J_ARRAY)
		rows |= s->signs & SIGN_NAMED || results->items == ITEMS_ROWS ||
			results->items == ITEMS_EVENTS;
	if (rows)
		return &format_posthog_rows;
	if (chain != CARRIER_VALUE &&
		(s->carried[chain].items != ITEMS_NONE || is_empty_chain(c, read)))
		return &format_chain_object;
	if (message && s->signs & (SIGN_HISTORY | SIGN_CONTEXT))
		return &format_chat_request;
	if (message && s->signs & SIGN_ELEMENTS)
		return &format_chat_response;
	if (object && s->signs & SIGN_INPUT)
		return &format_single_event;
	if (array && s->items == ITEMS_EVENTS)
		return &format_event_array;
	return (object || array) && read && has_chat(c) ? &format_chat_value
							: &format_json;
}

enum carrier format_carrier(const struct format *format, const struct shape *s)
{
	bool array = s->kind == J_ARRAY;

	if (format == &format_posthog_rows)
		return !array ? CARRIER_RESULTS : s->row ? CARRIER_VALUE : CARRIER_ITEMS;
	if (format == &format_event_array)
		return array ? CARRIER_ITEMS : CARRIER_VALUE;
	return format == &format_chain_object ? chain_carrier(s) : CARRIER_VALUE;
}

enum carrier carrier_of_key(struct str key)
{
	if (str_equal(key, STR("results")))
		return CARRIER_RESULTS;
	if (str_equal(key, STR("events")))
		return CARRIER_EVENTS;
	if (str_equal(key, STR("chain_events")) || str_equal(key, STR("chainEvents")))
		return CARRIER_CHAIN_EVENTS;
	return CARRIER_VALUE;
}

/* ---- guesses ---- */

#define NAMES_MOST 60 /* bytes of a list of columns */

/* ---- by the first bytes ---- */

/* clang-format off */
#define MAGIC(bytes, what) {{bytes, sizeof(bytes) - 1}, what}
struct magic {
	struct str bytes;
	const char *what;
};
/* What is no UTF-8 text: the faults of the scan would not explain it. */
static const struct magic foreign[] = {
	MAGIC("\xFF\xFE\0\0", "this is UTF-32; convert it to UTF-8 first (iconv)"),
	MAGIC("\0\0\xFE\xFF", "this is UTF-32; convert it to UTF-8 first (iconv)"),
	MAGIC("\xFF\xFE", "this is UTF-16; convert it to UTF-8 first (iconv)"),
	MAGIC("\xFE\xFF", "this is UTF-16; convert it to UTF-8 first (iconv)"),
	MAGIC("\x1F\x8B", "this is compressed; unpack it first (zcat)"),
	MAGIC("\x28\xB5\x2F\xFD", "this is compressed; unpack it first (zstdcat)"),
	MAGIC("\xFD" "7zXZ", "this is compressed; unpack it first (xzcat)"),
	MAGIC("BZh", "this is compressed; unpack it first (bzcat)"),
	MAGIC("PK\x03\x04", "this is a zip archive; unpack it first (unzip)"),
};
static const struct magic others[] = {
	MAGIC("PAR1", "looks like Parquet; "
		"convert it, for instance with DuckDB: COPY (FROM 'FILE') TO 'out.jsonl'"),
	MAGIC("SQLite format 3\0", "looks like a SQLite database; "
		"pass a table on as JSON: sqlite3 -json FILE 'SELECT * FROM table' | catena"),
	MAGIC("ARROW1", "looks like Arrow; "
		"convert it to JSON lines, for instance with pandas: read_feather, to_json"),
	MAGIC("FEA1", "looks like Feather; "
		"convert it to JSON lines, for instance with pandas: read_feather, to_json"),
	MAGIC("\x89HDF", "looks like HDF5; export its tables as JSON lines"),
	MAGIC("Obj\x01", "looks like Avro; convert it with avro-tools tojson"),
	MAGIC("ORC", "looks like ORC; convert it with orc-contents, which prints JSON lines"),
	MAGIC("%PDF-", "looks like PDF; open it with a reader of PDF"),
	MAGIC("\x89PNG", "looks like a PNG image; open it with a viewer of images"),
	MAGIC("\xFF\xD8\xFF", "looks like a JPEG image; open it with a viewer of images"),
	MAGIC("GIF8", "looks like a GIF image; open it with a viewer of images"),
	MAGIC("RIFF", "looks like a WebP image, sound or video; open it with a viewer of media"),
	MAGIC("\x7F" "ELF", "looks like a program; give the file that it writes"),
	MAGIC("\x93NUMPY", "looks like a NumPy array; write it with json.dump(a.tolist(), …)"),
};
/* clang-format on */

static const char *find_magic(const struct magic *table, size_t count, struct str head)
{
	for (size_t i = 0; i < count; i++)
		if (str_starts(head, table[i].bytes))
			return table[i].what;
	return NULL;
}

const char *guess_foreign(struct str head)
{
	if (head.n > 3 && !head.p[2] && !head.p[1] && !head.p[0] != !head.p[3])
		return foreign[0].what;
	if (head.n > 1 && !head.p[0] != !head.p[1])
		return foreign[2].what;
	return find_magic(foreign, sizeof(foreign) / sizeof(*foreign), head);
}

static const char *other_magic(struct str head)
{
	return find_magic(others, sizeof(others) / sizeof(*others), head);
}

/* The field 1 of a message, as long as the file is or longer than the head. */
static bool is_protobuf(struct str s)
{
	size_t at = 1, length = 0;

	if (s.n < 4 || s.p[0] != '\n')
		return false;
	for (unsigned shift = 0; at < s.n && shift < 28; shift += 7) {
		unsigned char c = (unsigned char)s.p[at++];

		length |= (size_t)(c & 0x7F) << shift;
		if (!(c & 0x80))
			return length > 1 && at < s.n &&
			       (s.p[at] == '\n' || s.p[at] == 0x12) &&
			       (at + length >= s.n || s.p[at + length] == '\n' ||
				       s.p[at + length] == 0x12);
	}
	return false;
}

/* NUL is in no text, and other control characters are rare there. */
static bool is_binary(struct str s)
{
	size_t controls = 0;

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (!c)
			return true;
		controls +=
			c == 0x7F || (c < ' ' && !(c >= '\a' && c <= '\r') && c != 0x1B);
	}
	return controls * 50 > s.n;
}

/* ---- by its lines ---- */

static struct str next_line(struct str *s)
{
	struct str line = {0};

	str_next_line(s, &line);
	return str_trim(line);
}

/* The text before the first line that begins like JSON: a value, or an event stream that
 * holds one. */
static struct str before_json(struct str s)
{
	struct str rest = s;

	while (rest.n) {
		size_t at = s.n - rest.n;
		struct str line = next_line(&rest);

		if (str_starts(line, STR("{")) || str_starts(line, STR("[")) ||
			str_starts(line, STR("data:")) || str_starts(line, STR("event:")))
			return (struct str){s.p, at};
	}
	return s;
}

/* Separators outside quotes. */
static size_t count_separators(struct str line, char separator)
{
	bool quoted = false;
	size_t count = 0;

	for (size_t i = 0; i < line.n; i++) {
		quoted ^= line.p[i] == '"';
		count += !quoted && line.p[i] == separator;
	}
	return count;
}

/* Two lines of several fields, equally many. */
static bool say_table(struct str s, struct buf *out)
{
	static const struct {
		char separator;
		const char *name, *option;
	} kinds[] = {{'\t', "TSV", "--itsv"}, {',', "CSV", "--icsv"},
		{';', "CSV", "--icsv --ifs semicolon"}};
	struct str first = next_line(&s), second = next_line(&s);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t fields = count_separators(first, kinds[i].separator), start, taken;

		if (!fields || count_separators(second, kinds[i].separator) < fields)
			continue;
		buf_printf(out, "looks like %s with the columns ", kinds[i].name);
		/* as the first line names them, as far as there is room */
		start = out->len;
		for (struct str rest = first; rest.n; rest = str_skip(rest, taken)) {
			const char *end = memchr(rest.p, kinds[i].separator, rest.n);
			struct str name = {rest.p, end ? (size_t)(end - rest.p) : rest.n};

			taken = name.n + (end != NULL);
			name = str_trim(name);
			if (out->len - start + name.n > NAMES_MOST) {
				buf_text(out, out->len > start ? ", …" : "…");
				break;
			}
			buf_text(out, out->len > start ? ", " : "");
			buf_str(out, name);
		}
		buf_printf(out,
			"; convert it to JSON lines first: mlr %s --ojsonl cat FILE",
			kinds[i].option);
		return true;
	}
	return false;
}

static bool starts_as(struct str s, const char *word)
{
	size_t n = strlen(word);

	return s.n >= n && strncasecmp(s.p, word, n) == 0;
}

static const char prose[] =
	"looks like plain text; catena reads JSON, JSON lines and event streams";

/* A sentence; NULL: it is empty, or JSON that is damaged.  A table is `prose`, too. */
static const char *what_else(struct str head)
{
	struct str s = str_trim(head);

	if (!s.n)
		return NULL;
	if (other_magic(head))
		return other_magic(head);
	/* protocol 2 and later begins with its number, and 4 goes on with a frame */
	if (head.n > 2 && (unsigned char)head.p[0] == 0x80 && head.p[1] >= 2 &&
		head.p[1] <= 5)
		return "looks like a Python pickle; "
		       "load it in Python and write it with json.dump";
	if (is_protobuf(head) && is_binary(head))
		return "looks like protobuf, as OTLP sends it; "
		       "export JSON instead: OTEL_EXPORTER_OTLP_PROTOCOL=http/json, "
		       "or the collector's file exporter";
	if (is_binary(head))
		return "looks like binary data; "
		       "catena reads JSON, JSON lines and event streams";
	if (before_json(s).n < s.n)
		return NULL;
	if (starts_as(s, "<!doctype html") || starts_as(s, "<html"))
		return "looks like HTML; save what the page shows as JSON, or look "
		       "whether it is an error page";
	if (starts_as(s, "<?xml"))
		return "looks like XML; convert it to JSON first";
	return prose;
}

bool guess_other(struct str head, struct buf *out)
{
	const char *known = guess_foreign(head), *what = known ? known : what_else(head);

	if (what && (what != prose || !say_table(str_trim(head), out)))
		buf_text(out, what);
	return what != NULL;
}

bool guess_is_binary(struct str head)
{
	return memchr(head.p, '\0', head.n) && other_magic(head);
}

bool guess_is_prose(struct str head)
{
	struct str words = before_json(str_trim(head));
	AUTO_BUF table = BUF_INIT;

	return !is_binary(head) && what_else(words) == prose &&
	       !say_table(str_trim(words), &table);
}
