/* See touched.h. */
#include "config.h"
#include "analysis/touched.h"

#include "analysis/calls.h"
#include "base/mem.h"
#include "base/work.h"
#include "import/open.h"

#define KEPT (16u << 20) /* bytes of texts */

struct touched *touched_new(struct trace *trace, size_t chain)
{
	struct touched *t = mem_zalloc(1, sizeof(*t));

	t->trace = trace;
	t->first = t->at = trace->chains[chain].first;
	t->end = t->at + trace->chains[chain].count;
	t->keep = KEPT;
	return t;
}

void touched_free(struct touched *t)
{
	if (!t)
		return;
	call_walk_done(&t->walk);
	step_content_free(t->opened);
	arena_done(&t->texts);
	calls_done(&t->known);
	idmap_done(&t->names);
	idmap_done(&t->told);
	mem_free(t->by_item);
	mem_free(t->before);
	mem_free(t->open);
	mem_free(t->files);
	mem_free(t->touches);
	mem_free(t->calls);
	mem_free(t);
}

bool touched_done(const struct touched *t)
{
	return t->at >= t->end;
}

/* ---- files ---- */

static bool is_absolute(struct str path)
{
	return path.n &&
	       (path.p[0] == '/' || path.p[0] == '~' || (path.n > 1 && path.p[1] == ':'));
}

/* Whether a path ends with another one, from the beginning of a name on. */
static bool ends_with_path(struct str path, struct str tail)
{
	return path.n > tail.n && str_ends(path, tail) &&
	       path.p[path.n - tail.n - 1] == '/';
}

/* The file that a path names: "src/a.c" is "/w/src/a.c" if no other file of the chain
 * ends so.  Linear in the files of that name. */
static uint32_t find_file(const struct touched *t, uint32_t last, struct str path)
{
	bool absolute = is_absolute(path);
	uint32_t found = MAP_NONE, count = 0;

	for (uint32_t i = last; i != MAP_NONE; i = t->before[i]) {
		struct str known = t->files[i].path;

		if (str_equal(known, path))
			return i;
		if (is_absolute(known) != absolute &&
			(absolute ? ends_with_path(path, known)
				  : ends_with_path(known, path))) {
			found = i;
			count++;
		}
	}
	return count == 1 ? found : MAP_NONE;
}

static uint32_t add_file(struct touched *t, struct str path)
{
	size_t folder = path.n;
	uint32_t file, head;
	uint64_t name;

	while (folder && path.p[folder - 1] != '/' && path.p[folder - 1] != '\\')
		folder--;
	name = map_hash(str_skip(path, folder));
	head = idmap_find(&t->names, name);
	/* the first of a name stays in the map, and the others hang on it */
	file = find_file(t, head, path);
	if (file != MAP_NONE) {
		if (path.n > t->files[file].path.n)
			t->files[file].path = arena_dup(&t->texts, path);
		return file;
	}
	file = (uint32_t)t->file_count;
	*MEM_ADD(t->files, t->file_count, t->file_cap) = (struct touched_file){
		.path = arena_dup(&t->texts, path), .first = NO_TOUCH, .last = NO_TOUCH};
	MEM_ROOM(t->before, t->before_cap, t->file_count);
	t->before[file] = MAP_NONE;
	if (head == MAP_NONE) {
		idmap_add(&t->names, name, file);
	} else {
		t->before[file] = t->before[head];
		t->before[head] = file;
	}
	return file;
}

/* ---- touches ---- */

static void copy_touch(struct touch *to, const struct touch *x, struct arena *arena)
{
	*to = *x;
	to->path = arena_dup(arena, x->path);
	to->to = arena_dup(arena, x->to);
	to->was = arena_dup(arena, x->was);
	to->is = arena_dup(arena, x->is);
	to->command = arena_dup(arena, x->command);
}

static void add_touch(
	struct touched *t, uint32_t call, uint32_t number, const struct touch *x)
{
	uint32_t file = add_file(t, x->path), index = (uint32_t)t->count;
	size_t size = x->was.n + x->is.n + x->to.n + x->command.n + sizeof(*x);
	struct touched_file *f = &t->files[file];
	struct touch *kept = NULL;
	struct file_touch *touch;

