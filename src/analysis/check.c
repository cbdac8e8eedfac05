/*
 * The loop of a check (see check.h): one step after another in the order of the list,
 * each opened, checked by the rules and closed again, a long one in slices.  What is
 * remembered of a chain is dropped with it.
 */
#include "config.h"
#include "analysis/check.h"

#include <stdarg.h>

#include "analysis/rules.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"

#define QUOTED 60           /* bytes of a file's text in a message */
#define SLICE  (256u << 10) /* bytes of messages between two looks at the clock */

const struct check_rule rules[] = {
#define RULE_ROW(id, name, severity, about) {name, SEVERITY_##severity, about},
	RULES(RULE_ROW)
#undef RULE_ROW
		{0},
};

const char *severity_name(enum severity s)
{
	static const char *const names[] = {
		[SEVERITY_NOTE] = "note",
		[SEVERITY_WARNING] = "warning",
		[SEVERITY_ERROR] = "error",
	};

	return names[s];
}

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

static void findings_clear(struct findings *f)
{
	for (size_t i = 0; i < f->count; i++) {
		mem_free(f->items[i].path);
		mem_free(f->items[i].message);
	}
	f->count = 0;
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

/* "output.messages[2].content[0].text", "output.text", or "." for the step itself. */
static void write_path(struct step_visit *v, struct finding_place where, struct buf *out)
{
	AUTO_BUF inside = BUF_INIT;
	bool chat = v->side && v->message != SIZE_MAX;

	if (v->side)
		buf_text(out, v->side->prefer == PREFER_INPUT ? "input" : "output");
	if (chat)
		buf_printf(out, ".messages[%zu]", v->message);
	else if (v->side && v->side->view != SIDE_EMPTY)
		buf_text(out, v->side->view == SIDE_TEXT ? ".text" : ".value");
	if (chat &&
		path_find(&v->paths, v->side->chat.items[v->message], where.at, &inside))
		path_add(out, buf_view(&inside));
	path_add(out, where.inside);
	if (!out->len)
		buf_byte(out, '.');
}

static void add_here(struct step_visit *v, enum rule_id rule, enum severity severity,
	struct finding_place where, struct buf *message)
{
	const struct trace *trace = v->check->trace;
	uint32_t chain = trace_chain_at(trace, v->position);
	struct buf path = BUF_INIT;

	write_path(v, where, &path);
	check_add(v->check,
		(struct finding){
			.rule = &rules[rule],
			.severity = severity,
			.step = v->step,
			.chain = chain,
			.position = v->position,
			.index = v->position - trace->chains[chain].first,
			.input = v->side && v->side->prefer == PREFER_INPUT,
			.message_at = v->message,
		},
		&path, message);
}

void visit_add(struct step_visit *v, enum rule_id rule, struct finding_place where,
	const char *fmt, ...)
{
	struct buf message = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&message, fmt, ap);
	va_end(ap);
	add_here(v, rule, rules[rule].severity, where, &message);
}

void visit_add_as(struct step_visit *v, enum rule_id rule, enum severity severity,
	struct finding_place where, const char *fmt, ...)
{
	struct buf message = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&message, fmt, ap);
	va_end(ap);
	add_here(v, rule, severity, where, &message);
}

const char *visit_quote(struct step_visit *v, struct str text)
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

const char *visit_quote_value(struct step_visit *v, struct jv value)
{
	return visit_quote(
		v, value.kind == J_STRING ? jv_keep(value, &v->arena) : jv_raw(value));
}

bool visit_seen(struct step_visit *v, enum seen_kind kind, uint64_t key)
{
	return dedup_set_add(&v->check->seen, dedup_set_mix(key, kind));
}

/* ---- findings of schemas ---- */

struct finding_place visit_inside(
	struct step_visit *v, struct finding_place where, struct str path)
{
	struct buf whole = BUF_INIT;

	if (where.marked)
		return where;
	buf_str(&whole, where.inside);
	path_add(&whole, path);
	where.inside = arena_keep(&v->arena, &whole);
	return where;
}

/* The beginning of the message; for a marked value it has the path inside it. */
static const char *report_about(struct schema_report *s, struct str path)
{
	AUTO_BUF about = BUF_INIT;

	buf_text(&about, s->about);
	if (s->where.marked)
		path_add(&about, path);
	return arena_dup(&s->visit->arena, buf_view(&about)).p;
}

