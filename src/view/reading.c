/* See reading.h. */
#include "config.h"
#include "view/reading.h"

#include <math.h>

#include "base/mem.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/pieces.h"
#include "view/tree.h"

#define WORD_MOST 80 /* bytes of a parameter that stands on the line */

struct reading *reading_new(struct step_content *o, const struct registry *registry)
{
	struct reading *r = mem_zalloc(1, sizeof(*r));

	r->opened = o;
	r->pause = NAN;
	r->registry = registry;
	r->input = (struct side_reading){r, &o->input, true};
	r->output = (struct side_reading){r, &o->output, false};
	if (registry)
		registry_markers(registry, o->page, &r->types, &r->type_count);
	return r;
}

void reading_free(struct reading *r)
{
	if (!r)
		return;
	known_free(r->known);
	earlier_free(r->earlier);
	step_content_free(r->next);
	mem_free(r->types);
	mem_free(r);
}

size_t reading_bytes(const struct reading *r)
{
	return sizeof(*r) + r->type_count * sizeof(*r->types) + known_bytes(r->known) +
	       (r->earlier ? earlier_bytes(r->earlier) : 0) +
	       (r->next ? opened_bytes(r->next) : 0);
}

const struct pairs *reading_pairs(struct reading *r)
{
	return step_content_pairs(r->opened);
}

static const struct pair_end *find_call(struct reading *r, struct str id)
{
	const struct pairs *pairs = reading_pairs(r);

	for (size_t i = pairs->count; i-- > 0;)
		if (pairs->ends[i].call && jv_says(pairs->ends[i].what->link, id))
			return &pairs->ends[i];
	return NULL;
}

const struct pair_end *reading_call_before(
	const struct reading *r, const struct pair_end *end, bool *near)
{
	AUTO_BUF id = BUF_INIT;
	const struct pair_end *found = NULL;
	size_t calls = 0, said = 0;

	jv_text(end->what->link, &id);
	for (size_t i = 0; i < r->before_count && !found && id.len; i++) {
		const struct step_content *o = r->before[i]->opened;
		const struct pairs *pairs = reading_pairs(r->before[i]);

		found = find_call(r->before[i], buf_view(&id));
		for (size_t k = 0; k < pairs->count; k++) /* that the step itself makes */
			calls += pairs->ends[k].call &&
				 (!pairs->ends[k].input || o->shared);
		said += !found && (r->told || o->output.view == SIDE_CHAT);
	}
	*near = found && calls == 1 && !said;
	return found;
}

const struct part *reading_result_before(
	const struct reading *r, const struct part *result)
{
	AUTO_BUF id = BUF_INIT;
	const struct pair_end *found = NULL, *own = NULL;

	jv_text(result->link, &id);
	for (size_t i = 0; i < r->before_count && !found && id.len; i++) {
		found = find_call(r->before[i], buf_view(&id));
		if (found && found->other != NO_PAIR)
			own = &reading_pairs(r->before[i])->ends[found->other];
	}
	return own && !own->input ? own->what : NULL;
}

const struct part *reading_result_after(struct reading *r, const struct part *call)
{
	const struct pairs *pairs = r->next ? step_content_pairs(r->next) : NULL;
	const struct part *found = NULL;
	AUTO_BUF id = BUF_INIT;

	jv_text(call->link, &id);
	for (size_t i = 0; pairs && i < pairs->count && id.len && !found; i++)
		if (!pairs->ends[i].call &&
			jv_says(pairs->ends[i].what->link, buf_view(&id)))
			found = pairs->ends[i].what;
	return found;
}

size_t reading_waiting(struct reading *r)
{
	const struct pairs *pairs = reading_pairs(r);
	size_t waiting = 0;

	for (size_t i = 0; i < pairs->count; i++)
		waiting += pairs->ends[i].call && !pairs->ends[i].input &&
			   pairs->ends[i].other == NO_PAIR;
	return waiting;
}

bool reading_is_tool(
	struct reading *r, const struct part **call, const struct part **result)
{
	const struct step_content *o = r->opened;
	const struct pair_end *ends;

	if (o->shared || o->input.chat.count != 1 || reading_pairs(r)->count != 2)
		return false;
	ends = reading_pairs(r)->ends;
	*call = ends[0].what;
	*result = ends[1].what;
	return ends[0].call && ends[0].input && !ends[1].call && !ends[1].input &&
	       !ends[1].message;
}

