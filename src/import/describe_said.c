/* What a step says: the pieces of a format file (see describe.h). */
#include "config.h"
#include "import/maker.h"

#include <stddef.h>

/* ---- pieces ---- */

struct said_pieces maker_said(
	struct description_maker *m, const char *member, struct jv v, unsigned depth);

static const struct {
	const char *word;
	enum piece_kind kind;
} piece_words[] = {
	{"messages", PIECE_MESSAGES},
	{"text", PIECE_TEXT},
	{"thinking", PIECE_THINKING},
	{"call", PIECE_CALL},
	{"result", PIECE_RESULT},
	{"image", PIECE_IMAGE},
	{"json", PIECE_JSON},
	{"patch", PIECE_PATCH},
	{"tools", PIECE_TOOLS},
	{"parameters", PIECE_PARAMETERS},
	{"each", PIECE_EACH},
	{"tree", PIECE_TREE},
};
#define PIECE_WORDS (sizeof(piece_words) / sizeof(*piece_words))

static bool read_kind(struct description_maker *m, const char *member,
	struct said_piece *p, struct jv v)
{
	for (size_t i = 0; i < PIECE_WORDS; i++) {
		struct jv at = jv_member(v, piece_words[i].word);

		if (at.kind == J_NONE)
			continue;
		p->kind = piece_words[i].kind;
		p->at = maker_places(m, member, at);
		return true;
	}
	if (jv_member(v, "first").kind == J_ARRAY) {
		p->kind = PIECE_FIRST;
		return true;
	}
	maker_fail(m, member,
		"says nothing: messages, text, call, result, each or the like");
	return false;
}

/* {human: user, "true": user} */
static const struct renamed *read_roles(
	struct description_maker *m, struct jv v, size_t *count)
{
	struct renamed *roles = maker_room(m, jv_count(v, SIZE_MAX), sizeof(*roles));
	struct jv key, role;

	*count = 0;
	for (struct jwalk w = jwalk_of(v);
		v.kind == J_OBJECT && jwalk_next(&w, &key, &role);)
		roles[(*count)++] =
			(struct renamed){jv_keep(key, m->arena), jv_keep(role, m->arena)};
	return roles;
}

/* Words of a piece that are places of values. */
static const struct {
	const char *word;
	size_t at; /* in struct said_piece */
} piece_places[] = {
	{"role_at", offsetof(struct said_piece, role_at)},
	{"sort", offsetof(struct said_piece, sort)},
	{"id", offsetof(struct said_piece, id)},
	{"name", offsetof(struct said_piece, name)},
	{"beside", offsetof(struct said_piece, beside)},
	{"node_id", offsetof(struct said_piece, node_id)},
	{"parent", offsetof(struct said_piece, parent)},
	{"children", offsetof(struct said_piece, children)},
	{"leaf", offsetof(struct said_piece, leaf)},
};

static void read_piece_places(
	struct description_maker *m, struct said_piece *p, struct jv v)
{
	for (size_t i = 0; i < sizeof(piece_places) / sizeof(*piece_places); i++) {
		struct value_places *at =
			(struct value_places *)((char *)p + piece_places[i].at);

		*at = maker_places(
			m, piece_places[i].word, jv_member(v, piece_places[i].word));
	}
}

static const char *const piece_members[] = {"messages", "text", "thinking", "call",
	"result", "image", "json", "patch", "tools", "parameters", "each", "tree", "when", "role",
	"role_at", "roles", "sort", "dialect", "alone", "id", "name", "called", "failed",
	"say", "first", "node_id", "parent", "leaf", "beside", "gather", "joins",
	"children", "free_form", "id_end", NULL};

static struct said_piece read_piece(
	struct description_maker *m, const char *member, struct jv v, unsigned depth)
{
	struct said_piece p = {.kind = PIECE_MESSAGES, .dialect = m->d->dialect};
	struct jv called = jv_member(v, "called"), role = jv_member(v, "role"),
		  dialect = jv_member(v, "dialect"), id_end = jv_member(v, "id_end");
	struct said_pieces inner;

	if (v.kind == J_STRING || v.kind == J_ARRAY) {
		p.at = maker_places(m, member, v);
		return p;
	}
	if (v.kind != J_OBJECT || !read_kind(m, member, &p, v)) {
		maker_fail(m, member, "neither a path nor a mapping");
		return p;
	}
	maker_check(m, member, v, piece_members);
	read_piece_places(m, &p, v);
	p.role = role.kind == J_STRING ? maker_text(m, role) : NULL;
	p.roles = read_roles(m, jv_member(v, "roles"), &p.role_count);
	if (dialect.kind != J_NONE)
		p.dialect = maker_dialect(m, dialect);
	p.when = maker_groups(m, "when", jv_member(v, "when"), NO_NODE);
	p.failed = maker_groups(m, "failed", jv_member(v, "failed"), NO_NODE);
	p.free_form = maker_groups(m, "free_form", jv_member(v, "free_form"), NO_NODE);
	if (id_end.kind == J_STRING)
		p.id_end = str_of(maker_text(m, id_end));
	p.alone = maker_flag(m, "alone", jv_member(v, "alone"));
	p.joins = maker_flag(m, "joins", jv_member(v, "joins"));
	p.gather = maker_texts(m, jv_member(v, "gather"), &p.gather_count);
	if (called.kind == J_STRING)
		p.called = called;
	inner = p.kind == PIECE_FIRST
			? maker_said(m, "first", jv_member(v, "first"), depth + 1)
			: maker_said(m, "say", jv_member(v, "say"), depth + 1);
	p.pieces = inner.pieces;
	p.piece_count = inner.count;
	return p;
}

struct said_pieces maker_said(
	struct description_maker *m, const char *member, struct jv v, unsigned depth)
{
	struct maker_list l;
	struct said_pieces s = {
		.pieces = maker_room(m, maker_begin(&l, v), sizeof(*s.pieces))};
	struct jv item;

	if (depth > 6)
		maker_fail(m, member, "nested too deep");
	while (depth <= 6 && maker_next(&l, &item))
		s.pieces[s.count++] = read_piece(m, member, item, depth);
	return s;
}
