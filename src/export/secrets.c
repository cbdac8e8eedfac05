/* See secrets.h. */
#include "config.h"
#include "export/secrets.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/embedded.h"
#include "base/mem.h"
#include "base/pattern.h"
#include "base/str.h"
#include "base/work.h"
#include "import/open.h"
#include "json/check.h"

#define WINDOW     (96u << 10) /* bytes that are looked through at once, */
#define OVERLAP    (16u << 10) /* ... and what two of them share */
#define RULES_COST 8           /* looking through a byte costs as reading so many */
#define HINTS      12
#define NESTED     3       /* strings in strings that are decoded */
#define TIME_LIMIT 1000000 /* microseconds for what runs long in one window */
#define RANDOM     3.0     /* bits for each character of a value that looks random */
#define VALUE_MOST 4096    /* bytes of such a value */
#define LINE_LEAST 8       /* characters of a line of a secret that is hidden by itself */
#define NAME_LEAST 4       /* letters of a user's name that is hidden by itself */

struct secret_rule {
	struct str name; /* in the arena, as are the hints */
	struct pattern *pattern;
	struct str hints[HINTS];
	size_t hint_count;
	bool random; /* a match must look random */
};

/* ---- rules ---- */

static struct secret_rule *add_rule(
	struct secrets *s, struct str name, struct str pattern, struct err *err)
{
	struct pattern *p = pattern_new_search(pattern, 0, err);
	struct secret_rule *r;

	if (!p)
		return NULL;
	r = MEM_ADD(s->rules, s->rule_count, s->rule_cap);
	*r = (struct secret_rule){
		.name = name, .pattern = p, .random = str_equal(name, STR("secret"))};
	return r;
}

struct secrets *secrets_new(const char *const *patterns, size_t count, struct err *err)
{
	struct secrets *s = mem_zalloc(1, sizeof(*s));
	struct jv built_in = jv_parse(
		(struct str){(const char *)embedded_secrets.bytes, embedded_secrets.n});
	bool ok = true;

	JV_EACH(rule, jv_member(built_in, "rules")) {
		struct secret_rule *r =
			add_rule(s, jv_keep(jv_member(rule, "name"), &s->arena),
				jv_keep(jv_member(rule, "pattern"), &s->arena), err);

		ok = r != NULL;
		if (!ok)
			break;
		JV_EACH(hint, jv_member(rule, "hints"))
			if (r->hint_count < HINTS)
				r->hints[r->hint_count++] = jv_keep(hint, &s->arena);
	}
	for (size_t i = 0; ok && i < count; i++)
		ok = add_rule(s, STR("own"), str_of(patterns[i]), err);
	if (ok)
		return s;
	secrets_free(s);
	return NULL;
}

void secrets_free(struct secrets *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->rule_count; i++)
		pattern_free(s->rules[i].pattern);
	for (size_t i = 0; i < s->count; i++) {
		buf_done(&s->items[i].stand_in);
		mem_free(s->items[i].places);
	}
	mem_free(s->rules);
	mem_free(s->items);
	intern_done(&s->texts);
	arena_done(&s->arena);
	buf_done(&s->clean);
	dedup_set_done(&s->harmless);
	mem_free(s);
}

/* ---- what was found ---- */

/* The number of a secret, new or not; a new one has no stand-in. */
static size_t intern_secret(struct secrets *s, struct str kind, struct str text)
{
	uint32_t i = intern_add(&s->texts, text);

	if (i == s->count)
		*MEM_ADD(s->items, s->count, s->cap) = (struct secret){
			.text = intern_get(&s->texts, i), .kind = kind, .whole = i};
	return i;
}

/* Lines of a key as they stand in a difference, or beside numbers. */
static void add_lines(struct secrets *s, size_t whole)
{
	struct str text = s->items[whole].text;
	size_t from = 0, capitals = 0;

	if (!memchr(text.p, '\n', text.n))
		return;
	for (size_t at = 0; at <= text.n; at++) {
		char c = at < text.n ? text.p[at] : '\n';
		struct str line = {text.p + from, at - from};
		bool is_line = line.n >= LINE_LEAST && capitals < line.n;
		size_t i, count = s->count;

		if (str_is_plain(c) || (c && strchr("+/=", c))) { /* of base64 */
			capitals += c >= 'A' && c <= 'Z';
			continue;
		}
		from = at + 1;
		capitals = 0;
		if (!is_line) /* it may be "ENCRYPTED", as a key's head may say */
			continue;
		i = intern_secret(s, s->items[whole].kind, line);
		if (i == count) {
			s->items[i].whole = whole;
			s->items[i].number = s->items[whole].number;
			buf_str(&s->items[i].stand_in,
				buf_view(&s->items[whole].stand_in));
		}
	}
}

