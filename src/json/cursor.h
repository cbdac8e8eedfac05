/*
 * Walking raw JSON text without building anything.  A struct jv is one value
 * as it is written in the text: its bytes and its kind.  It borrows the text.
 *
 * The walk is tolerant: bytes that are no JSON come out as a value of kind J_BAD, so
 * that nothing of a text is ever lost; a container that the text cuts short ends with it
 * and is `cut`.  The strict check is json/check's work.  To find the end of a value costs
 * a pass over its bytes, whatever its depth, unless the extents know it.
 */
#ifndef CATENA_JSON_CURSOR_H
#define CATENA_JSON_CURSOR_H

#include "base/buf.h"

#include <stdint.h>

struct extents;

enum jkind {
	J_NONE, /* absent */
	J_OBJECT,
	J_ARRAY,
	J_STRING,
	J_NUMBER, /* also NaN, Infinity, -Infinity, as Python writes them */
	J_TRUE,
	J_FALSE,
	J_NULL,
	J_BAD, /* bytes that are no JSON value */
};

struct jv {
	const char *p; /* first byte: a bracket, a quote, a digit, … */
	size_t n;      /* bytes, closing bracket or quote included */
	enum jkind kind;
	bool cut; /* the text ended inside it */
	/* Where large values of the text end (see extents_new), or NULL.  Borrowed; a
	 * value hands them on to its children. */
	const struct extents *extents;
};

struct arena;

#define JV_NONE ((struct jv){0})

/* A whole value that is known to be one of this kind. */
static inline struct jv jv_of(struct str text, enum jkind kind)
{
	return (struct jv){.p = text.p, .n = text.n, .kind = kind};
}

/* A string that is not part of a text: a literal that needs no escapes. */
#define JV_WORD(word) jv_of(STR("\"" word "\""), J_STRING)

struct jwalk {
	const char *p, *end;
	bool object;
	bool cut; /* the container is */
	const struct extents *extents;
	uint64_t index; /* of the value that jwalk_next gave last, from 0 */
	bool started;
};

/* The first value of a text, after white space and a BOM; J_NONE when it is blank. */
struct jv jv_parse(struct str text);

/* As jv_parse, for a text that is known to be a scalar without white space around it. */
struct jv jv_scalar(struct str text);
/* As jv_parse, for a text that json_check does not call BROKEN: a container or string is
 * taken without a pass over it. */
struct jv jv_whole(struct str text);
/* ... J_NONE unless it begins and ends, blanks aside, as a container or string does. */
struct jv jv_enclosed(struct str text);

/* The next value of a text of several, from *at on; *at moves to its end. */
struct jv jv_next(struct str text, size_t *at);

/* The children of an object or array; any other kind has none:
 *
 *	for (struct jwalk w = jwalk_of(v); jwalk_next(&w, &key, &item);)
 */
struct jwalk jwalk_of(struct jv container);
/* `key` is a J_STRING with its quotes, J_NONE in an array, J_BAD when it is no string; or
 * NULL where it is not wanted. */
bool jwalk_next(struct jwalk *w, struct jv *key, struct jv *value);
/* The loops over them, which declare what they name: the values of any container, the
 * items of an array alone, values with their keys, the members of an object alone, the
 * values of a run. */