const struct known_ids *reading_known(struct reading *r)
{
	const struct step_content *o = r->opened;

	if (!r->known) {
		r->known = known_new();
		known_add(r->known, o->facts.value);
		/* a long side in a string is left out there, but was decoded when the
		 * step was opened */
		if (o->facts.value.n > KNOWN_MOST && o->input.opened)
			known_add(r->known, o->input.value);
		if (o->facts.value.n > KNOWN_MOST && o->output.opened)
			known_add(r->known, o->output.value);
	}
	return r->known;
}

/* One that is of other messages, as of a text, is none. */
const struct history *reading_history(const struct reading *r, bool input)
{
	const struct side *s = input ? &r->opened->input : &r->opened->output;
	const struct history *h;

	if (!r->new_only || !r->earlier)
		return NULL;
	h = input ? &r->earlier->input : &r->earlier->output;
	return h->count && h->count == s->chat.count ? h : NULL;
}

enum message_change reading_change(const struct reading *r, bool input, size_t message)
{
	const struct history *h = reading_history(r, input);

	return h && message < h->count ? h->now[message].change : CHANGE_NEW;
}

/* ---- the facts of a request ---- */

void request_facts_read(struct request_facts *a, struct reading *r, struct arena *arena)
{
	const struct step_content *o = r->opened;

	*a = (struct request_facts){.opened = o, .tools_of = r->tools_of};
	a->tools = parts_read_tools(o->facts.v[FACT_TOOLS], arena);
	a->parameters = side_open_string(o->facts.v[FACT_PARAMETERS], arena);
	if (jv_empty(a->parameters))
		a->parameters = JV_NONE;
}

void request_facts_done(struct request_facts *a)
{
	parts_done(&a->tools);
}

/* ---- the line ---- */

static bool is_word(struct jv v)
{
	return !jv_null(v) && v.kind != J_OBJECT && v.kind != J_ARRAY;
}

/* Whether a fact has the value of a parameter too. */
static bool is_fact(const struct request_facts *a, struct jv key, struct jv value)
{
	static const enum fact facts[] = {
		FACT_MODEL, FACT_PROVIDER, FACT_TEMPERATURE, FACT_MAX_TOKENS};

	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++) {
		struct jv told = a->opened->facts.v[facts[i]];

		if (jv_key_is(key, str_of(fact_words[facts[i]].word)) && told.n &&
			str_equal(jv_raw(told), jv_raw(value)))
			return true;
	}
	return false;
}

static void add_word(void *ctx, struct str name, struct jv v)
{
	struct buf *words = ctx;

	buf_text(words, words->len ? ", " : "");
	buf_str(words, name);
	buf_byte(words, ' ');
	jv_text(v, words);
}

static void each_parameter(
	const struct request_facts *a, request_facts_word_fn *each, void *ctx)
{
	static const char *const ends[] = {"_id", "-id", "Id", "ID", "uuid"};
	AUTO_BUF name = BUF_INIT;
	bool id;

	if (a->parameters.kind != J_OBJECT) {
		if (is_word(a->parameters))
			each(ctx, STR("parameters"), a->parameters);
		return;
	}
	JV_PAIRS(key, value, a->parameters) {
		if (!is_word(value) || value.n > WORD_MOST || is_fact(a, key, value))
			continue;
		buf_clear(&name);
		jv_text(key, &name);
		/* thread_id, sessionId, uuid: for programs, not for a reader */
		id = str_equal(buf_view(&name), STR("id"));
		for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
			id = id || str_ends(buf_view(&name), str_of(ends[i]));
		if (!id)
			each(ctx, buf_view(&name), value);
	}
}

/* What is cut first stands last: what the list shows as well, and what a session has. */
static const enum fact first[] = {FACT_PROVIDER, FACT_TEMPERATURE, FACT_MAX_TOKENS,
	FACT_FIRST_TOKEN, FACT_STOP, FACT_COUNT};
static const enum fact last[] = {
	FACT_CACHE_READ, FACT_CACHE_WRITE, FACT_CWD, FACT_BRANCH, FACT_COUNT};

static void each_fact(const struct request_facts *a, const enum fact *facts,
	request_facts_word_fn *each, void *ctx)
{
	for (; *facts != FACT_COUNT; facts++) {
		struct jv v = a->opened->facts.v[*facts];
		bool cache = *facts == FACT_CACHE_READ || *facts == FACT_CACHE_WRITE;
		double n; /* a cache that was not used is not worth a word */

		if (is_word(v) && !(cache && jv_number(v, &n) && n == 0))
			each(ctx, str_of(fact_words[*facts].name), v);
	}
}