static struct secret *add(struct secrets *s, struct str kind, struct str text)
{
	size_t count = s->count, i = intern_secret(s, kind, text), before = i;
	struct secret *x = &s->items[i];
	struct secret_place *last;

	s->added++;
	if (i == count) {
		while (before && !str_equal(s->items[before - 1].kind, kind))
			before--;
		x->number = before ? s->items[before - 1].number + 1 : 1;
		buf_printf(&x->stand_in, "[%.*s-%zu]", (int)kind.n, kind.p, x->number);
		add_lines(s, i);
	}
	x = &s->items[s->items[i].whole];
	last = x->place_count ? &x->places[x->place_count - 1] : NULL;
	if (!last || last->file != s->at.file || last->chain != s->at.chain ||
		last->step != s->at.step)
		*MEM_ADD(x->places, x->place_count, x->place_cap) = s->at;
	return &s->items[i];
}

/* Letters and digits without words: no path, no name, no sentence. */
static bool looks_random(struct str text)
{
	size_t letters = 0, digits = 0, slashes = 0, counts[256] = {0};
	double bits = 0; /* for each character */

	for (size_t i = 0; i < text.n; i++) {
		letters += str_is_plain(text.p[i]) && !str_is_digit(text.p[i]);
		digits += str_is_digit(text.p[i]);
		slashes += text.p[i] == '/' || text.p[i] == '.';
		counts[(unsigned char)text.p[i]]++;
	}
	if (text.n < 10 || text.n > VALUE_MOST || letters < 3 || digits < 2 ||
		slashes > text.n / 8)
		return false;
	for (size_t i = 0; i < 256; i++)
		if (counts[i]) {
			double share = (double)counts[i] / (double)text.n;

			bits -= share * log2(share);
		}
	return bits >= RANDOM;
}

/* ---- homes ---- */

static bool is_of_name(char c)
{
	return str_is_plain(c) || (c && strchr("._-", c)) || (unsigned char)c >= 0x80;
}

/* Whether a path can begin at a place, or has a disk or a mount before it that is often
 * there: "src/home/page.ts" and "example.org/home/about" are no homes. */
static bool begins_path(struct str text, size_t at)
{
	static const struct str mounts[] = {{"/var", 4}, {"/export", 7}, {"/private", 8}};
	size_t letter = at && str_is_plain(text.p[at - 1]) ? at - 1 : at;
	struct str before = {text.p, at};

	for (size_t i = 0; i < sizeof(mounts) / sizeof(*mounts); i++)
		if (before.n >= mounts[i].n && !memcmp(before.p + before.n - mounts[i].n,
						       mounts[i].p, mounts[i].n))
			return true;
	if (letter < at) /* "/mnt/c/Users" */
		return letter && text.p[letter - 1] == '/';
	return !at || !(strchr("._-~})$@", text.p[at - 1]) && text.p[at - 1]);
}

/* The end of a user's name; names of Windows may have a blank, where a path goes on. */
static size_t end_of_name(struct str text, size_t at, bool windows)
{
	size_t end = at, more;

	while (end < text.n && is_of_name(text.p[end]))
		end++;
	for (more = end; windows && more < text.n && more - at < 40 &&
			 (is_of_name(text.p[more]) || text.p[more] == ' ');)
		more++;
	if (windows && more > end && more < text.n && text.p[more] == '\\')
		return more;
	while (end > at && strchr(".-", text.p[end - 1])) /* of a sentence */
		end--;
	return end;
}

static void add_home(
	struct secrets *s, struct str text, size_t at, size_t head, size_t end)
{
	/* names that many machines have: hidden in paths, not by themselves */
	static const char *const usual[] = {"root", "user", "users", "admin", "ubuntu",
		"debian", "runner", "home", "node", "vscode", "codespace", "workspace",
		"default", "public", "shared", "guest", "test", "build", "jenkins",
		"docker", "data", "work", "code", "agent", "sandbox", "linuxbrew"};
	struct str user = {text.p + at + head, end - at - head};
	size_t from = at;

