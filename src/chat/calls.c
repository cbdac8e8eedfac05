/*
 * Tool uses as the document has them: patterns 1 to 6, their arguments and ids (see
 * reader.h).  What else vendors call a call is asked of vendors.c, where only calls
 * stand.
 */
#include "config.h"
#include "chat/reader.h"

#include "base/stop.h"

/* The call that has this one's name, and the id by which its result is found. */
static struct part *find_twin(
	struct item_reader *r, const struct part *call, uint64_t hash)
{
	uint32_t at = idmap_find(&r->calls, hash);
	struct part *old = at == MAP_NONE ? NULL : &r->parts->whole[at];

	if (!old || !jv_same_text(old->name, call->name) ||
		!jv_same_text(old->link, call->link))
		return NULL;
	return old;
}

void call_add(struct item_reader *r, struct part call)
{
	struct part *old;
	uint64_t hash;

	call.kind = PART_CALL;
	if (call.link.kind == J_NONE)
		call.link = call.id;
	if (call.link.kind == J_NONE) {
		reader_add(r, call);
		return;
	}
	hash = jv_hash_pair(call.name, call.link);
	old = find_twin(r, &call, hash);
	if (!old) {
		idmap_add(&r->calls, hash, (uint32_t)r->parts->whole_count);
		reader_add(r, call);
		return;
	}
	if (old->body.kind == J_NONE || (old->foreign_body && !call.foreign_body)) {
		old->body = call.body;
		old->foreign_body = call.foreign_body;
	}
	old->foreign = old->foreign && (call.foreign || r->foreign);
}

static bool looks_like_call(const struct item_node *n)
{
	if (is_object(n->v[TOOL_USE_CAMEL]) || is_object(n->v[TOOL_USE]) ||
		is_object(n->v[FUNCTION]))
		return true;
	if (node_is_type(n, STR("tool_use")) || node_is_type(n, STR("function")) ||
		node_is_type(n, STR("tool_call")))
		return true;
	return is_text(n->v[NAME]) &&
	       node_first(n, is_there, INPUT, ARGUMENTS, PARAMETERS, FIELD_COUNT).kind !=
		       J_NONE;
}

/* An item, what it wraps, and the function in either: where a call's facts stand. */
struct call_nodes {
	struct item_node nodes[3];
	unsigned count;
};

static void follow(struct call_nodes *c, struct jv object)
{
	if (is_object(object))
		node_read(&c->nodes[c->count++], object);
}

static void call_nodes_read(struct call_nodes *c, const struct item_node *item)
{
	c->nodes[0] = *item;
	c->count = 1;
	follow(c, node_first(item, is_object, TOOL_USE_CAMEL, TOOL_USE, FIELD_COUNT));
	if (is_object(item->v[FUNCTION]))
		follow(c, item->v[FUNCTION]);
	else
		follow(c, c->nodes[c->count - 1].v[FUNCTION]);
}

static struct jv call_id(const struct call_nodes *c)
{
	static const unsigned char order[] = {
		ID, TOOL_USE_ID_CAMEL, TOOL_USE_ID, CALL_ID, TOOL_CALL_ID};

	for (size_t i = 0; i < sizeof(order); i++)
		for (unsigned k = 0; k < c->count; k++)
			if (is_id(c->nodes[k].v[order[i]]))
				return c->nodes[k].v[order[i]];
	return JV_NONE;
}

void call_arguments(struct part *call, const struct item_node *data)
{
	call->body =
		node_first(data, is_filled, INPUT, ARGUMENTS, PARAMETERS, FIELD_COUNT);
	if (call->body.kind != J_NONE)
		return;
	call->body = node_first(data, is_filled, ARGS, FIELD_COUNT);
	call->foreign_body = call->body.kind != J_NONE;
}

bool call_find(struct part *call, const struct item_node *item)
{
	struct call_nodes c;

	if (!looks_like_call(item))
		return false;
	call_nodes_read(&c, item);
	*call = (struct part){.kind = PART_CALL, .raw = item->object};
	call->name = c.nodes[c.count - 1].v[NAME];
	if (!is_text(call->name))
		return false;
	call->id = call_id(&c);
	call->link = node_first(item, is_id, CALL_ID, FIELD_COUNT);
	call_arguments(call, &c.nodes[c.count - 1]);
	return true;
}

bool call_read(struct item_reader *r, const struct item_node *item)
{
	struct part call;

	if (!call_find(&call, item))
		return false;
	call_add(r, call);
	if (!result_looks(item))
		vendor_read_outcome(r, item,
			call.link.kind == J_NONE ? call.id : call.link, call.name);
	return true;
}

/* What stands among the `tool_calls` of a message, or is its `function_call`. */
static void call_read_entry(struct item_reader *r, struct jv entry)
{
	struct item_node n;

	node_read(&n, entry);
	if (!call_read(r, &n) && !vendor_read_named(r, &n) && !vendor_read_call(r, &n) &&
		!jv_null(entry))
		reader_add_json(r, entry);
}

void calls_read(struct item_reader *r, const struct item_node *message)
{
	struct jv entry;

	if (message->v[TOOL_CALLS].kind == J_ARRAY) {
		for (struct jwalk w = jwalk_of(message->v[TOOL_CALLS]);
			jwalk_next(&w, NULL, &entry) && !stop_wanted(entry.n);)
			call_read_entry(r, entry);
	}
	if (is_object(message->v[FUNCTION_CALL]))
		call_read_entry(r, message->v[FUNCTION_CALL]);
}
