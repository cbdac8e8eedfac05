/*
 * The loop of a check (see check.h): one step after another in the order of the list,
 * each opened, checked by the rules and closed again; one that a key stops is checked
 * once more.  What is remembered of a chain is dropped with it.
 */
#include "config.h"
#include "analysis/check.h"

#include <stdarg.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/work.h"

#define QUOTED 60 /* bytes of a file's text in a message */

static const struct check_rule
	rule_step_unreadable = {"step-unreadable", SEVERITY_ERROR,
		"the step's text is no JSON"},
	rule_step_repaired = {"step-repaired", SEVERITY_WARNING,
		"the step was read only after mending, or the file ends inside it"},
	rule_duplicate_key = {"duplicate-key", SEVERITY_WARNING,
		"a key stands twice in an object: one of its values may not be shown"},
	rule_step_failed = {
		"step-failed", SEVERITY_ERROR, "the trace says that the step failed"};

const struct check_rule *const step_rules[] = {&rule_step_unreadable, &rule_step_repaired,
	&rule_duplicate_key, &rule_step_failed, NULL};

const struct check_rule *check_rule_at(size_t number)
{
	static const struct check_rule *const *const lists[] = {step_rules, call_rules,
		pair_rules, payload_rules, order_rules, totals_rules};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		for (const struct check_rule *const *rule = lists[i]; *rule; rule++)
			if (!number--)
				return *rule;
	return NULL;
}

const char *const severity_names[] = {
	[SEVERITY_NOTE] = "note",
	[SEVERITY_WARNING] = "warning",
	[SEVERITY_ERROR] = "error",
};

/* ---- findings ---- */

/* The text of a buffer as a string: a NUL in it becomes a visible one. */
static char *take_text(struct buf *b)
{
	struct buf whole = BUF_INIT;

	for (size_t i = 0; i < b->len; i++)
		if (b->data[i])
			buf_byte(&whole, b->data[i]);
		else
			buf_text(&whole, "\xE2\x90\x80");
	buf_done(b);
	if (!whole.data)
		buf_text(&whole, "");
	return buf_take(&whole);
}

void findings_cut(struct findings *f, size_t count)
{
	while (f->count > count) {
		mem_free(f->items[--f->count].path);
		mem_free(f->items[f->count].message);
	}
}

void check_add(
	struct check *c, struct finding finding, struct buf *path, struct buf *message)
{
	struct findings *f = &c->findings;

	f->all++;
	f->errors += finding.severity == SEVERITY_ERROR;
	if (f->count == c->keep) {
		buf_done(path);
		buf_done(message);
		return;
	}
	finding.path = take_text(path);
	finding.message = take_text(message);
	*MEM_ADD(f->items, f->count, f->cap) = finding;
}

/* Its path is "output.messages[2].content[0].text", "output.text", or "." for the step
 * itself. */
static void add_here(struct checked_step *v, const struct check_rule *rule,
	enum severity severity, struct finding_place where, const char *fmt, va_list ap)
{
	const struct trace *trace = v->check->trace;
	uint32_t chain = trace_chain_at(trace, v->position);
	bool chat = v->side && v->message != SIZE_MAX,
	     input = v->side && v->side->prefer == PREFER_INPUT;
	struct buf path = BUF_INIT, message = BUF_INIT;
	AUTO_BUF inside = BUF_INIT;

	buf_vprintf(&message, fmt, ap);
	if (v->side)
		buf_text(&path, input ? "input" : "output");
	if (chat)
		buf_printf(&path, ".messages[%zu]", v->message);
	else if (v->side && v->side->view != SIDE_EMPTY)
		buf_text(&path, v->side->view == SIDE_TEXT ? ".text" : ".value");
	if (chat &&
		path_find(&v->paths, v->side->chat.items[v->message], where.at, &inside))
		path_add(&path, buf_view(&inside));
	path_add(&path, where.inside);
	if (!path.len)
		buf_byte(&path, '.');
	check_add(v->check,
		(struct finding){
			.rule = rule,
			.severity = severity,
			.step = v->step,
			.chain = chain,
			.position = v->position,
			.index = v->position - trace->chains[chain].first,
			.input = input,
			.message_at = v->message,
		},
		&path, &message);
}

void finding_add(struct checked_step *v, const struct check_rule *rule,
	struct finding_place where, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_here(v, rule, rule->severity, where, fmt, ap);
	va_end(ap);
}

void finding_warn(struct checked_step *v, const struct check_rule *rule,
	struct finding_place where, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_here(v, rule, SEVERITY_WARNING, where, fmt, ap);
	va_end(ap);
}

