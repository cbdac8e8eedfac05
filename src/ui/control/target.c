/* See controllers.h. */
#include "config.h"
#include "ui/control/controllers.h"

#include "base/mem.h"
#include "export/export.h"
#include "json/route.h"
#include "sessions/sessions.h"
#include "view/pieces.h"
#include "view/tree.h"

/* A place of a document, and what is asked of it. */
struct under {
	struct app *app;
	struct doc *d;
	size_t at;
	const struct block *b; /* NULL: the cursor is on none */
	struct jv message;     /* J_NONE: it is in none */
	/* the step that it belongs to; NULL: none, or it is not open yet */
	struct step_content *opened;
	struct reading *reading;
	uint32_t step;
	bool in_step; /* it is in one of its sides */
	struct buf *out;
	const char *ending;
};

static struct under find(struct app *app, struct buf *out)
{
	enum pane_id focus = screen_focus(app);
	struct doc *d = pane_doc(&app->screen.panes[focus]);
	struct under u = {.app = app,
		.d = d,
		.at = d->places[0].block,
		.opened = app->step.opened,
		.reading = app->step.reading,
		.step = app->step.index,
		.out = out,
		.ending = ".txt"};
	size_t head;

	if (u.at >= d->count)
		return u;
	u.b = &d->blocks[u.at];
	head = doc_head(d, u.at);
	if (head != SIZE_MAX)
		u.message = d->blocks[head].value;
	if (focus == PANE_TRANSCRIPT) { /* each block may be of another step */
		doc_enter(d, u.b->section);
		u.reading = ((const struct side_reading *)d->context)->reading;
		u.opened = u.reading->opened;
		u.step = transcript_step(app);
	}
	u.in_step = focus == PANE_TRANSCRIPT ||
		    (u.opened && (focus == PANE_INPUT || focus == PANE_OUTPUT));
	return u;
}

static bool holds(struct jv outer, struct jv inner)
{
	return outer.n && inner.p >= outer.p && inner.p + inner.n <= outer.p + outer.n;
}

/* ---- parts ---- */

/* Whether a block shows something of a part: its bytes, or its words. */
static bool belongs(const struct block *b, const struct part *p)
{
	AUTO_BUF words = BUF_INIT;

	if (b->value.n && holds(p->raw, b->value))
		return true;
	if (p->body.kind != J_STRING || !b->text.n)
		return false;
	jv_decode(p->body, &words);
	return words.len && memmem(words.data, words.len, b->text.p, b->text.n);
}

/* The part that a block around the cursor shows, else the one of the message to which the
 * cursor's belongs. */
static bool find_part(const struct under *u, struct part *part)
{
	struct parts parts = {0};
	size_t found = 0;

	for (size_t i = u->at; i != SIZE_MAX; i = doc_parent(u->d, i))
		if (piece_of(&u->d->blocks[i])) {
			*part = *piece_of(&u->d->blocks[i]);
			return true;
		}
	if (!u->message.n || u->b->head)
		return false;
	parts = parts_read(u->message, &u->d->arena);
	PARTS_EACH(p, &parts)
		if (parts.count == 1 || belongs(u->b, p)) {
			*part = *p;
			found++;
		}
	parts_done(&parts);
	return found == 1;
}

const struct part *target_media(struct app *app)
{
	struct under u = find(app, NULL);
	const struct part *found = NULL, *part;
	size_t head, count = 0;

	if (!u.in_step)
		return NULL;
	if (piece_media(u.b))
		return piece_media(u.b);
	head = doc_head(u.d, u.at);
	for (size_t i = head == SIZE_MAX ? 0 : head + 1;
		i < u.d->count && !u.d->blocks[i].head; i++)
		if ((part = piece_media(&u.d->blocks[i])) && !part->remote) {
			found = part;
			count++;
		}
	return count == 1 ? found : NULL;
}

/* ---- texts ---- */

/* Whose message it is, if that does not say it. */
static enum prefer side_of(const struct under *u)
{
	const struct side_reading *side = u->in_step ? u->d->context : NULL;

	return side && !side->input ? PREFER_OUTPUT : PREFER_INPUT;
}

/* Of the call that the cursor is on, or the only one of its message; on the list the only
 * one that its step answered.  As they are meant: JSON in a string is what the string
 * says. */
