/* What a described step says: see opening.h. */
#include "config.h"
#include "import/opening.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "chat/side.h"
#include "json/json.h"

#define TREE_MOST    100000 /* nodes of a tree of messages that are followed, */
#define TREE_DEEPEST 1000   /* and how deep they may be nested */

struct saying {
	struct message_writer *writer;
	const struct description *d;
	enum prefer side;
	bool open;          /* a message is being written, */
	struct str role;    /* spoken by this one, decoded */
	struct str speaker; /* the role in an `each` where no other is given, or empty */
	bool tool;        /* it is what a tool gave: `role` is not who speaks after it */
	size_t blocks;    /* that were said here, */
	struct jv unread; /* of them the last that nothing could read as messages */
};

static struct jv first_at(struct saying *s, const struct paths *p, struct jv value)
{
	struct jv found = JV_NONE;

	for (size_t i = 0; i < p->count; i++) {
		struct jv v = path_first(
			&p->items[i], value, &s->d->carriers, s->writer->arena);

		if (!jv_empty(v))
			return v;
		if (found.kind == J_NONE)
			found = v;
	}
	return found;
}

static bool tests_hold(struct saying *s, const struct groups *g, struct jv value)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct test_group *group = &g->items[i];
		size_t n = 0;

		while (n < group->count &&
			test_holds(&group->tests[n],
				path_first(&group->tests[n].path, value, &s->d->carriers,
					s->writer->arena)))
			n++;
		if (n == group->count)
			return true;
	}
	return false;
}

/* ---- messages ---- */

static void close_message(struct saying *s)
{
	if (s->open)
		emit_end(s->writer);
	s->open = false;
}

/* The role that a value names, a known one in small letters; or an empty text. */
static struct str role_text(struct saying *s, const struct said_piece *p, struct jv given)
{
	struct str text =
		given.kind == J_STRING ? jv_keep(given, s->writer->arena) : jv_raw(given);
	struct str small = {NULL, text.n};
	char *copy;

	for (size_t i = 0; i < p->role_count; i++)
		if (str_equal(p->roles[i].from, text))
			return p->roles[i].to;
	if (given.kind != J_STRING)
		return (struct str){0};
	small.p = copy = arena_alloc(s->writer->arena, text.n + 1);
	for (size_t i = 0; i < text.n; i++)
		copy[i] = str_small(text.p[i]);
	return role_speaker(small) == SPEAKER_OTHER ? text : small;
}

static struct str role_of(struct saying *s, const struct said_piece *p, struct jv value)
{
	struct jv given = first_at(s, &p->role_at, value);
	struct str named = {0};

	if (p->role_count || (given.kind == J_STRING && !jv_empty(given)))
		named = role_text(s, p, given);
	if (named.n)
		return named;
	if (p->role)
		return str_of(p->role);
	if (p->kind == PIECE_RESULT)
		return STR("tool");
	if (s->speaker.n)
		return s->speaker;
	if (s->open && !s->tool && !p->role_at.count)
		return s->role;
	return side_role(s->side);
}

/* The message that blocks go to: the one that is open, if the same one speaks. */
static void open_message(struct saying *s, struct str role)
{
	s->blocks++;
	if (s->open && str_equal(s->role, role))
		return;
	close_message(s);
	emit_begin(s->writer, json_quoted(role, s->writer->arena), "assistant");
	s->open = true;
	s->tool = str_equal(role, STR("tool"));
	s->role = role;
}

static bool has_speaker(struct jv v)
{
	JV_MEMBERS(f, v.kind == J_ARRAY ? jv_first(v) : v, role, sender, author);
	return f.role.kind == J_STRING || f.sender.kind == J_STRING ||
	       f.author.kind == J_STRING;
}

static void say_json(struct saying *s, struct str role, struct jv value)
{
	if (jv_empty(value) && value.kind != J_NUMBER)
		return;
	open_message(s, role);
	emit_block(s->writer, value);
}

static void say_text(
	struct saying *s, const struct said_piece *p, struct str role, struct jv v)
{
	struct jv text;

	if (v.kind == J_STRING && jv_empty(v))
		return;
	if (v.kind == J_STRING) {
		open_message(s, role);
		if (p->joins)
			emit_text_on(s->writer, v);
		else if (p->kind == PIECE_THINKING)
			emit_thinking(s->writer, v);
		else
			emit_text(s->writer, v);
		return;
	}
	if (v.kind != J_ARRAY) {
		text = v.kind == J_OBJECT ? jv_member(v, "text") : JV_NONE;
		if (text.kind == J_STRING)
			say_text(s, p, role, text);
		else
			say_json(s, role, v);
		return;
	}
	JV_EACH(item, v)
		if (item.kind != J_ARRAY)
			say_text(s, p, role, item);
		else
			say_json(s, role, item);
}