const char *checked_quote(struct checked_step *v, struct str text)
{
	size_t n = utf8_cut(text.p, text.n, QUOTED);
	struct buf out = BUF_INIT;
	char *plain;
	const char *kept;

	buf_byte(&out, '"');
	buf_add(&out, text.p, n);
	buf_text(&out, n < text.n ? "...\"" : "\"");
	plain = take_text(&out);
	kept = arena_dup(&v->arena, str_of(plain)).p;
	mem_free(plain);
	return kept;
}

const char *checked_quote_value(struct checked_step *v, struct jv value)
{
	return checked_quote(
		v, value.kind == J_STRING ? jv_keep(value, &v->arena) : jv_raw(value));
}

bool checked_knows(const struct checked_step *v, enum seen_kind kind, uint64_t key)
{
	uint64_t both = dedup_set_mix(key, kind);

	return dedup_set_has(&v->check->seen, both) ||
	       idmap_find(&v->fresh, both) != MAP_NONE;
}

bool checked_seen(struct checked_step *v, enum seen_kind kind, uint64_t key)
{
	bool known = checked_knows(v, kind, key);

	key = dedup_set_mix(key, kind);
	*MEM_ADD(v->keys, v->key_count, v->key_cap) = key;
	if (!known)
		idmap_add(&v->fresh, key, 0);
	return known;
}

/* ---- findings of schemas ---- */

struct finding_place checked_inside(
	struct checked_step *v, struct finding_place where, struct str path)
{
	struct buf whole = BUF_INIT;

	if (where.marked)
		return where;
	buf_str(&whole, where.inside);
	path_add(&whole, path);
	where.inside = arena_keep(&v->arena, &whole);
	return where;
}

static bool report_one(const struct schema_finding *f, void *ctx)
{
	struct schema_report *s = ctx;
	struct str handler = STR(".handler");
	AUTO_BUF about = BUF_INIT;

	if (s->actions && json_is_string(f->value) && f->path.n > handler.n &&
		str_ends(f->path, handler))
		return true;
	if (s->count++ == SCHEMA_MOST) {
		finding_add(s->checked, s->rule, s->where, "%s: there are more mistakes",
			s->about);
		return false;
	}
	buf_text(&about, s->about);
	if (s->where.marked) /* the place is that of the text: say where inside */
		path_add(&about, f->path);
	finding_add(s->checked, s->rule, checked_inside(s->checked, s->where, f->path),
		"%s: %s", about.data, arena_dup(&s->checked->arena, f->message).p);
	return true;
}

void schema_report(struct schema_report *s, const struct schema *schema, struct str value)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	json_t *decoded = json_read(value, NULL, &err);

	s->count = 0;
	if (decoded)
		schema_check(schema, decoded, report_one, s);
	else
		finding_add(s->checked, s->rule, s->where, "%s: cannot be checked: %s",
			s->about, err.text);
	json_decref(decoded);
}

/* ---- a step ---- */

/* Whether the step failed, and how well its text could be read. */
static void check_text(struct checked_step *v)
{
	uint32_t flags = trace_flags(v->check->trace, v->step);
	const struct json_report *r = &v->opened->report;
	bool twice = r->verdict == VERDICT_TOLERATED && r->duplicates;
	const struct check_rule *rule = NULL;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF words = BUF_INIT;

	if (flags & STEP_ERROR) {
		struct error_said said =
			fact_error(v->opened->facts.v[FACT_ERROR], &v->arena);

		jv_text(said.message, &words);
		finding_add(v, &rule_step_failed, (struct finding_place){0}, "%s",
			words.len ? checked_quote(v, buf_view(&words))
				  : "the step failed");
		buf_clear(&words);
	}
	if (flags & STEP_BROKEN)
		rule = &rule_step_unreadable;
	else if (flags & (STEP_CUT | STEP_REPAIRED))
		rule = twice ? &rule_duplicate_key : &rule_step_repaired;
	if (rule && step_problem(v->check->trace, v->step, v->opened, &err)) {
		mem_free(err.source); /* every finding is printed with the file's name */
		err.source = NULL;
		err_format(&err, &words);
		finding_add(v, rule, (struct finding_place){0}, "%s", words.data);
	}
}

static void check_tools(struct checked_step *v, bool input)
{
	const struct pairs *p = v->pairs;

	for (size_t i = pairs_of_message(p, input, v->message); i < p->count; i++) {
		const struct pair_end *end = &p->ends[i];

		if (end->input != input || end->message != v->message)
			return;
		if (end->call)
			rules_call(v, end->what);
		else
			rules_result(v, end->what,
				end->other == NO_PAIR ? NULL : p->ends[end->other].what);
	}
}