void request_facts_each_word(
	const struct request_facts *a, request_facts_word_fn *each, void *ctx)
{
	each_fact(a, first, each, ctx);
	each_parameter(a, each, ctx);
	each_fact(a, last, each, ctx);
}

void request_facts_line(const struct request_facts *a, struct buf *words)
{
	const struct step_content *o = a->opened;
	size_t n = a->tools.count;

	each_fact(a, first, add_word, words);
	if (n)
		buf_printf(words, "%s%zu tool%s offered", words->len ? ", " : "", n,
			plural(n));
	if (n && a->tools_of)
		buf_printf(words, " as in step %zu", a->tools_of);
	each_parameter(a, add_word, words);
	if (o->page.n) {
		buf_text(words, words->len ? ", page " : "page ");
		buf_str(words, o->page);
	}
	each_fact(a, last, add_word, words);
}

/* ---- what is longer ---- */

bool request_facts_next(const struct request_facts *a, struct jwalk *walk, struct jv *key,
	struct jv *value)
{
	while (jwalk_next(walk, key, value))
		if (!jv_null(*value) && (!is_word(*value) || value->n > WORD_MOST) &&
			!is_fact(a, *key, *value))
			return true;
	return false;
}

/* ---- as blocks ---- */

/* A line of facts opens if it offers tools, or has more than a row has room for. */
static bool opens(const struct block *b, uint32_t width)
{
	return b->data || (width && safe_width(b->text) > width);
}

static void layout_line(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	size_t before = out->count;
	struct wrap w;

	wrap_begin(&w, out, width);
	if (!d->print && opens(b, width)) {
		wrap_indent(&w, glyph(glyph_fold(b->open)), STR("  "), ROLE_DIM);
		w.fold = true;
	}
	wrap_add(&w, ROLE_DIM, b->text);
	wrap_end(&w);
	if (d->print || b->open || out->count == before + 1)
		return;
	lines_truncate(out, before + 1);
	if (out->lines[before].width < width)
		glyph_put_own(out, ROLE_DIM, GLYPH_ELLIPSIS);
}

static bool toggles_line(const struct doc *d, size_t at)
{
	return opens(&d->blocks[at], d->width);
}

static bool unfold_line(struct doc *d, size_t at)
{
	const struct parts *tools = d->blocks[at].data;

	for (size_t i = 0; tools && i < tools->count; i++)
		piece_part(d, PART_AT(tools, i), ROLE_SYSTEM);
	return true;
}

/* On paper, and where a level was asked for, it opens when it is looked at. */
static bool opens_at_first(const struct doc *d, const struct block *b)
{
	return b->data && !b->open && (d->print || d->levels >= b->level);
}

static const struct block_ops line_ops = {.layout = layout_line,
	.toggle = doc_turn_fold,
	.unfold = unfold_line,
	.toggles = toggles_line,
	.opens = opens_at_first};

void request_facts_add(struct doc *d, struct reading *r)
{
	struct jv key, value, label = JV_NONE, shown = JV_NONE;
	AUTO_BUF words = BUF_INIT, object = BUF_INIT;
	struct request_facts a;
	struct jwalk w;
	size_t count = 0;

	request_facts_read(&a, r, &d->arena);
	request_facts_line(&a, &words);
	if (words.len)
		piece_text(d, &line_ops, arena_dup(&d->arena, buf_view(&words)), ROLE_DIM,
			0);
	if (a.tools.count && !a.tools_of) {
		parts_give(&a.tools, &d->arena);
		d->blocks[d->count - 1].data =
			arena_copy(&d->arena, &a.tools, sizeof(a.tools));
		a.tools = (struct parts){0};
		d->blocks[d->count - 1].value = r->opened->facts.v[FACT_TOOLS];
	}
	/* the longer parameters: on paper each; else one, or a fold with all of them */
	w = jwalk_of(a.parameters);
	while (request_facts_next(&a, &w, &key, &value)) {
		if (d->print)
			tree_add(d, key, value, 0);
		label = key;
		shown = value;
		buf_text(&object, count++ ? ", " : "{");
		buf_str(&object, jv_raw(key));
		buf_text(&object, ": ");
		buf_str(&object, jv_raw(value));
	}
	if (count > 1) {
		buf_byte(&object, '}');
		label = (struct jv)JV_WORD("parameters");
		shown = jv_parse(arena_dup(&d->arena, buf_view(&object)));
	}
	if (count && !d->print)
		tree_add_closed(d, label, shown, 0);
	request_facts_done(&a);
}
