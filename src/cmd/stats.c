/* `catena stats`: totals per chain and in all, from the index; no step is opened. */
#include "config.h"
#include "cmd/cmd.h"

#include <math.h>

#include "json/json.h"
#include "text/safe.h"
#include "view/facts.h"

static void write_json(struct buf *out, const struct model *m)
{
	buf_text(out, "{\"chains\":[");
	for (size_t i = 0; i < m->chain_count; i++) {
		const struct chain *c = &m->chains[i];

		buf_text(out, i ? ",{\"trace_id\":" : "{\"trace_id\":");
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
	buf_text(out, "],\"totals\":");
	facts_write_totals(out, &m->totals);
	buf_text(out, "}\n");
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

static int print_stats(struct cmd_file *f, const struct options *o)
{
	const struct model *m = f->model;
	struct buf out = BUF_INIT;

	if (o->json) {
		write_json(&out, m);
	} else {
		for (size_t i = 0; i < m->chain_count; i++) {
			const struct chain *c = &m->chains[i];

			print_row(&out, model_text(m, c->name == NO_TEXT ? c->trace : c->name),
				&c->totals);
		}
		if (m->chain_count != 1)
			print_row(&out, STR("all"), &m->totals);
	}
	cmd_write(&out);
	buf_done(&out);
	return STATUS_DONE;
}

int cmd_stats(const struct options *o)
{
	return cmd_each(o, print_stats);
}