/* [{oldStart, oldLines, newStart, newLines, lines: [" a", "-b", "+c"]}], as tools that
 * edit keep beside their result. */
static void say_patch(
	struct saying *s, const struct said_piece *p, struct jv holder, struct jv hunks)
{
	struct jv path = first_at(s, &p->name, holder);
	AUTO_BUF patch = BUF_INIT;
	size_t head;

	buf_text(&patch, "--- ");
	jv_text(path, &patch);
	buf_text(&patch, "\n+++ ");
	jv_text(path, &patch);
	buf_byte(&patch, '\n');
	head = patch.len;
	JV_EACH(hunk, hunks) {
		JV_MEMBERS(f, hunk, oldStart, oldLines, newStart, newLines, lines);
		buf_text(&patch, "@@ -");
		jv_text(f.oldStart, &patch);
		buf_byte(&patch, ',');
		jv_text(f.oldLines, &patch);
		buf_text(&patch, " +");
		jv_text(f.newStart, &patch);
		buf_byte(&patch, ',');
		jv_text(f.newLines, &patch);
		buf_text(&patch, " @@\n");
		JV_EACH(line, f.lines) {
			jv_text(line, &patch);
			buf_byte(&patch, '\n');
		}
	}
	if (patch.len > head)
		say_text(s, p, role_of(s, p, holder),
			json_quoted(buf_view(&patch), s->writer->arena));
}

/* Says the messages that a dialect, or else the extractor, finds; false: none. */
static bool reads_as_messages(struct saying *s, const struct said_piece *p, struct jv v)
{
	AUTO(chat_done) struct chat chat = {0};

	if (dialect_read(s->writer, p->dialect, v, s->side) ||
		(p->dialect && dialect_read(s->writer, NULL, v, s->side)))
		return true;
	if (!chat_extract(v, s->side, &chat))
		return false;
	for (size_t i = 0; i < chat.count; i++)
		emit_add_raw(s->writer, chat.items[i]);
	return true;
}

static void say_messages(
	struct saying *s, const struct said_piece *p, struct jv holder, struct jv v)
{
	bool given = p->role || p->role_at.count;
	struct str role = role_of(s, p, holder);

	v = unwrap(v, s->writer->arena);
	if (v.kind == J_STRING) {
		say_text(s, &(struct said_piece){.kind = PIECE_TEXT}, role, v);
		return;
	}
	if (jv_empty(v))
		return;
	close_message(s);
	if (p->alone) {
		dialect_read(s->writer, p->dialect, v, s->side);
		return;
	}
	if (given && !has_speaker(v)) {
		struct jv content =
			v.kind == J_OBJECT ? jv_member(v, "content") : JV_NONE;
		struct buf text = BUF_INIT;

		/* it has no speaker of its own: a message of this role */
		buf_byte(&text, '{');
		json_put_text(&text, "role", role);
		json_put(&text, "content", content.kind == J_NONE ? v : content);
		buf_byte(&text, '}');
		if (reads_as_messages(s, p, json_kept(&text, s->writer->arena)))
			return;
	}
	if (reads_as_messages(s, p, v))
		return;
	say_json(s, role, v);
	if (!given)
		s->unread = v;
}

/* ---- calls and results ---- */

/* Some put a number of their own after an id. */
static struct jv id_of(struct saying *s, const struct said_piece *p, struct jv holder)
{
	struct jv id = first_at(s, &p->id, holder);
	const char *end = p->id_end && *p->id_end && id.kind == J_STRING
				  ? memmem(id.p, id.n, p->id_end, strlen(p->id_end))
				  : NULL;
	struct buf cut = BUF_INIT;

	if (!end)
		return id;
	buf_add(&cut, id.p, (size_t)(end - id.p));
	buf_byte(&cut, '"');
	return json_kept(&cut, s->writer->arena);
}

static void say_call(struct saying *s, const struct said_piece *p, struct jv holder,
	struct jv arguments)
{
	struct jv id = id_of(s, p, holder), name = first_at(s, &p->name, holder);

