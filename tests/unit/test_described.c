/*
 * What opening steps of described formats may cost: bounds that hold for any number of
 * items, and what is read once for many steps.
 */
#include "config.h"
#include <criterion/criterion.h>

#include "base/mem.h"
#include "import/load.h"
#include "import/open.h"
#include "json/json.h"
#include "trace/trace.h"

#include "loaded.h"

static void set_up(void)
{
	json_init();
}

TestSuite(described, .init = set_up);

/* Nothing but what its items say is held for them. */
Test(described, long_response_is_held_small)
{
	struct buf text = BUF_INIT;
	struct loaded x;
	struct step_content *o;

	for (int i = 0; i < 1000; i++)
		buf_printf(&text,
			"{\"type\":\"assistant\",\"uuid\":\"u%d\",\"sessionId\":\"s\","
			"\"timestamp\":\"2026-03-01T10:00:00Z\",\"message\":{\"role\":"
			"\"assistant\",\"id\":\"m\",\"content\":\"%d\"}}\n",
			i, i);
	x = load_text(buf_view(&text));
	cr_assert_eq(x.trace->count, 1);
	o = step_content_new(x.trace, 0);
	cr_expect_lt(
		opened_bytes(o), 8 * text.len, "%zu for %zu", opened_bytes(o), text.len);
	step_content_free(o);
	unload(&x);
	buf_done(&text);
}

/* The step around others that has no texts is known as such, and not read again. */
Test(described, steps_without_texts_are_known)
{
	static const char text[] =
		"{\"version\":2,\"status\":\"success\",\"eval\":{\"task\":\"t\",\"run_"
		"id\":"
		"\"r\"},\"plan\":{},\"samples\":[{\"id\":1,\"epoch\":1,\"messages\":[],"
		"\"target\":\"x\",\"events\":[{\"event\":\"model\",\"uuid\":\"u\","
		"\"model\":"
		"\"m\",\"input\":\"attachment://1\",\"output\":{}}]}]}";
	struct loaded x = load_text(str_of(text));
	size_t known = 0;

	cr_assert_eq(x.trace->count, 3);
	for (uint32_t i = 0; i < 3; i++)
		step_content_free(step_content_new(x.trace, i));
	for (uint32_t i = 0; i < 3; i++) {
		struct step s = trace_step(x.trace, i);

		for (size_t n = 0; n < ATTACHED_BARE; n++)
			known += x.trace->attached.bare[n].offset == s.offset &&
				 x.trace->attached.bare[n].length == s.length;
	}
	cr_expect_eq(known, 2);
	unload(&x);
}

/* Nodes that stand in each other are read as deep as is promised, and are found by ids.
 */
Test(described, nodes_within_nodes)
{
	struct buf text = BUF_INIT;
	struct loaded x;
	struct step_content *o;

	buf_text(&text, "{\"conversationId\":\"c\",\"exportAt\":1,\"messagesTree\":[");
	for (int i = 0; i < 1500; i++)
		buf_printf(&text,
			"{\"messageId\":\"m%d\",\"isCreatedByUser\":true,\"children\":[",
			i);
	for (int i = 0; i < 1500; i++)
		buf_text(&text, "],\"text\":\"t\"}");
	buf_text(&text, "]}");
	x = load_text(buf_view(&text));
	cr_assert_eq(x.trace->count, 1);
	o = step_content_new(x.trace, 0);
	cr_expect_eq(o->input.chat.count, 1001);
	/* each node is held without those in it, not with all of them */
	cr_expect_lt(
		opened_bytes(o), 16 * text.len, "%zu for %zu", opened_bytes(o), text.len);
	step_content_free(o);
	unload(&x);
	buf_done(&text);
}
