/* See touched.h. */
#include "config.h"
#include "analysis/touched.h"

#include "analysis/calls.h"
#include "base/mem.h"
#include "base/work.h"
#include "import/open.h"

#define KEPT (16u << 20) /* bytes of texts */

struct touched_state {
	struct trace *trace;
	size_t chain;
	size_t at, end; /* positions of steps */
	size_t keep;
	struct step_content *opened; /* the step that is read; NULL: it is not begun */
	struct call_walk walk;
	struct arena texts; /* that are kept */
	struct calls calls;
	uint32_t *by_item; /* call of an item of `calls`, or NO_CALL */
	size_t item_count, item_cap;
	struct idmap names; /* of files without folders, to the last one of that name, */
	uint32_t *before;   /* ... and from each file to the one before it */
	size_t before_cap;
	struct idmap told; /* touches that calls told: their numbers in `open` */
	uint32_t *open;    /* how many of them no tool's run has answered */
	size_t open_count, open_cap;
};

struct touched *touched_new(struct trace *trace, size_t chain)
{
	struct touched *t = mem_zalloc(1, sizeof(*t));
	struct touched_state *s = mem_zalloc(1, sizeof(*s));

	t->state = s;
	s->trace = trace;
	s->chain = chain;
	s->at = trace->chains[chain].first;
	s->end = s->at + trace->chains[chain].count;
	s->keep = KEPT;
	return t;
}

void touched_keep(struct touched *t, size_t bytes)
{
	t->state->keep = bytes;
}

void touched_free(struct touched *t)
{
	struct touched_state *s = t ? t->state : NULL;

	if (!t)
		return;
	call_walk_done(&s->walk);
	step_content_free(s->opened);
	arena_done(&s->texts);
	calls_done(&s->calls);
	idmap_done(&s->names);
	idmap_done(&s->told);
	mem_free(s->by_item);
	mem_free(s->before);
	mem_free(s->open);
	mem_free(s);
	mem_free(t->files);
	mem_free(t->touches);
	mem_free(t->calls);
	mem_free(t);
}

bool touched_done(const struct touched *t)
{
	return t->state->at >= t->state->end;
}

size_t touched_done_steps(const struct touched *t)
{
	return t->state->at - touched_first_step(t);
}