static const char *put_arguments(struct under *u)
{
	const struct step_content *o = u->app->step.opened;
	AUTO_ARENA arena = {0};
	struct part call = {0};
	size_t found = 0;

	if (screen_focus(u->app) == PANE_STEPS) {
		bool chat = o && !o->shared && o->output.view == SIDE_CHAT;

		for (size_t i = 0; chat && i < o->output.chat.count; i++)
			found +=
				written_only_call(o->output.chat.items[i], &call, &arena);
	} else if (u->b && find_part(u, &call) && call.kind == PART_CALL) {
		found = 1;
	} else if (u->message.n) {
		found = written_only_call(u->message, &call, &arena);
	}
	if (found != 1)
		return "no call here, or more than one";
	if (!call.body.n)
		return "the call has no arguments";
	jv_text(call.body, u->out);
	u->ending = ".json";
	return NULL;
}

/* ---- the way to it ---- */

static bool put_way(const struct under *u, struct jv v);

/* The way to a node of a tree below a string that was opened there: the way to that
 * string, and on from what it holds.  False: there is no such string. */
static bool put_way_on(const struct under *u, struct jv v)
{
	struct under above = *u;
	size_t before = u->out->len;
	struct jv decoded = JV_NONE;
	unsigned strings = 0;

	while (decoded.kind == J_NONE || !holds(decoded, v)) {
		above.at = doc_parent(u->d, above.at);
		if (above.at == SIZE_MAX)
			return false;
		decoded = tree_decoded(u->d, above.at, &strings);
	}
	above.b = &u->d->blocks[above.at];
	if (!put_way(&above, above.b->value))
		return false;
	while (strings--)
		buf_text(u->out, u->out->len > before ? " | fromjson" : "fromjson");
	buf_text(u->out, " | ");
	if (route_put(u->out, decoded, v.p))
		return true;
	u->out->len = before;
	return false;
}

/* From the step to a value, through the strings it was decoded from. */
static bool put_way(const struct under *u, struct jv v)
{
	struct jv step = step_content_value(u->opened), outer = v, m = u->message;
	size_t before = u->out->len, offset;
	struct str piece;

	if (holds(step, v))
		return route_put(u->out, step, v.p);
	if (put_way_on(u, v))
		return true;
	/* the largest value of a block around it whose text it is in */
	for (size_t i = u->at; i != SIZE_MAX; i = doc_parent(u->d, i))
		if (holds(u->d->blocks[i].value, outer))
			outer = u->d->blocks[i].value;
	if (holds(m, outer))
		outer = m;
	if (holds(u->opened->input.value, outer))
		outer = u->opened->input.value;
	if (holds(u->opened->output.value, outer))
		outer = u->opened->output.value;
	piece = (struct str){outer.p, outer.n};
	offset = (size_t)(v.p - outer.p);
	if (!holds(step, m) || !m.n)
		return route_put_nested(u->out, step, piece, offset);
	route_put(u->out, step, m.p);
	buf_text(u->out, u->out->len > before ? " | " : "");
	if (route_put_nested(u->out, m, piece, offset))
		return true;
	u->out->len = before;
	return false;
}

static const char *put_path(struct under *u)
{
	struct trace *trace = u->app->trace;
	const struct part *piece = u->b ? piece_of(u->b) : NULL;
	struct part part;
	struct jv v;

	if (!u->opened)
		return "no step here";
	if (trace_flags(trace, u->step) & (STEP_SSE | STEP_LINES))
		return "put together from events: nothing in the file has its path";
	if (trace_flags(trace, u->step) & (STEP_BROKEN | STEP_REPAIRED | STEP_CUT))
		return "the step is no sound JSON: no path leads into it";
	if (!u->in_step) /* on the list: the step itself */
		return NULL;
	/* what has a way: the value as it stands in the text, not what was decoded from
	 * it */
	if (piece && piece->body.n)
		v = piece->body;
	else if (u->b->value.n)
		v = u->b->value;
	else if (find_part(u, &part))
		v = part.body.n ? part.body : part.raw;
	else
		v = u->message;
	if (!v.n)
		return "nothing of the file stands here";
	return put_way(u, v) ? NULL : "its path cannot be told";
}

/* ---- units: each is put, or the answer is why not ---- */

/* Of the session that the step is in, as far as its folder is known by the step. */
static void put_resume(struct under *u)
{
	const struct trace *t = u->app->trace;
	const struct step_content *o = u->opened;
	const struct chain *c =
		o ? &t->chains[trace_chain_at(t, trace_position(t, u->step))] : NULL;
	AUTO_BUF folder = BUF_INIT;

	if (!c || c->generated)
		return;
	if (o->facts.v[FACT_CWD].kind == J_STRING)
		jv_text(o->facts.v[FACT_CWD], &folder);
	(void)resume_put(trace_chain_format(t, c), trace_text(t, c->trace_id),
		str_of(inputs_name_at(t->inputs, trace_step(t, u->step).offset)),
		buf_view(&folder), u->out);
}

