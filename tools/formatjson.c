/*
 * Makes what is built into the program out of files in YAML:
 *   formatjson files FILE...    a line of JSON that says what each is called and where it
 *                               is in the lines that follow, then each as a line of JSON
 *   formatjson matcher FILE...  how they are recognized, as C (src/import/describe.h)
 *   formatjson value FILE       any other file, as a line of JSON
 * Run when the program is built; a mistake in a file stops the build.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/embedded.h"
#include "base/mem.h"
#include "import/describe.h"
#include "json/json.h"
#include "schema/yaml.h"

static bool read_file(const char *path, struct buf *text)
{
	FILE *f = fopen(path, "rb");
	char piece[4096];
	size_t n;

	if (!f)
		return false;
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
		buf_add(text, piece, n);
	return fclose(f) == 0;
}

/* The tool is linked with the program's own library, which needs what the tool makes. */
const struct embedded embedded_bodies, embedded_formats, embedded_format_files, embedded_catena,
	embedded_catena_schema, embedded_defaults, embedded_payloads, embedded_payloads_schema;
const struct matcher matcher_built_in;

/* ---- reading ---- */

struct format_file {
	json_t *json;
	json_int_t order;
	int number;
};

static bool read_format(struct format_file *f, const char *path)
{
	struct buf text = BUF_INIT;
	struct yaml yaml = {0};
	struct err err = {0};
	bool ok = read_file(path, &text) && yaml_read(&yaml, buf_view(&text), &err);
	json_t *order;

	if (ok) {
		order = json_object_get(yaml.root, "order");
		f->json = json_incref(yaml.root);
		f->order = order ? json_integer_value(order) : 50;
	} else {
		fprintf(stderr, "%s:%lu:%lu: %s\n", path, (unsigned long)err.line,
			(unsigned long)err.column,
			err.text ? err.text : "cannot be read");
	}
	yaml_done(&yaml);
	buf_done(&text);
	err_done(&err);
	return ok;
}

/* In the order in which the program asks them. */
static int by_order(const void *a, const void *b)
{
	const struct format_file *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->number - y->number;
}

/* ---- the files ---- */

static void put_files(struct buf *out, const struct format_file *files, size_t count)
{
	struct buf lines = BUF_INIT;

	buf_byte(out, '[');
	for (size_t i = 0; i < count; i++) {
		size_t at = lines.len;

		json_write(&lines, files[i].json, JSON_LINE);
		buf_text(out, i ? ",{\"name\":" : "{\"name\":");
		json_write(out, json_object_get(files[i].json, "name"), JSON_LINE);
		buf_printf(out, ",\"order\":%d,\"at\":%zu,\"length\":%zu}",
			(int)files[i].order, at, lines.len - at);
		buf_byte(&lines, '\n');
	}
	buf_text(out, "]\n");
	buf_str(out, buf_view(&lines));
	buf_done(&lines);
}

/* ---- the matcher ---- */

static void put_string(struct buf *out, struct str text)
{
	buf_byte(out, '"');
	for (size_t i = 0; i < text.n; i++)
		if ((unsigned char)text.p[i] < ' ' || strchr("\"\\?", text.p[i]))
			buf_printf(out, "\\%03o", (unsigned char)text.p[i]);
		else
			buf_byte(out, text.p[i]);
	buf_byte(out, '"');
}

static void put_str(struct buf *out, struct str text)
{
	buf_byte(out, '{');
	put_string(out, text);
	buf_printf(out, ", %zu}", text.n);
}

static void put_trie(struct buf *out, const struct trie *t)
{
	buf_text(out, "static struct trie_node nodes[] = {\n");
	for (size_t i = 0; i < t->node_count; i++) {
		const struct trie_node *n = &t->nodes[i];

		buf_printf(out,
			"{.each = %u, .any = %u, .endings = %u, .leaf = %d, .inner = %d, .children = "
			"%d, .carrier = %d},\n",
			n->each, n->any, n->endings, n->leaf, n->inner, n->children, n->carrier);
	}
	buf_text(out, "};\nstatic struct trie_edge edges[] = {\n");
	for (size_t i = 0; i < t->edge_count; i++) {
		buf_printf(out, "{%u, %u, %d, ", t->edges[i].from, t->edges[i].to,
			t->edges[i].attribute);
		put_str(out, t->edges[i].key);
		buf_printf(out, ", %u},\n", t->edges[i].next);
	}
	buf_text(out, "};\nstatic uint16_t slots[] = {");
	for (size_t i = 0; i <= t->edge_mask; i++)
		buf_printf(out, "%u,%s", t->edge_slots[i], i % 16 ? "" : "\n");
	buf_text(out, "};\n");
}

static void put_texts(struct buf *out, const struct test *t)
{
	if (!t->texts.count)
		return;
	buf_printf(out, "static const struct str texts_%zu[] = {", t->number);
	for (size_t i = 0; i < t->texts.count; i++) {
		put_str(out, t->texts.items[i]);
		buf_byte(out, ',');
	}
	buf_text(out, "};\n");
}

static void put_jv(struct buf *out, const char *name, struct jv v)
{
	buf_printf(out, ".%s = {", name);
	put_string(out, (struct str){v.p, v.n});
	buf_printf(out, ", %zu, (enum jkind)%d, false, NULL}, ", v.n, (int)v.kind);
}