	if (jv_null(name))
		name = p->called;
	if (jv_null(id) && jv_null(name))
		return;
	open_message(s, role_of(s, p, holder));
	(tests_hold(s, &p->free_form, holder) ? emit_text_call : emit_call)(
		s->writer, id, name, arguments);
}

/* What a tool gave, followed by values that are beside it in the file.  `member`: the key
 * that leads to it, which is its id where no other is named. */
static void say_result(struct saying *s, const struct said_piece *p, struct jv holder,
	struct jv member, struct jv content)
{
	struct jv id = p->id.count ? id_of(s, p, holder) : member;
	struct jv name = first_at(s, &p->name, holder), beside;
	struct buf both = BUF_INIT;

	if (jv_null(content))
		return;
	open_message(s, role_of(s, p, holder));
	beside = first_at(s, &p->beside, holder);
	if (!jv_empty(beside)) {
		bool text = content.kind == J_STRING;

		buf_text(&both, text ? "[{\"type\":\"text\",\"text\":" : "[");
		json_copy_value(&both, content);
		buf_text(&both, text ? "}," : ",");
		json_copy_value(&both, beside);
		buf_byte(&both, ']');
		content = json_kept(&both, s->writer->arena);
	}
	emit_result(s->writer, id, name, content, tests_hold(s, &p->failed, holder));
}

/* ---- texts at any depth: of the tree of an editor only what is read ---- */

#define GATHER_DEEPEST 128

/* Adds the texts under these names; false: there is none.  A text beside which
 * `lineBreakBefore` is true begins a line.  Linear in the value, times its depth. */
static bool gather(
	struct buf *out, const struct file_texts *names, struct jv value, unsigned depth)
{
	bool found = false;

	JV_PAIRS(key, item, depth == GATHER_DEEPEST ? JV_NONE : value) {
		bool named = false;

		if (item.kind != J_STRING)
			found |= gather(out, names, item, depth + 1);
		for (size_t i = 0; key.kind == J_STRING && i < names->count; i++)
			named |= jv_is(key, names->items[i]);
		if (!named || item.kind != J_STRING)
			continue;
		if (out->len > 1 && jv_member(value, "lineBreakBefore").kind == J_TRUE)
			buf_text(out, "\\n");
		json_copy_body(out, item);
		found = true;
	}
	return found;
}

/* ---- pieces ---- */

static void say_pieces(struct saying *s, const struct said_pieces *said, struct jv value);

/* The pieces of one value of an `each`.  A role there is that of all its pieces. */
static void say_inner(struct saying *s, const struct said_piece *p, struct jv v)
{
	struct str speaker = s->speaker;
	bool given = p->role || p->role_at.count, apart = given;

	for (size_t i = 0; i < p->inner.count; i++)
		apart |= p->inner.items[i].role || p->inner.items[i].role_at.count;
	if (given)
		s->speaker = role_of(s, p, v);
	if (apart)
		close_message(s);
	say_pieces(s, &p->inner, v);
	if (apart)
		close_message(s);
	s->speaker = speaker;
}

struct each {
	struct saying *s;
	const struct said_piece *piece;
	struct jv holder;
	size_t said;
	struct jv member; /* whose value it is, where the path goes over members */
};

/* One value that a piece finds. */
static bool say_value(void *ctx, struct jv v)
{
	struct each *e = ctx;
	struct saying *s = e->s;
	const struct said_piece *p = e->piece;

	if (jv_null(v) && p->kind != PIECE_CALL)
		return true;
	e->said++;
	if (p->gather.count) {
		AUTO_BUF text = BUF_INIT;
		bool found;

		buf_byte(&text, '"');
		found = gather(&text, &p->gather, v, 0);
		buf_byte(&text, '"');
		v = found ? json_kept(&text, s->writer->arena) : v;
	}
	switch (p->kind) {
	case PIECE_MESSAGES:
		say_messages(s, p, e->holder, v);
		break;
	case PIECE_TEXT:
	case PIECE_THINKING:
		say_text(s, p, role_of(s, p, e->holder), v);
		break;
	case PIECE_CALL:
		say_call(s, p, e->holder, v);
		break;
	case PIECE_RESULT:
		say_result(s, p, e->holder, e->member, v);
		break;
	case PIECE_IMAGE:
		if (v.kind != J_STRING)
			break;
		open_message(s, role_of(s, p, e->holder));
		emit_image_url(s->writer, v);
		break;
	case PIECE_JSON:
		say_json(s, role_of(s, p, e->holder), v);
		break;
	case PIECE_PATCH:
		say_patch(s, p, e->holder, v);
		break;
	case PIECE_TOOLS:
		s->writer->tools = side_open_string(v, s->writer->arena);
		break;
	case PIECE_PARAMETERS:
		s->writer->parameters = side_open_string(v, s->writer->arena);
		break;
	case PIECE_EACH:
		say_inner(s, p, v);
		break;
	case PIECE_TREE:
	case PIECE_FIRST:
		break;
	}
	return true;
}