/* The messages of a side, or its one text.  A message that an earlier step had is not
 * checked again. */
static void check_side(struct checked_step *v, const struct side *side)
{
	v->side = side;
	v->paths = (struct path_finder){0};
	if (side->view == SIDE_TEXT && side->prefer == PREFER_OUTPUT)
		rules_text(v, side->text);
	for (size_t i = 0; side->view == SIDE_CHAT && i < side->chat.count; i++) {
		struct jv m = side->chat.items[i];

		v->message = i;
		if (m.kind == J_OBJECT &&
			!checked_seen(v, SEEN_MESSAGE, map_hash(jv_raw(m)))) {
			check_tools(v, side == &v->opened->input);
			if (message_speaker(m, side->prefer) == SPEAKER_ASSISTANT)
				rules_message_text(v, m);
		}
		if (stop_wanted(m.n))
			break;
	}
	v->side = NULL;
	v->message = SIZE_MAX;
}

/* ---- steps, one after another ---- */

/* What was noted while the step was looked at. */
static void checked_step_forget(struct checked_step *v)
{
	idmap_done(&v->fresh);
	offered_done(&v->offered);
	arena_done(&v->arena);
	v->key_count = 0;
	v->any_call = false;
}

/* Opens the next step and checks it.  False: a key waits; its findings are taken back,
 * and the step stays open. */
static bool check_step(struct check *c)
{
	uint32_t step = trace_at(c->trace, c->next);
	struct findings before = c->findings;
	struct checked_step *v = &c->checked;
	bool broken;

	if (!v->opened) {
		struct step_content *o = step_content_try(c->trace, step, true);

		if (!o)
			return false;
		if (o->page.n) /* it holds for later steps of the chain */
			buf_set(&c->page, o->page);
		*v = (struct checked_step){.check = c,
			.opened = o,
			.pairs = step_content_pairs(o),
			.page = c->given_page.n ? c->given_page : buf_view(&c->page),
			.step = step,
			.position = c->next,
			.message = SIZE_MAX,
			.keys = v->keys,
			.key_cap = v->key_cap};
		failures_scan(&c->failures, c->trace, step, o);
	}
	broken = trace_flags(c->trace, step) & STEP_BROKEN; /* as opening found it */
	stop_begin();
	check_text(v);
	if (!broken) {
		check_side(v, &v->opened->input);
		if (!v->opened->shared)
			check_side(v, &v->opened->output);
		rules_pairs(v);
		rules_envelope(v, v->opened->response);
	}
	if (stop_end()) {
		findings_cut(&c->findings, before.count);
		c->findings.all = before.all;
		c->findings.errors = before.errors;
		checked_step_forget(v);
		return false;
	}
	for (size_t i = 0; i < v->key_count; i++)
		dedup_set_add(&c->seen, v->keys[i]);
	c->any_call |= v->any_call;
	if (!broken)
		rules_gap(v);
	checked_step_forget(v);
	step_content_free(v->opened);
	v->opened = NULL;
	c->next++;
	return true;
}

struct check *check_new(struct trace *trace, const struct registry *r, struct str page)
{
	struct check *c = mem_zalloc(1, sizeof(*c));

	c->trace = trace;
	c->registry = r;
	c->given_page = (struct str){mem_dup(page.p, page.n), page.n};
	c->chain = NO_CHAIN;
	c->keep = SIZE_MAX;
	return c;
}

void check_free(struct check *c)
{
	if (!c)
		return;
	checked_step_forget(&c->checked);
	step_content_free(c->checked.opened);
	mem_free(c->checked.keys);
	findings_cut(&c->findings, 0);
	mem_free(c->findings.items);
	mem_free((char *)c->given_page.p);
	buf_done(&c->page);
	dedup_set_done(&c->seen);
	failures_done(&c->failures);
	mem_free(c->gaps);
	compiled_done(&c->compiled);
	mem_free(c);
}

enum task_state check_run(struct check *c, uint64_t deadline)
{
	if (!c->begun)
		rules_registry(c);
	c->begun = true;
	while (c->next < c->trace->order_count) {
		uint32_t chain = trace_chain_at(c->trace, c->next);

		if (chain != c->chain) { /* its sums, then its steps */
			if (!rules_totals(c, &c->trace->chains[chain]))
				break;
			c->chain = chain;
			dedup_set_done(&c->seen);
			failures_done(&c->failures);
			c->any_call = false;
			buf_clear(&c->page);
		}
		if (!check_step(c))
			break;
		if (clock_passed(deadline))
			break;
	}
	return c->next == c->trace->order_count ? TASK_DONE : TASK_MORE;
}
