/* What a string of a recording holds: see path.h. */
#include "config.h"
#include "import/path.h"

#include "base/buf.h"
#include "chat/side.h"
#include "dialect/chunk.h"
#include "io/codec.h"
#include "json/copy.h"
#include "json/json.h"

#define MOST (64u * 1024 * 1024)

/* ---- bytes ---- */

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool decode_hex(struct str text, struct buf *out)
{
	for (size_t i = 0; i + 1 < text.n; i += 2) {
		int high = hex_value(text.p[i]), low = hex_value(text.p[i + 1]);

		if (high < 0 || low < 0)
			return false;
		buf_byte(out, (char)(high << 4 | low));
	}
	return text.n % 2 == 0;
}

/* ---- event streams of AWS ---- */

static size_t number_at(struct str bytes, size_t at)
{
	size_t n = 0;

	for (size_t i = 0; i < 4; i++)
		n = n << 8 | (unsigned char)bytes.p[at + i];
	return n;
}

/* The event of a payload: of InvokeModel it stands as base64 in `bytes`. */
static void add_event(struct buf *out, struct str payload)
{
	struct jv value = jv_parse(payload), bytes = jv_member(value, "bytes");
	AUTO_BUF event = BUF_INIT, text = BUF_INIT;

	if (bytes.kind == J_STRING && base64_get(jv_str(bytes, &text), &event) &&
		jv_parse(buf_view(&event)).kind == J_OBJECT)
		payload = buf_view(&event);
	else if (value.kind != J_OBJECT || value.cut)
		payload = (struct str){"", 0};
	if (payload.n) {
		buf_text(out, out->len ? "," : "[");
		json_write_raw(out, payload);
	}
}

static bool read_frames(struct str bytes, struct buf *out)
{
	size_t at = 0;

	while (bytes.n - at >= 16) {
		size_t total = number_at(bytes, at), headers = number_at(bytes, at + 4);

		if (total < 16 || total > bytes.n - at || headers > total - 16)
			break;
		add_event(out, (struct str){bytes.p + at + 12 + headers,
				       total - headers - 16});
		at += total;
	}
	if (out->len)
		buf_byte(out, ']');
	return out->len > 0 && at == bytes.n;
}

/* ---- strings ---- */

/* By the first bytes of what is known: gzip, `{"`, `[{`, `data:`, `event:`, a short
 * frame.
 */
static bool may_be_base64(struct str text)
{
	static const char *const heads[] = {"H4sI", "eyJ", "W3s", "ewog", "ZGF0Y",
		"ZXZlbnQ6", "AAAA", "AAAB", "AAAC"};

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		if (str_starts(text, str_of(heads[i])))
			return true;
	return false;
}

static struct jv opened_bytes(struct str bytes, struct arena *arena)
{
	AUTO_BUF text = BUF_INIT, frames = BUF_INIT;
	const struct codec *codec = NULL;
	struct jv value = JV_NONE;

	if (codec_recognize(bytes, &codec) == LIKE_SURELY) {
		codec_unpack(codec, bytes, MOST, &text);
		bytes = buf_view(&text);
	}
	if (bytes.n && !bytes.p[0] && read_frames(bytes, &frames))
		return json_kept(&frames, arena);
	/* the string of JSON that it may have been before it was packed */
	if (bytes.n)
		value = side_open_string(json_quoted(bytes, arena), arena);
	return value.kind == J_STRING ? streamed_events(value, arena) : value;
}

/* The bytes that a string holds, or strings that are its pieces: all are written as the
 * first one is.  False: they hold none that are known. */
static bool gather(struct jv value, struct buf *bytes)
{
	AUTO_BUF text = BUF_INIT;
	struct jwalk w = jwalk_of(value);
	bool one = value.kind == J_STRING, good = true, hex = false;

	for (bool first = true; good && (one ? first : jwalk_next(&w, NULL, &value));
		first = false) {
		struct str s;

		buf_clear(&text);
		s = value.kind == J_STRING ? jv_str(value, &text) : (struct str){0};
		hex |= first && str_starts(s, STR("1f8b08"));
		good = s.p &&
		       (hex ? decode_hex(s, bytes)
			    : (!first || may_be_base64(s)) && base64_get(s, bytes));
	}
	return good && bytes->len > 0;
}

static struct jv unpacked(struct jv value, struct arena *arena)
{
	AUTO_BUF bytes = BUF_INIT;
	struct jv inner = JV_NONE;

	if (gather(value, &bytes))
		inner = opened_bytes(buf_view(&bytes), arena);
	return inner;
}

struct jv unwrap(struct jv value, struct arena *arena)
{
	struct jv inner;

	if (value.kind == J_STRING) {
		inner = side_open_string(value, arena);
		if (inner.kind == J_STRING) {
			/* events; most strings need not be decoded for that */
			inner = value.n > 2 && memchr("deir:{\\", value.p[1], 7)
					? streamed_events(value, arena)
					: JV_NONE;
		}
		if (inner.kind == J_NONE)
			inner = unpacked(value, arena);
		value = inner.kind == J_NONE ? value : inner;
	}
	if (jv_first(value).kind == J_STRING) { /* pieces of a text */
		inner = unpacked(value, arena);
		value = inner.kind == J_NONE ? value : inner;
	}
	return value;
}