size_t touched_first_step(const struct touched *t)
{
	return t->state->trace->chains[t->state->chain].first;
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
	uint32_t found = NO_TOUCH, count = 0;

	for (uint32_t i = last; i != NO_TOUCH; i = t->state->before[i]) {
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
	return count == 1 ? found : NO_TOUCH;
}

static uint32_t add_file(struct touched *t, struct str path)
{
	struct touched_state *s = t->state;
	size_t folder = path.n;
	uint32_t last, file, head;
	uint64_t name;

	while (folder && path.p[folder - 1] != '/' && path.p[folder - 1] != '\\')
		folder--;
	name = map_hash(str_skip(path, folder));
	last = idmap_find(&s->names, name);
	head = last == MAP_NONE ? NO_TOUCH : last;
	/* the first of a name stays in the map, and the others hang on it */
	file = find_file(t, head, path);
	if (file != NO_TOUCH) {
		if (path.n > t->files[file].path.n)
			t->files[file].path = arena_dup(&s->texts, path);
		return file;
	}
	file = (uint32_t)t->file_count;
	*MEM_ADD(t->files, t->file_count, t->file_cap) = (struct touched_file){
		.path = arena_dup(&s->texts, path), .first = NO_TOUCH, .last = NO_TOUCH};
	MEM_ROOM(s->before, s->before_cap, t->file_count);
	s->before[file] = NO_TOUCH;
	if (head == NO_TOUCH) {
		idmap_add(&s->names, name, file);
	} else {
		s->before[file] = s->before[head];
		s->before[head] = file;
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
	struct touched_state *s = t->state;
	uint32_t file = add_file(t, x->path), index = (uint32_t)t->count;
	size_t size = x->was.n + x->is.n + x->to.n + x->command.n + sizeof(*x);
	struct touched_file *f = &t->files[file];
	struct touch *kept = NULL;
	struct file_touch *touch;

	if (size <= s->keep) {
		s->keep -= size;
		kept = arena_alloc(&s->texts, sizeof(*kept));
		copy_touch(kept, x, &s->texts);
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
	call.tool = arena_dup(&t->state->texts, call.tool);
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
	struct touched_state *s = t->state;
	struct call_walk *w = &s->walk;
	struct touched_call place = {.step = trace_at(s->trace, w->position),
		.position = w->position,
		.input = w->input,
		.message = w->message,
		.part = w->at.part,
		.tool = jv_keep(part->name, &w->arena)};
	size_t known = s->calls.count;
	uint32_t call = NO_CALL;
	AUTO(touches_done) struct touches touches = {0};

	place.item = calls_add(&s->calls, &w->at, part, &w->arena);
	if (place.item == NO_CALL)
		return;
	if (place.item < known) { /* it may be that of a step below the one that had it */
		call = s->by_item[place.item];
		if (call != NO_CALL &&
			s->calls.items[place.item].position == w->position &&
			t->calls[call].position != w->position) {
			place.tool = t->calls[call].tool;
			t->calls[call] = place;
		}
		return;
	}
	touches_read(&touches, place.tool, part->body, &w->arena);
	if (touches.count)
		call = add_call(t, place);
	*MEM_ADD(s->by_item, s->item_count, s->item_cap) = call;
	for (size_t i = 0; i < touches.count; i++) {
		uint64_t key = hash_of(&touches.items[i]);
		uint32_t at = idmap_find(&s->told, key);

		add_touch(t, call, (uint32_t)i, &touches.items[i]);
		if (at == MAP_NONE) { /* a tool's run may tell it once more */
			at = (uint32_t)s->open_count;
			idmap_add(&s->told, key, at);
			*MEM_ADD(s->open, s->open_count, s->open_cap) = 0;
		}
		s->open[at]++;
	}
}

/* A step that runs a tool: its input is the arguments. */
static void read_run(struct touched *t)
{
	struct touched_state *s = t->state;
	AUTO(touches_done) struct touches touches = {0};
	uint32_t step = trace_at(s->trace, s->at), call = NO_CALL;
	AUTO_BUF name = BUF_INIT;
	AUTO_ARENA arena = {0};

	step_title(s->trace, step, &name);
	touches_read(&touches, buf_view(&name), s->opened->input.value, &arena);
	for (size_t i = 0; i < touches.count; i++) {
		uint32_t at = idmap_find(&s->told, hash_of(&touches.items[i]));

		if (at != MAP_NONE && s->open[at]) { /* a call told it */
			s->open[at]--;
			continue;
		}
		if (call == NO_CALL)
			call = add_call(t, (struct touched_call){.step = step,
						   .position = (uint32_t)s->at,
						   .input = true,
						   .failed = trace_flags(s->trace, step) &
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
	struct touched_state *s = t->state;
	struct call_walk *w = &s->walk;

	if (!s->opened) {
		s->opened = step_content_try(s->trace, trace_at(s->trace, s->at), false);
		if (!s->opened)
			return;
		calls_step(&s->calls, s->trace, (uint32_t)s->at);
		*w = (struct call_walk){.trace = s->trace,
			.position = (uint32_t)s->at,
			.opened = s->opened};
		if (s->opened->input.view == SIDE_JSON && !s->opened->bare)
			read_run(t);
	}
	while (call_walk_next(w)) {
		for (; w->at.part < w->parts.count; w->at.part++) {
			const struct part *part = PART_AT(&w->parts, w->at.part);

			if (part->kind == PART_CALL)
				read_call(t, part);
			else if (part->kind == PART_RESULT)
				calls_result(&s->calls, &w->at, part, &w->arena);
		}
		if (call_walk_late(w, deadline))
			return;
	}
	step_content_free(s->opened);
	s->opened = NULL;
	s->at++;
}

/* Results come after their calls, so nothing is summed while they are read. */
void touched_sum(struct touched *t)
{
	struct touched_state *s = t->state;

	for (size_t i = 0; i < t->call_count; i++)
		if (t->calls[i].item != NO_CALL)
			t->calls[i].failed = s->calls.items[t->calls[i].item].failed;
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
	o = step_content_new(t->state->trace, call->step);
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
