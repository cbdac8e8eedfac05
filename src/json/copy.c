/* Copying values: see copy.h. */
#include "config.h"
#include "json/copy.h"

#include "json/json.h"

void json_copy_value(struct buf *out, struct jv value)
{
	if (value.cut || value.kind == J_BAD)
		json_write_raw(out, (struct str){value.p, value.n});
	else
		buf_add(out, value.p, value.n);
}

void json_copy_text(struct buf *out, struct str text)
{
	struct buf quoted = BUF_INIT;

	json_write_string(&quoted, text);
	buf_add(out, quoted.data + 1, quoted.len - 2);
	buf_done(&quoted);
}

void json_copy_body(struct buf *out, struct jv string)
{
	struct buf text = BUF_INIT;

	if (string.kind != J_STRING)
		return;
	if (!string.cut) {
		buf_add(out, string.p + 1, string.n - 2);
		return;
	}
	jv_decode(string, &text);
	json_copy_text(out, buf_view(&text));
	buf_done(&text);
}