	if (at > 1 && text.p[at] == '\\' && text.p[at - 1] == ':')
		from -= 2;
	add(s, STR("home"), (struct str){text.p + from, end - from})->known =
		at + head - from;
	if (user.n >= NAME_LEAST && !STR_AMONG_ALIKE(user, usual))
		add(s, STR("user"), user)->word = true;
}

/* "/home/mara", "/Users/mara", "C:\Users\mara", that begin before `last`: the folder, and
 * the name.  `clean` is the text without what terminals take. */
static void scan_homes(struct secrets *s, struct str text, struct str clean, size_t last)
{
	static const struct str heads[] = {
		{"/home/", 6}, {"/Users/", 7}, {"\\Users\\", 7}};

	for (size_t h = 0; h < sizeof(heads) / sizeof(*heads); h++)
		for (size_t at = 0, name, end; at < last; at = name) {
			const char *found =
				memmem(text.p + at, text.n - at, heads[h].p, heads[h].n);

			if (!found || (size_t)(found - text.p) >= last)
				break;
			at = (size_t)(found - text.p);
			name = at + heads[h].n;
			end = end_of_name(text, name, h == 2);
			if (end > name + 1 && (h == 2 || begins_path(clean, at)))
				add_home(s, text, at, heads[h].n, end);
		}
}

/* ---- texts ---- */

static void scan_rule(struct secrets *s, const struct secret_rule *r, struct str text,
	struct str subject, size_t end)
{
	struct pattern_span span;
	uint64_t time_left = TIME_LIMIT;
	enum pattern_result result = PATTERN_NO;
	bool hint = !r->hint_count;
	size_t from = 0;

	for (size_t i = 0; i < r->hint_count && !hint; i++)
		hint = memmem(text.p, text.n, r->hints[i].p, r->hints[i].n);
	while (hint && from < end &&
		(result = pattern_find(r->pattern, subject, from, end, 0, &time_left,
			 &span)) == PATTERN_YES) {
		struct str found = {text.p + span.from, span.to - span.from};
		size_t known = 0; /* what all tokens of a kind begin with says nothing */

		for (size_t i = 0; i < r->hint_count; i++)
			if (r->hints[i].n > known && str_starts(found, r->hints[i]))
				known = r->hints[i].n;
		if (!r->random || looks_random(found))
			add(s, r->name, found)->known = known;
		from = span.to;
	}
	s->given_up += result == PATTERN_GAVE_UP;
}

/* Bytes of an order to a terminal, such as a color, at a place. */
static size_t order_length(struct str text, size_t at)
{
	size_t end = at + 2;

	if (at + 2 >= text.n || text.p[at] != '\033' || text.p[at + 1] != '[')
		return 0;
	while (end < text.n && end - at < 24 &&
		(str_is_digit(text.p[end]) || strchr(";?", text.p[end])))
		end++;
	return end < text.n && str_is_plain(text.p[end]) ? end + 1 - at : 0;
}

/* A pattern sees UTF-8, byte for byte at its place: what is none, and orders to a
 * terminal, are no part of a word. */
static void make_clean(struct buf *clean, struct str text)
{
	size_t at = 0;

	buf_set(clean, text);
	while (at < text.n) {
		at += utf8_valid_prefix(text.p + at, text.n - at);
		if (at < text.n)
			clean->data[at++] = '\001';
	}
	for (const char *p = text.p;
		(p = memchr(p, '\033', text.n - (size_t)(p - text.p))); p++) {
		size_t from = (size_t)(p - text.p);

		memset(clean->data + from, '\001', order_length(text, from));
	}
}

static void scan_plain(struct secrets *s, struct str text)
{
	for (size_t at = 0; at < text.n; at += WINDOW) {
		struct str window = {text.p + at, text.n - at < WINDOW + OVERLAP
							  ? text.n - at
							  : WINDOW + OVERLAP},
			   clean;
		size_t end = window.n < WINDOW ? window.n : WINDOW;

		if (stop_wanted(window.n * RULES_COST))
			return;
		count_work(WORK_SCAN, window.n);
		make_clean(&s->clean, window);
		clean = buf_view(&s->clean);
		while (end < window.n && ((unsigned char)clean.p[end] & 0xC0) == 0x80)
			end++;
		for (size_t i = 0; i < s->rule_count; i++)
			scan_rule(s, &s->rules[i], window, clean, end);
		scan_homes(s, window, clean, end);
	}
}

