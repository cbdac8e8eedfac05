/* `catena stats`: totals per chain and in all, from the index; no step is opened. */
#include "config.h"
#include "cmd/cmd.h"

#include <math.h>

#include "json/json.h"
#include "text/safe.h"
#include "view/facts.h"

/* Rows of all files; each is printed or written as it comes, the sum of all at the end.
 */
struct stats {
	struct buf out;
	struct totals sum;
	size_t chains;
};

static void write_chain(struct stats *s, const struct model *m, const struct chain *c)
{
	struct buf *out = &s->out;

	buf_text(out, s->chains ? ",{\"trace_id\":" : "{\"trace_id\":");
	json_write_string(out, model_text(m, c->trace));
	buf_text(out, ",\"name\":");
	if (c->name == NO_TEXT)
		buf_text(out, "null");
	else
		json_write_string(out, model_text(m, c->name));
	buf_text(out, ",\"totals\":");
	facts_write_totals(out, &c->totals);
	buf_byte(out, '}');
}

static void print_row(struct buf *out, struct str name, const struct totals *t)
{
	struct buf line = BUF_INIT;

	safe_fit(&line, name, 40);
	buf_str(out, buf_view(&line));
	buf_fill(out, ' ', 41 - (size_t)safe_width(buf_view(&line)));
	facts_totals_text(out, t);
	buf_byte(out, '\n');
	buf_done(&line);
}

static void add_file(struct stats *s, const struct model *m, bool json)
{
	for (size_t i = 0; i < m->chain_count; i++, s->chains++) {
		const struct chain *c = &m->chains[i];

		if (json)
			write_chain(s, m, c);
		else
			print_row(&s->out,
				model_text(m, c->name == NO_TEXT ? c->trace : c->name),
				&c->totals);
	}
	totals_add(&s->sum, &m->totals);
}

static int add_files(struct cmd_file *f, const struct options *o, void *stats)
{
	add_file(stats, f->model, o->json);
	return STATUS_DONE;
}

int cmd_stats(const struct options *o)
{
	struct stats s = {.sum = totals_unknown};
	int status;

	if (o->json)
		buf_text(&s.out, "{\"chains\":[");
	status = cmd_each(o, add_files, &s);
	if (o->json) {
		buf_text(&s.out, "],\"totals\":");
		facts_write_totals(&s.out, &s.sum);
		buf_text(&s.out, "}\n");
	} else if (s.chains > 1) {
		print_row(&s.out, STR("all"), &s.sum);
	}
	if (s.chains || status == STATUS_DONE)
		cmd_write(&s.out);
	buf_done(&s.out);
	return status;
}