static void put_test(struct buf *out, const struct test *t)
{
	buf_printf(out,
		"{.want = (enum test_want)%d, .leaf = %d, .number = %zu, .kinds = %u, ",
		(int)t->want, t->leaf, t->number, t->kinds);
	if (t->texts.count)
		buf_printf(out, ".texts = {texts_%zu, %zu}, ", t->number,
			t->texts.count);
	put_jv(out, "key", t->key);
	put_jv(out, "wanted", t->wanted);
	buf_text(out, "},\n");
}

/* All tests in one array, by number: they are numbered format by format. */
static void put_tests(struct buf *out, const struct matcher *m)
{
	struct buf tests = BUF_INIT;

	for (size_t i = 0; i < m->count; i++)
		for (size_t g = 0; g < m->formats[i].count; g++)
			for (size_t t = 0; t < m->formats[i].items[g].count; t++) {
				put_texts(out, &m->formats[i].items[g].tests[t]);
				put_test(&tests, &m->formats[i].items[g].tests[t]);
			}
	buf_text(out, "static struct test tests[] = {\n");
	buf_str(out, buf_view(&tests));
	buf_text(out, "{0}};\nstatic struct test *by_leaf[] = {\n");
	for (size_t i = 0; i < m->first[m->trie.leaf_count]; i++)
		buf_printf(out, "&tests[%zu],\n", m->tests[i]->number);
	buf_text(out, "NULL};\nstatic size_t first[] = {");
	for (size_t i = 0; i <= m->trie.leaf_count; i++)
		buf_printf(out, "%zu,%s", m->first[i], i % 16 ? "" : "\n");
	buf_text(out, "};\n");
	buf_done(&tests);
}

static void put_groups(struct buf *out, const struct matcher *m)
{
	struct buf lines = BUF_INIT;
	size_t group = 0;

	buf_text(out, "static struct test_group groups[] = {\n");
	for (size_t i = 0; i < m->count; i++) {
		buf_printf(&lines, "{groups + %zu, %zu},\n", group, m->formats[i].count);
		for (size_t g = 0; g < m->formats[i].count; g++, group++) {
			const struct test_group *at = &m->formats[i].items[g];

			buf_printf(out, "{tests + %zu, %zu},\n",
				at->count ? at->tests[0].number : 0, at->count);
		}
	}
	buf_text(out, "{NULL, 0}};\nstatic struct groups groups_of[] = {\n");
	buf_str(out, buf_view(&lines));
	buf_text(out, "};\n");
	buf_done(&lines);
}

static bool put_matcher(struct buf *out, const struct format_file *files, size_t count)
{
	struct jv *matches = mem_zalloc(count + 1, sizeof(*matches));
	static struct arena arena; /* kept until the end, as the matcher is */
	static struct matcher m;
	struct err err = {0};
	bool ok;

	for (size_t i = 0; i < count; i++) {
		struct buf text = BUF_INIT;

		json_write(&text, files[i].json, JSON_LINE);
		matches[i] = jv_parse(arena_dup(&arena, buf_view(&text)));
		matches[i] = matcher_takes(matches[i], false)
				     ? jv_member(matches[i], "match")
				     : (struct jv)JV_NONE;
		buf_done(&text);
	}
	ok = matcher_make(&m, matches, count, &arena, &err);
	if (!ok)
		fprintf(stderr, "formatjson: %s\n", err.text);
	mem_free(matches);
	if (ok) {
		buf_text(out, "#include \"config.h\"\n#include \"import/describe.h\"\n");
		put_trie(out, &m.trie);
		put_tests(out, &m);
		put_groups(out, &m);
		buf_printf(out,
			"const struct matcher matcher_built_in = {.trie = {.nodes = "
			"nodes, "
			".node_count = %zu, .edges = edges, .edge_count = %zu, "
			".edge_slots "
			"= slots, .edge_mask = %zu, .leaf_count = %zu, .step = %u},\n"
			".formats = groups_of, .count = %zu, .tests = by_leaf, .first = "
			"first, .test_count = %zu};\n",
			m.trie.node_count, m.trie.edge_count, m.trie.edge_mask,
			m.trie.leaf_count, m.trie.step, m.count, m.test_count);
	}
	return ok;
}

int main(int argc, char **argv)
{
	size_t count = argc > 2 ? (size_t)argc - 2 : 0;
	static struct format_file *files;
	struct buf out = BUF_INIT;
	bool ok = true;

	json_init();
	files = mem_zalloc(count + 1, sizeof(*files));
	for (size_t i = 0; i < count; i++) {
		files[i].number = (int)i;
		ok = read_format(&files[i], argv[i + 2]) && ok;
		if (ok && strcmp(argv[1], "value") != 0)
			match_expand(files[i].json);
	}
	qsort(files, count, sizeof(*files), by_order);
	if (ok && strcmp(argv[1], "matcher") == 0)
		ok = put_matcher(&out, files, count);
	else if (ok && strcmp(argv[1], "value") == 0)
		json_write(&out, files[0].json, JSON_LINE);
	else if (ok)
		put_files(&out, files, count);
	if (ok)
		fwrite(out.data, 1, out.len, stdout);
	buf_done(&out);
	return ok && fflush(stdout) == 0 ? 0 : 1;
}