/* What backslashes stand for, as in a string of JSON or of a program. */
static void unescape(struct str text, struct buf *out)
{
	const char *end = text.p + text.n;

	for (const char *p = text.p; p < end; p++) {
		unsigned code;

		if (*p != '\\' || p + 1 == end) {
			buf_byte(out, *p);
			continue;
		}
		p++;
		if (*p == 'u' && json_hex4(p + 1, end, &code) == 4 && code) {
			buf_utf8(out, code);
			p += 4;
		} else {
			buf_byte(out, *p == 'n'   ? '\n'
				      : *p == 't' ? '\t'
				      : *p == 'r' ? '\r'
						  : *p);
		}
	}
}

bool percent_read(struct str text, size_t at, unsigned *byte)
{
	char digits[5] = "00";

	if (text.p[at] != '%' || text.n - at < 3)
		return false;
	memcpy(digits + 2, text.p + at + 1, 2);
	return json_hex4(digits, digits + 4, byte) == 4;
}

/* Appends a text with its percents decoded; false: it has none. */
static bool unpercent(struct str text, struct buf *out)
{
	bool any = false;

	for (size_t i = 0; i < text.n; i++) {
		unsigned code;

		if (percent_read(text, i, &code) && code) {
			any = true;
			i += 2;
			buf_byte(out, (char)code);
		} else {
			buf_byte(out, text.p[i]);
		}
	}
	return any;
}

/* A token may be colored in part, or be a part of an address. */
static void scan_decoded(struct secrets *s, struct str text)
{
	AUTO_BUF out = BUF_INIT;

	if (!text.n)
		return;
	for (size_t i = 0, skipped; memchr(text.p, '\033', text.n) && i < text.n;) {
		skipped = order_length(text, i);
		if (skipped)
			i += skipped;
		else
			buf_byte(&out, text.p[i++]);
	}
	if (out.len)
		scan_plain(s, buf_view(&out));
	buf_clear(&out);
	if (memchr(text.p, '%', text.n) && unpercent(text, &out))
		scan_plain(s, buf_view(&out));
}

/* A chat is sent again with each step: what had nothing to hide is not looked through
 * again. */
void secrets_scan(struct secrets *s, struct str text)
{
	AUTO_BUF inner = BUF_INIT;
	uint64_t key = map_hash(text), found = s->added + s->given_up;

	if (dedup_set_has(&s->harmless, key))
		return;
	scan_plain(s, text);
	scan_decoded(s, text);
	for (int i = 0; i < NESTED && text.n && memchr(text.p, '\\', text.n); i++) {
		struct buf next = BUF_INIT;

		unescape(text, &next);
		buf_done(&inner);
		inner = next;
		text = buf_view(&inner);
		scan_plain(s, text);
		scan_decoded(s, text);
	}
	if (s->added + s->given_up == found && !stop_asked())
		dedup_set_add(&s->harmless, key);
}

/* ---- values ---- */