	if (size <= t->keep) {
		t->keep -= size;
		kept = arena_alloc(&t->texts, sizeof(*kept));
		copy_touch(kept, x, &t->texts);
	}
	touch = MEM_ADD(t->touches, t->count, t->cap);
	*touch = (struct file_touch){.file = file,
		.call = call,
		.number = number,
		.next = NO_TOUCH,
		.kind = x->kind,
		.kept = kept};
	touch_lines(x, &touch->added, &touch->removed);
	if (f->last == NO_TOUCH)
		f->first = index;
	else
		t->touches[f->last].next = index;
	f->last = index;
}

static uint32_t add_call(struct touched *t, struct touched_call call)
{
	call.tool = arena_dup(&t->texts, call.tool);
	*MEM_ADD(t->calls, t->call_count, t->call_cap) = call;
	return (uint32_t)t->call_count - 1;
}

static uint64_t hash_of(const struct touch *x)
{
	return dedup_set_mix(dedup_set_mix(map_hash(x->path), map_hash(x->was)),
		dedup_set_mix(map_hash(x->is), x->kind));
}

/* ---- calls ---- */

static void read_call(struct touched *t, const struct part *part)
{
	struct call_walk *w = &t->walk;
	struct touched_call place = {.step = trace_at(t->trace, w->position),
		.position = w->position,
		.input = w->input,
		.message = w->message,
		.part = w->at.part,
		.tool = jv_keep(part->name, &w->arena)};
	size_t known = t->known.count;
	uint32_t call = NO_CALL;
	AUTO(touches_done) struct touches touches = {0};

	place.item = calls_add(&t->known, &w->at, part, &w->arena);
	if (place.item == NO_CALL)
		return;
	if (place.item < known) { /* it may be that of a step below the one that had it */
		call = t->by_item[place.item];
		if (call != NO_CALL &&
			t->known.items[place.item].position == w->position &&
			t->calls[call].position != w->position) {
			place.tool = t->calls[call].tool;
			t->calls[call] = place;
		}
		return;
	}
	touches_read(&touches, place.tool, part->body, &w->arena);
	if (touches.count)
		call = add_call(t, place);
	*MEM_ADD(t->by_item, t->item_count, t->item_cap) = call;
	for (size_t i = 0; i < touches.count; i++) {
		uint64_t key = hash_of(&touches.items[i]);
		uint32_t at = idmap_find(&t->told, key);

		add_touch(t, call, (uint32_t)i, &touches.items[i]);
		if (at == MAP_NONE) { /* a tool's run may tell it once more */
			at = (uint32_t)t->open_count;
			idmap_add(&t->told, key, at);
			*MEM_ADD(t->open, t->open_count, t->open_cap) = 0;
		}
		t->open[at]++;
	}
}

/* A step that runs a tool: its input is the arguments. */
static void read_run(struct touched *t)
{
	AUTO(touches_done) struct touches touches = {0};
	uint32_t step = trace_at(t->trace, t->at), call = NO_CALL;
	AUTO_BUF name = BUF_INIT;
	AUTO_ARENA arena = {0};

	step_title(t->trace, step, &name);
	touches_read(&touches, buf_view(&name), t->opened->input.value, &arena);
	for (size_t i = 0; i < touches.count; i++) {
		uint32_t at = idmap_find(&t->told, hash_of(&touches.items[i]));

		if (at != MAP_NONE && t->open[at]) { /* a call told it */
			t->open[at]--;
			continue;
		}
		if (call == NO_CALL)
			call = add_call(t, (struct touched_call){.step = step,
						   .position = (uint32_t)t->at,
						   .input = true,
						   .failed = trace_flags(t->trace, step) &
							     STEP_ERROR,
						   .message = STEP_IS_CALL,
						   .item = NO_CALL,
						   .tool = buf_view(&name)});
		add_touch(t, call, (uint32_t)i, &touches.items[i]);
	}
}