static bool report_one(const struct schema_finding *f, void *ctx)
{
	struct schema_report *s = ctx;

	if (s->divert && s->divert(s, f))
		return true;
	if (s->count++ == SCHEMA_MOST) {
		visit_add(s->visit, s->rule, s->where, "%s: there are more mistakes",
			s->about);
		return false;
	}
	visit_add(s->visit, s->rule, visit_inside(s->visit, s->where, f->path), "%s: %s",
		report_about(s, f->path), arena_dup(&s->visit->arena, f->message).p);
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
		visit_add(s->visit, s->rule, s->where, "%s: cannot be checked: %s",
			s->about, err.text);
	json_decref(decoded);
}

/* ---- steps ---- */

/* Reports tools that are registered with a payload type that is not. */
static void check_registry(struct check *c)
{
	const struct registry *r = c->registry;

	for (size_t i = 0; i < r->tool_count; i++) {
		const struct tool_config *t = &r->tools[i];
		struct buf path = BUF_INIT, message = BUF_INIT;

		if (!t->payload_type.n || registry_type(r, t->payload_type))
			continue;
		buf_text(&path, "tools.");
		buf_str(&path, t->name);
		buf_text(&message, "the tool ");
		buf_str(&message, t->name);
		buf_text(&message, " declares the payload type ");
		buf_str(&message, t->payload_type);
		buf_text(&message, ", which is not registered (");
		buf_str(&message, t->at.file);
		buf_printf(&message, ", line %llu)", (unsigned long long)t->at.line);
		check_add(c,
			(struct finding){
				.rule = &rules[RULE_TOOL_UNREGISTERED],
				.severity = rules[RULE_TOOL_UNREGISTERED].severity,
				.step = NO_STEP,
				.chain = NO_CHAIN,
				.message_at = SIZE_MAX,
			},
			&path, &message);
	}
}

static void enter_chain(struct check *c, uint32_t chain)
{
	c->chain = chain;
	dedup_set_done(&c->seen);
	failures_done(&c->failures);
	c->any_call = false;
	buf_clear(&c->page);
	rules_totals_begin(c, &c->trace->chains[chain]);
}

/* The given page, or else the one that this step or an earlier one of its chain names. */
static struct str choose_page(struct check *c, const struct opened *o)
{
	if (c->given_page.n)
		return c->given_page;
	if (o->page.n) {
		buf_clear(&c->page);
		buf_str(&c->page, o->page);
	}
	return buf_view(&c->page);
}

static void begin_visit(struct check *c, struct opened *o)
{
	struct step_visit *v = mem_zalloc(1, sizeof(*v));

	v->check = c;
	v->opened = o;
	v->step = trace_at(c->trace, c->next);
	v->position = c->next;
	v->page = choose_page(c, v->opened);
	failures_judge(&c->failures, c->trace, v->step, v->opened);
	c->visit = v;
	rules_begin(v);
}

static void end_visit(struct check *c)
{
	rules_end(c->visit);
	opened_free(c->visit->opened);
	mem_free(c->visit);
	c->visit = NULL;
}

/* Works on the present step: opens it, then checks its messages. */
static void check_step(struct check *c)
{
	if (!c->visit) {
		struct opened *o = opened_try(c->trace, trace_at(c->trace, c->next), true);

		if (!o)
			return;
		begin_visit(c, o);
	}
	if (rules_run(c->visit, SLICE) == TASK_MORE)
		return;
	end_visit(c);
	c->next++;
}

/* Works on a chain's sums, then on its steps. */
static void check_next(struct check *c)
{
	uint32_t chain = trace_chain_at(c->trace, c->next);

	if (chain != c->chain)
		enter_chain(c, chain);
	if (!c->walk.chain || rules_totals_run(c) == TASK_DONE)
		check_step(c);
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

void check_keep(struct check *c, size_t most)
{
	c->keep = most;
}

void check_free(struct check *c)
{
	if (!c)
		return;
	if (c->visit)
		end_visit(c);
	findings_clear(&c->findings);
	mem_free(c->findings.items);
	mem_free((char *)c->given_page.p);
	buf_done(&c->page);
	dedup_set_done(&c->seen);
	failures_done(&c->failures);
	mem_free(c->gaps);
	mem_free(c->walk.levels);
	compiled_done(&c->compiled);
	mem_free(c);
}

enum task_state check_run(struct check *c, uint64_t deadline)
{
	if (!c->begun)
		check_registry(c);
	c->begun = true;
	while (c->next < c->trace->order_count) {
		check_next(c);
		if (clock_passed(deadline))
			break;
	}
	return c->next == c->trace->order_count ? TASK_DONE : TASK_MORE;
}

size_t check_done_steps(const struct check *c)
{
	return c->next;
}

const struct findings *check_findings(const struct check *c)
{
	return &c->findings;
}

void check_forget(struct check *c)
{
	findings_clear(&c->findings);
}
