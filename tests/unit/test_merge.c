/* The deep merge of records (json/json.h), and where more of a step stands. */
#include <criterion/criterion.h>

#include "base/mem.h"
#include "json/json.h"
#include "trace/trace.h"

static void merged(const char *before, const char *after, const char *wanted)
{
	struct jv values[] = {jv_parse(str_of(before)), jv_parse(str_of(after))}, out;
	struct arena arena = {0};

	out = json_merge_all(values, 2, &arena);
	cr_expect(str_equal(jv_raw(out), str_of(wanted)), "%s and %s: %.*s", before,
		after, (int)out.n, out.p);
	arena_done(&arena);
}

Test(merge, the_later_wins_member_by_member)
{
	merged("{\"a\":1,\"b\":2}", "{\"b\":3,\"c\":4}", "{\"a\":1,\"b\":3,\"c\":4}");
	merged("{\"m\":{\"x\":1}}", "{\"m\":{\"y\":2}}", "{\"m\":{\"x\":1,\"y\":2}}");
	merged("{\"l\":[1,2]}", "{\"l\":[3]}", "{\"l\":[3]}");
	merged("{\"a\":{\"x\":1}}", "{\"a\":\"text\"}", "{\"a\":\"text\"}");
}

Test(merge, what_is_empty_replaces_nothing)
{
	merged("{\"a\":1}", "{\"a\":null}", "{\"a\":1}");
	merged("{\"a\":{\"x\":1}}", "{\"a\":{}}", "{\"a\":{\"x\":1}}");
	merged("{\"a\":[1]}", "{\"a\":[]}", "{\"a\":[1]}");
	merged("{\"a\":true}", "{\"a\":false}", "{\"a\":false}");
	merged("{\"a\":5}", "{\"a\":0}", "{\"a\":0}");
}

Test(merge, many_in_their_order)
{
	struct arena arena = {0};
	struct jv records[] = {jv_parse(STR("{\"a\":1}")),
		jv_parse(STR("{\"a\":2,\"b\":1}")), jv_parse(STR("{\"b\":2}"))};
	struct jv all = json_merge_all(records, 3, &arena);

	cr_expect(str_equal((struct str){all.p, all.n}, STR("{\"a\":2,\"b\":2}")));
	cr_expect(json_merge_all(records, 0, &arena).kind == J_NONE);
	arena_done(&arena);
}

Test(merge, ranges_of_a_record)
{
	struct further f = {0};
	struct file_range got[2];

	cr_expect(further_count(&f, 0) == 0);
	further_add(&f, 0, (struct file_range){100, 10});
	further_add(&f, 50, (struct file_range){110, 10});
	further_add(&f, 0, (struct file_range){120, 10});
	further_add(&f, 0, (struct file_range){120, 15}); /* read again */
	cr_assert(further_count(&f, 0) == 2);
	further_get(&f, 0, got);
	cr_expect(got[0].offset == 100 && got[1].offset == 120 && got[1].length == 15);
	cr_expect(further_count(&f, 50) == 1);
	mem_free(f.ranges);
	idmap_done(&f.first);
}