#define JV_LOOP(value, walked, more, ...)                                                \
	for (struct jv __VA_ARGS__, *value##_loop = &value; value##_loop;                \
		value##_loop = NULL)                                                     \
		for (struct jwalk value##_walk = walked; more;)
#define JV_EACH(item, container)                                                         \
	JV_LOOP(item, jwalk_of(container), jwalk_next(&item##_walk, NULL, &item), item)
#define JV_ITEMS(item, array)                                                            \
	JV_LOOP(item, jwalk_of(array),                                                   \
		!item##_walk.object && jwalk_next(&item##_walk, NULL, &item), item)
#define JV_PAIRS(key, value, object)                                                     \
	JV_LOOP(value, jwalk_of(object), jwalk_next(&value##_walk, &key, &value), key,   \
		value)
#define JV_FIELDS(key, value, members)                                                   \
	JV_LOOP(value, jwalk_of(members),                                                \
		value##_walk.object && jwalk_next(&value##_walk, &key, &value), key,     \
		value)
#define JV_RUN(item, text, extents)                                                      \
	JV_LOOP(item, jwalk_of_run(text, extents),                                       \
		jwalk_next(&item##_walk, NULL, &item), item)

/* The first of some values that a test passes; or J_NONE. */
struct jv jv_pick(const struct jv values[], size_t count, bool (*test)(struct jv));
#define JV_PICK(values, test) jv_pick(values, sizeof(values) / sizeof(*(values)), test)
/* Tests. */
bool jv_is_string(struct jv v);
bool jv_is_text(struct jv v);   /* a string, not empty */
bool jv_is_filled(struct jv v); /* not jv_empty */
bool jv_has_members(struct jv v); /* an object, not empty */

/* The first item of an array; J_NONE: of no array, or there is none. */
struct jv jv_first(struct jv array);
/* The values of a text of several, with blanks and commas between them, as those of an
 * array.  `extents`: of that text, or NULL. */
struct jwalk jwalk_of_run(struct str text, const struct extents *extents);

/*
 * Whether a key of the text means `name`, a listed key: equal after decoding,
 * or its camelCase twin (tool_calls and toolCalls).
 */
bool jv_key_is(struct jv key, struct str name);
/* ... one of `count` names; a NULL among them is their end. */
bool jv_key_is_among(struct jv key, const char *const names[], size_t count);
#define JV_KEY_AMONG(key, names)                                                         \
	jv_key_is_among(key, names, sizeof(names) / sizeof(*(names)))

/*
 * The member `name`; of duplicates the last; the snake_case spelling before its twin.
 * Walks the whole object, as does jv_members: ask for several members at once.
 */
struct jv jv_member(struct jv object, const char *name);
/* Several members in one walk: out[i] for names[i]; at most 64 names, none empty. */
void jv_members(
	struct jv object, const char *const names[], struct jv out[], size_t count);

/*
 * Members that have their names in C, too:
 *
 *	JV_MEMBERS(v, object, role, tool_calls);
 *	if (v.role.kind == J_STRING) …
 *
 * v.all has them as an array.  JV_RECORD declares a struct for members that are read with
 * JV_READ and handed on to other functions.
 */
#define JV_MEMBERS(v, object, ...)                                                       \
	JV_RECORD(v##_record, __VA_ARGS__);                                              \
	struct v##_record v;                                                             \
	JV_READ(object, v##_record, &v)

#define JV_RECORD(name, ...)                                                             \
	static const char *const name##_names[] = {JV_NAMES(__VA_ARGS__)};               \
	struct name {                                                                    \
		union {                                                                  \
			struct {                                                         \
				struct jv __VA_ARGS__;                                   \
			};                                                               \
			struct jv all[sizeof(name##_names) / sizeof(*name##_names)];     \
		};                                                                       \
	}

#define JV_READ(object, name, v)                                                         \
	jv_members(object, name##_names, (v)->all, sizeof((v)->all) / sizeof(*(v)->all))

/* Each word as a string; at most 16. */
#define JV_NAMES(...)                                                                    \
	JV_17TH(__VA_ARGS__, JV_16, JV_15, JV_14, JV_13, JV_12, JV_11, JV_10, JV_9,      \
		JV_8, JV_7, JV_6, JV_5, JV_4, JV_3, JV_2, JV_1, 0)                       \
	(__VA_ARGS__)
#define JV_17TH(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, ...) q
#define JV_1(a)                                                         #a
#define JV_2(a, ...)                                                    #a, JV_1(__VA_ARGS__)
#define JV_3(a, ...)                                                    #a, JV_2(__VA_ARGS__)
#define JV_4(a, ...)                                                    #a, JV_3(__VA_ARGS__)
#define JV_5(a, ...)                                                    #a, JV_4(__VA_ARGS__)
#define JV_6(a, ...)                                                    #a, JV_5(__VA_ARGS__)
#define JV_7(a, ...)                                                    #a, JV_6(__VA_ARGS__)
#define JV_8(a, ...)                                                    #a, JV_7(__VA_ARGS__)
#define JV_9(a, ...)                                                    #a, JV_8(__VA_ARGS__)
#define JV_10(a, ...)                                                   #a, JV_9(__VA_ARGS__)
#define JV_11(a, ...)                                                   #a, JV_10(__VA_ARGS__)
#define JV_12(a, ...)                                                   #a, JV_11(__VA_ARGS__)
#define JV_13(a, ...)                                                   #a, JV_12(__VA_ARGS__)
#define JV_14(a, ...)                                                   #a, JV_13(__VA_ARGS__)
#define JV_15(a, ...)                                                   #a, JV_14(__VA_ARGS__)
#define JV_16(a, ...)                                                   #a, JV_15(__VA_ARGS__)

/* J_NONE, null, false, 0, "", [] or {} */
bool jv_empty(struct jv v);
bool jv_null(struct jv v); /* absent or null */
size_t jv_count(
	struct jv container, size_t most); /* children, counted up to `most`; a walk */

static inline struct str jv_raw(struct jv v) /* as it is written */
{
	return (struct str){v.p, v.n};
}

/* Whether a J_STRING decodes to `text`. */
bool jv_is(struct jv string, struct str text);
/* Whether a J_STRING decodes to one of `count` words; a NULL among them is their end. */
bool jv_is_among(struct jv string, const char *const words[], size_t count);
#define JV_AMONG(string, words)                                                          \
	jv_is_among(string, words, sizeof(words) / sizeof(*(words)))

/*
 * The decoded text of a J_STRING, without its quotes.  Tolerant: lone
 * surrogates and bad escapes become U+FFFD, \u0000 a NUL byte; raw control
 * characters stay, and so do bytes that are not UTF-8 (text/safe marks them).
 * Returns how many places were mended.
 */
size_t jv_decode(struct jv string, struct buf *out);
/* jv_decode piece by piece: appends about `most` bytes more, from *at on, which begins as
 * 0. False: that was the last. */
bool jv_decode_some(struct jv string, size_t *at, size_t most, struct buf *out);
/* The text of a value of any kind: a string decoded, everything else as raw bytes. */
void jv_text(struct jv v, struct buf *out);

/* Whether that text is `text`, which is not empty. */
bool jv_says(struct jv v, struct str text);
bool jv_same_text(struct jv a, struct jv b);

/* A hash of the text of jv_text, so 5 and "5" have equal ones.  As map_hash it differs
 * from run to run. */
uint64_t jv_hash(struct jv v);
/* A hash of the texts of two values that belong together. */
uint64_t jv_hash_pair(struct jv a, struct jv b);

/* A number, or a string that is a number; false when it is neither or not finite. */
bool jv_number(struct jv v, double *out);

/* The text of a J_STRING: borrowed where it has no escapes, else in `decoded`; else .p is
 * NULL. */
struct str jv_str(struct jv string, struct buf *decoded);
/* As jv_str, but decoded into an arena: valid as long as both the arena and the text. */
struct str jv_keep(struct jv string, struct arena *arena);

/* The inside of a string that has no escape, without allocation; else .p is NULL. */
struct str jv_plain(struct jv string);

/* ---- where large values end ---- */

/*
 * Where the large values of a text end.  json_check_keys, which reads every byte
 * anyway, notes it, and the cursor asks before it skips a value.  So walking a long text again
 * costs what is small in it, not its size.
 *
 * The values of the text refer to them (struct jv, `extents`).  They are owned by the
 * code that opened the text, and must live as long as its values are walked.
 */
#define EXTENTS_TEXT (1u << 20) /* bytes: of a shorter text they are not worth noting, */
#define EXTENTS_RUN  4096u /* unless it is a run of values, which are walked often */
#define EXTENT_LEAST 1024u /* bytes: smaller values are not noted */
#define EXTENT_DEPTH 16u   /* containers around a value: deeper ones are not noted */

struct extents *extents_new(struct str text);  /* borrows it */
void extents_free(struct extents *e);          /* NULL is fine */
size_t extents_bytes(const struct extents *e); /* memory; 0 for NULL */

/* For json_check_keys: a value has ended. */
void extents_add(struct extents *e, const char *p, const char *end);

/* After this nothing may be added, and values may refer to them.  Linear in the extents.
 */
void extents_seal(struct extents *e);

/* The end of the value that begins at p, in constant time; NULL when it is not known. */
const char *extents_end(const struct extents *e, const char *p);

/* ---- what values mean ---- */

/*
 * A hash of 128 bits of what a value means: equal for values that json_same calls equal,
 * and for others only by chance (the key is new in each process, so input cannot be made
 * to collide).  The order of members, escapes, white space and the spelling of a number
 * do not count.  Of duplicate members each counts.
 *
 * The cursor walks the raw text, some MB in a few milliseconds, without recursion.
 * Containers nested deeper than MEANING_DEPTH count as they are written.
 */
#define MEANING_DEPTH 64

struct meaning {
	uint64_t half[2];
};

struct meaning jv_meaning(struct jv value);      /* J_NONE counts as null */
struct meaning meaning_of_text(struct str text); /* not of a J_STRING */

/* The hash of a sequence: m, then `next`. */
struct meaning meaning_then(struct meaning m, struct meaning next);

/* Whether two values mean the same; J_NONE equals itself alone.  Linear; values that are
 * written alike are compared as bytes. */
bool jv_same(struct jv a, struct jv b);

static inline bool meaning_equal(struct meaning a, struct meaning b)
{
	return a.half[0] == b.half[0] && a.half[1] == b.half[1];
}

#endif
