/*
 * `catena labels [FILE [OTHER]]`: the labels that were given to steps, and how often; with
 * two files how far they agree: Cohen's kappa (J. Cohen, 1960) over the steps that both
 * label.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <math.h>

#include "base/map.h"
#include "base/mem.h"
#include "json/json.h"
#include "text/safe.h"
#include "trace/labels.h"
#include "view/facts.h"

#define LABEL_CELLS 16
#define STEP_CELLS  40
#define NOTE_CELLS  60

/* How often each label is given, by its number in `names`. */
struct label_counts {
	struct intern names;
	size_t *of;
	size_t cap;
};

static void count(struct label_counts *c, struct str label)
{
	size_t before = c->names.count;
	uint32_t i = intern_add(&c->names, label);

	MEM_ROOM(c->of, c->cap, (size_t)i + 1);
	c->of[i] = i == before ? 1 : c->of[i] + 1;
}

static void counts_done(struct label_counts *c)
{
	intern_done(&c->names);
	mem_free(c->of);
}

static void put_cells(struct buf *out, struct str raw, uint32_t cells)
{
	safe_column(out, raw, cells);
	buf_text(out, "  ");
}

static void put_labels(const struct label_set *set, struct report *r)
{
	struct label_counts counts = {0};
	struct buf *out = &r->out;

	buf_text(out, r->json ? "{\"labels\":[" : "");
	for (size_t i = 0; i < set->count; i++) {
		const struct label *l = &set->items[i];

		if (!l->text.n)
			continue;
		count(&counts, l->text);
		if (!report_row(r))
			continue;
		if (r->json) {
			json_put_text(out, "label", l->text);
			json_put_text(out, "note", l->note);
			json_put_text(out, "step", l->step);
			json_put_text(out, "trace", l->trace);
		} else {
			put_cells(out, l->text, LABEL_CELLS);
			put_cells(out, l->step, STEP_CELLS);
			safe_fit(out, l->note, NOTE_CELLS);
		}
		report_row_end(r);
	}
	if (r->json)
		buf_text(out, "\n],\"counts\":{");
	else
		buf_text(out, r->shown ? "\n" : "no step has a label\n");
	for (size_t i = 0; i < counts.names.count; i++) {
		struct str name = intern_get(&counts.names, (uint32_t)i);

		if (r->json) {
			json_item(out);
			json_write_string(out, name);
			buf_printf(out, ":%zu", counts.of[i]);
		} else {
			put_cells(out, name, LABEL_CELLS);
			buf_printf(out, "%zu\n", counts.of[i]);
		}
	}
	buf_text(out, r->json ? "}}\n" : "");
	counts_done(&counts);
}

static void put_agreement(
	const struct label_set *a, const struct label_set *b, bool json, struct buf *out)
{
	struct label_counts of_a = {0}, of_b = {0};
	double both = 0, same = 0, chance = 0, kappa;

	for (size_t i = 0; i < a->count; i++) {
		const struct label *x = &a->items[i], *y = label_set_find(b, x->key);

		if (!x->text.n || !y)
			continue;
		both++;
		same += str_equal(x->text, y->text);
		count(&of_a, x->text);
		count(&of_b, y->text);
	}
	for (size_t i = 0; i < of_a.names.count; i++) {
		uint32_t k = intern_find(&of_b.names, intern_get(&of_a.names, (uint32_t)i));

		if (k != MAP_NONE)
			chance += (double)of_a.of[i] / both * (double)of_b.of[k] / both;
	}
	kappa = both > 0 && chance < 1 ? (same / both - chance) / (1 - chance) : NAN;
	if (json) {
		buf_byte(out, '{');
		json_put_whole(out, "both", both);
		json_put_whole(out, "same", same);
		facts_put_figure(out, "agreement", both > 0 ? same / both : NAN);
		facts_put_figure(out, "kappa", kappa);
		buf_text(out, "}\n");
	} else {
		buf_printf(out, "%.0f steps have a label in both files, %.0f the same", both, same);
		if (!isnan(kappa))
			buf_printf(out, ": agreement %.2f, Cohen's kappa %.2f", same / both, kappa);
		buf_byte(out, '\n');
	}
	counts_done(&of_a);
	counts_done(&of_b);
}

int cmd_labels(const struct options *o)
{
	AUTO(label_set_done) struct label_set one = {0};
	AUTO(label_set_done) struct label_set other = {0};
	struct label_set *sets[] = {&one, &other};
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	const char *usual = labels_path().p;
	struct report r = report_of(o);

	if (o->files.count > 2)
		return cmd_fail("%s: two files at most", o->files.items[2]);
	for (size_t i = 0; i < o->files.count; i++)
		if (!label_set_read(sets[i], o->files.items[i], &err))
			return cmd_fail("%s", err.text);
	if (!o->files.count && labels_any() && !label_set_read(&one, usual, &err))
		return cmd_fail("%s", err.text);
	if (o->files.count == 2)
		put_agreement(&one, &other, o->json, &r.out);
	else
		put_labels(&one, &r);
	return report_end(&r, STATUS_DONE, "label");
}