/* ---- in an order of their own ---- */

struct sortable {
	struct jv value;
	double key;
	size_t place;
};

struct message_sort {
	struct saying *s;
	const struct said_piece *piece;
	struct sortable *items;
	size_t count, cap;
};

static bool sort_take(void *ctx, struct jv value)
{
	struct message_sort *t = ctx;
	double key = described_time(first_at(t->s, &t->piece->sort, value));

	MEM_ROOM(t->items, t->cap, t->count + 1);
	t->items[t->count] = (struct sortable){value, isnan(key) ? 0 : key, t->count};
	t->count++;
	return true;
}

static int by_key(const void *a, const void *b)
{
	const struct sortable *x = a, *y = b;

	if (x->key < y->key || x->key > y->key)
		return x->key < y->key ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Lists whose newest comes first are turned round, so that equal ones are, too. */
static void say_sorted(struct each *e, struct jv value)
{
	struct message_sort t = {.s = e->s, .piece = e->piece};
	struct path_reading r = {.carriers = &e->s->d->carriers,
		.arena = e->s->writer->arena,
		.found = sort_take,
		.ctx = &t};

	for (size_t i = 0; i < e->piece->at.count && !t.count; i++)
		path_each(&e->piece->at.items[i], value, &r);
	if (t.count && t.items[0].key > t.items[t.count - 1].key)
		for (size_t i = 0; i < t.count; i++)
			t.items[i].place = t.count - i;
	if (t.count)
		qsort(t.items, t.count, sizeof(*t.items), by_key);
	for (size_t i = 0; i < t.count; i++)
		say_value(e, t.items[i].value);
	mem_free(t.items);
}

/* ---- trees of messages ---- */

struct message_node {
	struct jv value;   /* without the nodes within it */
	struct jv key;     /* that leads to it, its id if it has no other */
	uint32_t depth;    /* nodes that it is in */
	uint32_t parent;   /* 0: none of the file */
	uint32_t child;    /* the first, */
	uint32_t last;     /* and the last of its children; 0: it has none */
	uint32_t next;     /* of its parent's children */
	uint32_t number;   /* among them, from 1, */
	uint32_t children; /* and how many it has itself */
	uint32_t branch;   /* the node of several that it stands below, or is */
	bool active;       /* on the branch that ends at the leaf */
};

/* The nodes of a tree: those of an array, the members of an object, and those that are
 * held by nodes.  All are below number 0, which is no node of the file. */
struct tree {
	struct saying *s;
	const struct said_piece *piece;
	struct idmap ids;
	struct message_node *nodes;
	size_t count, cap;
};

static void add_node(struct tree *t, struct jv value, struct jv key, uint32_t holder)
{
	uint32_t depth = holder ? t->nodes[holder].depth + 1 : 0;

	*MEM_ADD(t->nodes, t->count, t->cap) = (struct message_node){
		.value = value, .key = key, .depth = depth, .parent = holder};
}

/* The value without the nodes in it: what is said of it is looked for in it often. */
static struct jv without_nodes(struct jv value, struct jv nodes, struct arena *arena)
{
	const char *end = value.p + value.n;
	struct buf text = BUF_INIT;

	if (nodes.p <= value.p || nodes.p >= end || nodes.n > (size_t)(end - nodes.p))
		return value;
	buf_add(&text, value.p, (size_t)(nodes.p - value.p));
	buf_text(&text, nodes.kind == J_ARRAY ? "[]" : "{}");
	buf_add(&text, nodes.p + nodes.n, (size_t)(end - nodes.p) - nodes.n);
	return json_kept(&text, arena);
}

static void read_nodes(struct tree *t, struct jv nodes)
{
	struct jv key, node, id;

	add_node(t, JV_NONE, JV_NONE, 0);
	for (uint32_t holder = 0; holder < t->count; holder++) {
		if (holder) { /* the nodes within it are taken out of its value */
			struct message_node *n = &t->nodes[holder];

			nodes = n->depth < TREE_DEEPEST
					? first_at(t->s, &t->piece->children, n->value)
					: JV_NONE;
			if (nodes.kind == J_ARRAY || nodes.kind == J_OBJECT)
				n->value = without_nodes(
					n->value, nodes, t->s->writer->arena);
			id = first_at(t->s, &t->piece->node_id, n->value);
			id = jv_null(id) ? n->key : id;
			if (!jv_null(id))
				idmap_add(&t->ids, jv_hash(id), holder);
		}
		for (struct jwalk w = jwalk_of(nodes);
			t->count < TREE_MOST && jwalk_next(&w, &key, &node);)
			add_node(t, node, key, holder);
	}
}

/* Where no node names another one, each goes on from the one before it.  No node is its
 * own ancestor. */
static void find_parents(struct tree *t)
{
	bool named = t->piece->children.count > 0;
	AUTO_FREE uint32_t *seen = mem_zalloc(t->count, sizeof(*seen));

	for (size_t i = 1; i < t->count; i++) {
		struct message_node *n = &t->nodes[i];
		struct jv parent = first_at(t->s, &t->piece->parent, n->value);
		uint32_t found =
			jv_null(parent) ? MAP_NONE : idmap_find(&t->ids, jv_hash(parent));

		named |= !jv_null(parent);
		if (!n->parent && found != MAP_NONE)
			n->parent = found;
	}
	for (size_t i = 2; i < t->count && !named; i++)
		t->nodes[i].parent = (uint32_t)i - 1;
	for (uint32_t i = 1; i < t->count; i++)
		for (uint32_t at = i; at && !seen[at]; at = t->nodes[at].parent) {
			seen[at] = i;
			if (seen[t->nodes[at].parent] == i)
				t->nodes[at].parent = 0;
		}
}

/* The node where the active branch ends: the one that is named, else the last. */
static uint32_t leaf_node(struct tree *t, struct jv holder)
{
	struct jv leaf = first_at(t->s, &t->piece->leaf, holder);
	uint32_t found = jv_null(leaf) ? MAP_NONE : idmap_find(&t->ids, jv_hash(leaf));

	if (found != MAP_NONE)
		return found;
	if (!t->piece->children.count)
		return (uint32_t)t->count - 1;
	/* nodes within nodes: the last of the last, and so on */
	for (uint32_t i = 1; i < t->count; i++)
		t->nodes[t->nodes[i].parent].last = i;
	for (found = 0; t->nodes[found].last;)
		found = t->nodes[found].last;
	for (uint32_t i = 0; i < t->count; i++)
		t->nodes[i].last = 0;
	return found;
}

#define BRANCH_LEVELS 8 /* of branches in branches that a number names */

/* 2.1: the first within the second. */
static void put_branch(const struct tree *t, uint32_t at, int levels, struct buf *out)
{
	const struct message_node *n = &t->nodes[at];
	uint32_t outer = t->nodes[n->parent].branch;

	if (outer && levels > 1)
		put_branch(t, outer, levels - 1, out);
	buf_printf(out, outer ? ".%u" : "%u", n->number);
}

/* Where a conversation goes on in several ways, each begins with a line that says so. */
static void say_nodes(struct tree *t)
{
	struct message_writer *writer = t->s->writer;

	for (uint32_t at = t->nodes[0].child; at;) {
		struct message_node *n = &t->nodes[at];
		uint32_t children = t->nodes[n->parent].children;

		close_message(t->s);
		n->branch = children < 2 ? t->nodes[n->parent].branch : at;
		if (children > 1) {
			AUTO_BUF text = BUF_INIT;

			buf_text(&text, "\"branch ");
			put_branch(t, at, BRANCH_LEVELS, &text);
			buf_printf(&text, " of %u\"", children);
			/* the role says it all: there is no text */
			emit_begin(writer, jv_parse(buf_view(&text)), "branch");
			emit_end(writer);
		}
		say_pieces(t->s, &t->piece->inner, n->value);
		if (n->child) {
			at = n->child;
			continue;
		}
		while (at && !t->nodes[at].next)
			at = t->nodes[at].parent;
		at = at ? t->nodes[at].next : 0;
	}
	close_message(t->s);
}

static void say_tree(
	struct saying *s, const struct said_piece *p, struct jv holder, struct jv v)
{
	struct tree t = {.s = s, .piece = p};

	read_nodes(&t, v);
	find_parents(&t);
	for (uint32_t at = leaf_node(&t, holder); at; at = t.nodes[at].parent)
		t.nodes[at].active = true;
	/* children in the order of the file, but the one on the active branch last */
	for (int active = 0; active < 2; active++)
		for (uint32_t i = 1; i < t.count; i++) {
			struct message_node *n = &t.nodes[i],
					    *parent = &t.nodes[n->parent];

			if (n->active != active)
				continue;
			if (parent->last)
				t.nodes[parent->last].next = i;
			else
				parent->child = i;
			parent->last = i;
			n->number = ++parent->children;
		}
	say_nodes(&t);
	idmap_done(&t.ids);
	mem_free(t.nodes);
}

static void say_piece(struct saying *s, const struct said_piece *p, struct jv value)
{
	struct each e = {s, p, value, 0, JV_NONE};
	struct path_reading r = {
		&s->d->carriers, s->writer->arena, say_value, &e, &e.member};

	if (p->when.count && !tests_hold(s, &p->when, value))
		return;
	if (p->kind == PIECE_TREE) {
		struct jv nodes = first_at(s, &p->at, value);

		if (!jv_null(nodes))
			say_tree(s, p, value, nodes);
		return;
	}
	if (p->kind == PIECE_FIRST) {
		size_t said;

		close_message(s); /* else its end would count as said */
		said = s->writer->out.len;
		for (size_t i = 0; i < p->inner.count && s->writer->out.len == said; i++)
			say_piece(s, &p->inner.items[i], value);
		return;
	}
	if (p->sort.count) {
		say_sorted(&e, value);
		return;
	}
	for (size_t i = 0; i < p->at.count && !e.said; i++)
		if (i + 1 == p->at.count || !jv_empty(path_first(&p->at.items[i], value,
						    &s->d->carriers, s->writer->arena)))
			path_each(&p->at.items[i], value, &r);
	if (!e.said && p->kind == PIECE_CALL)
		say_call(s, p, value, JV_NONE);
}

static void say_pieces(struct saying *s, const struct said_pieces *said, struct jv value)
{
	for (size_t i = 0; i < said->count; i++)
		say_piece(s, &said->items[i], value);
}

void say(struct message_writer *writer, const struct description *d,
	const struct said_pieces *said, struct jv value, enum prefer side)
{
	struct saying s = {.writer = writer, .d = d, .side = side};

	say_pieces(&s, said, value);
	close_message(&s);
}

/* ---- sides ---- */

/* The one value that a side is, if a single plain piece gives one; else J_NONE. */
static struct jv only_value(
	struct saying *s, const struct said_pieces *said, struct jv value)
{
	struct jv only = JV_NONE;

	for (size_t i = 0; i < said->count; i++) {
		const struct said_piece *p = &said->items[i];
		struct jv v = first_at(s, &p->at, value);

		if (p->kind == PIECE_FIRST || p->alone)
			return JV_NONE;
		if (jv_null(v) || (p->when.count && !tests_hold(s, &p->when, value)))
			continue;
		if (p->kind != PIECE_MESSAGES || p->role || p->role_at.count ||
			only.kind != J_NONE)
			return JV_NONE;
		only = v;
	}
	return unwrap(only, s->writer->arena);
}

void side_of_writer(struct side *side, struct message_writer *writer, struct jv value,
	enum prefer prefer)
{
	*side = (struct side){.prefer = prefer};
	if (writer->count)
		side_of_messages(side, emit_take(writer), value, prefer);
}

void say_side(struct side *side, struct message_writer *writer,
	const struct description *d, const struct said_pieces *said, struct jv value,
	enum prefer prefer, struct arena *arena)
{
	struct saying s = {.writer = writer, .d = d, .side = prefer};
	const struct dialect *dialect = said->count ? said->items[0].dialect : NULL;
	struct jv only = only_value(&s, said, value);

	if (only.kind != J_NONE && !dialect_read(writer, dialect, only, prefer) &&
		!(dialect && dialect_read(writer, NULL, only, prefer))) {
		side_read(side, only, JV_NONE, prefer, arena);
		return;
	}
	if (only.kind == J_NONE) {
		say_pieces(&s, said, value);
		close_message(&s);
	}
	if (writer->count == 1 && s.blocks == 1 && s.unread.kind != J_NONE) {
		emit_take(writer);
		side_read(side, s.unread, JV_NONE, prefer, arena);
		return;
	}
	side_of_writer(side, writer, value, prefer);
}