/* What is shown of a side, unfolded and not wrapped; on the list of the output; of
 * another document its rows, as they are wrapped there.  Linear in its rows. */
static const char *put_view(struct under *u, bool list)
{
	const struct step_content *o = u->opened;
	struct buf *out = u->out;
	struct place p = {0, 0};
	bool more = !u->in_step && !list && u->d->count;
	size_t line;

	if (more)
		doc_settle(u->d, &p);
	for (more = more && doc_rows(u->d, p.block); more; more = doc_down(u->d, &p, 1)) {
		const struct lines *ls = doc_line(u->d, p, &line);

		lines_plain(ls, line, out);
		while (out->len && out->data[out->len - 1] == ' ')
			out->len--;
		buf_byte(out, '\n');
	}
	if ((u->in_step || list) && !o)
		return "no step here";
	if (u->in_step || list)
		export_side(out, u->app->trace, u->step, u->reading,
			o->shared || (u->in_step && side_of(u) == PREFER_INPUT));
	return out->len ? NULL : "nothing to copy here";
}

static const char *put(struct under *u, enum unit unit)
{
	const struct step_content *o = u->opened;
	const char *empty = "nothing to copy here";
	bool list = screen_focus(u->app) == PANE_STEPS;
	struct part part;
	struct jv v;

	if (!u->b && list && (unit == UNIT_RAW || unit == UNIT_CURSOR))
		unit = UNIT_STEP;
	if (!u->b && (unit == UNIT_MESSAGE || unit == UNIT_PART) && list)
		return "no message here: the keys are in the list";
	if (!u->b && (unit == UNIT_MESSAGE || unit == UNIT_PART || unit == UNIT_RAW ||
			     unit == UNIT_CURSOR))
		return empty;
	switch (unit) {
	case UNIT_STEP:
		if (!o)
			return "no step here";
		buf_str(u->out, o->text);
		u->ending = ".json";
		return NULL;
	case UNIT_INPUT:
	case UNIT_OUTPUT:
		if (!o)
			return "no step here";
		written_side(
			u->out, unit == UNIT_INPUT || o->shared ? &o->input : &o->output);
		u->ending = ".md";
		break;
	case UNIT_VIEW:
		return put_view(u, list);
	case UNIT_ARGUMENTS:
		return put_arguments(u);
	case UNIT_PATH:
	case UNIT_JQ:
		return put_path(u);
	case UNIT_RAW:
		v = u->b->value;
		if (!v.n && !find_part(u, &part))
			return "no single part of a message here";
		v = v.n ? v : part.raw;
		buf_add(u->out, v.p, v.n);
		u->ending = ".json";
		return NULL;
	case UNIT_MESSAGE:
		if (!u->message.n)
			return "no message here";
		empty = "the message says nothing";
		written_message(u->out, u->message, side_of(u));
		u->ending = ".md";
		break;
	case UNIT_PART:
		if (!find_part(u, &part))
			return "no single part of a message here";
		empty = "the part says nothing";
		written_part(u->out, &part);
		u->ending = part.kind == PART_CALL || part.kind == PART_JSON ? ".json"
									     : ".md";
		break;
	case UNIT_CURSOR:
		doc_copy_text(u->d, u->at, u->out);
		if (u->b->value.kind == J_OBJECT || u->b->value.kind == J_ARRAY)
			u->ending = ".json";
		else if (u->b->role == ROLE_TEXT)
			u->ending = ".md";
		break;
	case UNIT_RESUME:
		empty = "no command that goes on with this session is known";
		put_resume(u);
		break;
	case UNIT_CURL: /* made by ui/actions/copy */
	case UNITS_END:
		break;
	}
	return u->out->len ? NULL : empty;
}

const char *target_take(
	struct app *app, enum unit unit, struct buf *out, const char **ending)
{
	struct under u;
	const char *why;

	if (session_list_is_on(app)) {
		*ending = "";
		if (session_list_put(app, unit == UNIT_RESUME, out))
			return NULL;
		return unit == UNIT_RESUME ? "no command that goes on with it is known"
					   : "no session is here";
	}
	u = find(app, out);
	why = put(&u, unit);
	*ending = u.ending;
	return why;
}

uint32_t target_step(struct app *app)
{
	struct under u = find(app, NULL);

	return u.opened ? u.step : NO_STEP;
}