/* ---- steps ---- */

/* Opens the next step, and goes on with it until the deadline. */
static void read_step(struct touched *t, uint64_t deadline)
{
	struct call_walk *w = &t->walk;

	if (!t->opened) {
		t->opened = step_content_try(t->trace, trace_at(t->trace, t->at), false);
		if (!t->opened)
			return;
		calls_step(&t->known, t->trace, (uint32_t)t->at);
		*w = (struct call_walk){.trace = t->trace,
			.position = (uint32_t)t->at,
			.opened = t->opened};
		if (t->opened->input.view == SIDE_JSON && !t->opened->bare)
			read_run(t);
	}
	while (call_walk_next(w)) {
		for (; w->at.part < w->parts.count; w->at.part++) {
			const struct part *part = PART_AT(&w->parts, w->at.part);

			if (part->kind == PART_CALL)
				read_call(t, part);
			else if (part->kind == PART_RESULT)
				calls_result(&t->known, &w->at, part, &w->arena);
		}
		if (call_walk_late(w, deadline))
			return;
	}
	step_content_free(t->opened);
	t->opened = NULL;
	t->at++;
}

/* Results come after their calls, so nothing is summed while they are read. */
void touched_sum(struct touched *t)
{
	for (size_t i = 0; i < t->call_count; i++)
		if (t->calls[i].item != NO_CALL)
			t->calls[i].failed = t->known.items[t->calls[i].item].failed;
	t->changed = t->added = t->removed = 0;
	for (size_t i = 0; i < t->file_count; i++) {
		struct touched_file *f = &t->files[i];

		f->changes = f->reads = f->failed = f->added = f->removed = 0;
		f->created = f->deleted = false;
	}
	for (size_t i = 0; i < t->count; i++) {
		const struct file_touch *x = &t->touches[i];
		struct touched_file *f = &t->files[x->file];

		if (t->calls[x->call].failed) {
			f->failed++;
			continue;
		}
		if (x->kind == TOUCH_READ) {
			f->reads++;
			continue;
		}
		f->created |= !f->changes && !f->reads && x->kind == TOUCH_CREATE;
		f->deleted = x->kind == TOUCH_DELETE;
		t->changed += !f->changes;
		f->changes++;
		f->added += x->added;
		f->removed += x->removed;
		t->added += x->added;
		t->removed += x->removed;
	}
}

enum task_state touched_run(struct touched *t, uint64_t deadline)
{
	if (touched_done(t))
		return TASK_DONE;
	do
		read_step(t, deadline);
	while (!touched_done(t) && !clock_passed(deadline));
	if (!touched_done(t))
		return TASK_MORE;
	touched_sum(t);
	return TASK_DONE;
}

/* ---- one touch ---- */

bool touched_read(struct touched *t, size_t touch, struct touch *out, struct arena *arena)
{
	const struct file_touch *x = &t->touches[touch];
	const struct touched_call *call = &t->calls[x->call];
	AUTO(touches_done) struct touches touches = {0};
	AUTO_ARENA texts = {0};
	AUTO(parts_done) struct parts parts = {0};
	const struct side *side;
	struct step_content *o;
	bool found;

	if (x->kept) {
		*out = *x->kept;
		return true;
	}
	/* the touches of the call, from its step as it is opened again */
	o = step_content_new(t->trace, call->step);
	side = call->input ? &o->input : &o->output;
	if (call->message == STEP_IS_CALL)
		touches_read(&touches, call->tool, side->value, &texts);
	else if (side->view == SIDE_CHAT && call->message < side->chat.count)
		parts = parts_read(side->chat.items[call->message], &texts);
	if (call->part < parts.count)
		touches_read(&touches, jv_keep(PART_AT(&parts, call->part)->name, &texts),
			PART_AT(&parts, call->part)->body, &texts);
	found = x->number < touches.count;
	if (found)
		copy_touch(out, &touches.items[x->number], arena);
	step_content_free(o);
	return found;
}