/* Whether a member's name says that its value is secret. */
static bool names_secret(struct str name)
{
	static const char *const words[] = {"api_key", "apikey", "api-key", "secret",
		"password", "passwd", "passphrase", "access_key", "accesskey",
		"private_key", "auth_token", "access_token", "refresh_token", "id_token",
		"bearer", "credential", "authorization", "x-api-key"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		for (size_t at = 0, n = strlen(words[i]); at + n <= name.n; at++)
			if (!strncasecmp(name.p + at, words[i], n))
				return true;
	return name.n == 5 && !strncasecmp(name.p, "token", 5);
}

/* Looks through all strings of a value, names among them. */
static void scan_value(struct secrets *s, struct jv value)
{
	struct jv key = JV_NONE, item;
	AUTO_BUF text = BUF_INIT;

	if (value.kind == J_STRING) {
		jv_text(value, &text);
		secrets_scan(s, buf_view(&text));
		return;
	}
	if (value.kind != J_OBJECT && value.kind != J_ARRAY)
		return;
	for (struct jwalk w = jwalk_of(value); jwalk_next(&w, &key, &item);) {
		AUTO_BUF name = BUF_INIT, said = BUF_INIT;

		if (value.kind == J_OBJECT) {
			jv_text(key, &name);
			secrets_scan(s, buf_view(&name));
		}
		if (item.kind == J_STRING && item.n <= 2 * VALUE_MOST &&
			names_secret(buf_view(&name))) {
			jv_text(item, &said);
			if (looks_random(buf_view(&said)))
				add(s, STR("secret"), buf_view(&said));
		}
		scan_value(s, item);
	}
}

/* ---- a trace ---- */

struct looking {
	struct secrets *secrets;
	struct trace *trace;
	struct secret_place next; /* the step that is written to `step` */
	struct buf step;          /* as JSON */
	struct export *export;
	size_t chain; /* the next one whose title is looked at */
	bool written; /* all steps were */
};

static void keep(void *ctx, struct str bytes)
{
	buf_str(&((struct looking *)ctx)->step, bytes);
}

static void scan_values(struct secrets *s, struct str text)
{
	for (size_t at = 0; at < text.n;) {
		struct jv value = jv_next(text, &at);

		if (value.kind == J_NONE)
			break;
		scan_value(s, value);
	}
}

/* The step before is whole.  False: it was not looked through, as a key waits. */
static bool look_at_step(void *ctx, size_t chain, size_t step)
{
	struct looking *l = ctx;
	struct secrets *s = l->secrets;
	struct str shown = buf_view(&l->step), raw;
	AUTO_ARENA arena = {0};

	stop_begin();
	if (l->next.step) {
		uint32_t before = trace_at(l->trace,
			l->trace->chains[l->next.chain - 1].first + l->next.step - 1);

		s->at = l->next;
		raw = step_text(l->trace, before, &arena);
		scan_values(s, raw);
		if (trace_flags(l->trace, before) & STEP_BROKEN)
			secrets_scan(s, raw);
		scan_values(s, shown.n && *shown.p == ',' ? str_skip(shown, 1) : shown);
	}
	if (stop_end())
		return false;
	buf_clear(&l->step);
	l->next.chain = chain;
	l->next.step = step;
	return true;
}

struct looking *looking_new(struct secrets *s, struct trace *trace, uint32_t file)
{
	struct looking *l = mem_zalloc(1, sizeof(*l));
	struct export_options options = {.format = export_format_named(STR("json")),
		.write = keep,
		.begins_step = look_at_step,
		.ctx = l};

	l->secrets = s;
	l->trace = trace;
	l->next.file = file;
	s->at = l->next;
	secrets_scan(s, str_of(inputs_name(trace->inputs)));
	l->export = export_begin(&options);
	export_trace(
		l->export, trace, (struct export_part){EXPORT_ALL, EXPORT_ALL, NULL});
	return l;
}

enum task_state looking_run(struct looking *l, uint64_t deadline)
{
	struct secrets *s = l->secrets;

	while (l->chain < l->trace->chain_count) {
		const struct chain *c = &l->trace->chains[l->chain++];

		s->at.chain = l->chain;
		secrets_scan(s, str_of(inputs_name_at(l->trace->inputs,
					l->trace->scopes[c->scope].offset)));
		secrets_scan(s, trace_chain_title(l->trace, c));
		secrets_scan(s, trace_text(l->trace, c->trace_id));
		if (clock_passed(deadline))
			return TASK_MORE;
	}
	if (!l->written && export_run(l->export, deadline) == TASK_MORE)
		return TASK_MORE;
	l->written = true;
	return look_at_step(l, 0, 0) ? TASK_DONE : TASK_MORE;
}

unsigned looking_percent(const struct looking *l)
{
	return l->written ? 100 : export_percent(l->export);
}

void looking_free(struct looking *l)
{
	if (!l)
		return;
	export_free(l->export);
	buf_done(&l->step);
	mem_free(l);
}

/* ---- the report ---- */

size_t secrets_put(const struct secrets *s)
{
	size_t count = 0;

	for (size_t i = 0; i < s->count; i++)
		count += s->items[i].hidden > 0;
	return count;
}

void secrets_summary(const struct secrets *s, struct buf *out)
{
	size_t kinds = secrets_put(s);
	uint64_t places = 0;

	for (size_t i = 0; i < s->count; i++)
		places += s->items[i].hidden;
	buf_printf(out, "%" PRIu64 " place%s hidden, by %zu stand-in%s", places,
		plural(places), kinds, plural(kinds));
}
