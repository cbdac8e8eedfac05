/* See request.h. */
#include "config.h"
#include "export/export.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/work.h"

#include "dialect/dialect.h"
#include "dialect/api.h"
#include "import/open.h"
#include "json/json.h"

/* ---- vendors ----
 *
 * Who runs models, where requests are sent, and which variable has the key: a table.  The
 * trace only chooses among its rows; no address of a trace becomes one that a key is sent
 * to.
 */

struct vendor {
	const char *name;
	const char *words[4]; /* in the name of a provider, or of a host */
	const char
		*models[8]; /* how names of its models begin, or what they have in them */
	const char *key;    /* the variable with the key; NULL: it needs none */
	const char *base;   /* the address; NULL: the variable has to be set */
	const char *base_variable;     /* that overrides it, or NULL */
	const char *paths[API_COUNT];  /* after the address; "%s": the model */
	enum api api;                  /* that it is asked by where nothing is said */
	bool slashes;                  /* its models have names as "maker/model" */
};

static const struct vendor vendors[] = {
	{.name = "OpenRouter",
		.words = {"openrouter"},
		.key = "OPENROUTER_API_KEY",
		.base = "https://openrouter.ai/api/v1",
		.paths = {[API_CHAT] = "/chat/completions",
			[API_RESPONSES] = "/responses"},
		.slashes = true},
	{.name = "Azure OpenAI",
		.words = {"azure"},
		.key = "AZURE_OPENAI_API_KEY",
		.base_variable = "AZURE_OPENAI_ENDPOINT",
		.paths = {[API_CHAT] = "/openai/v1/chat/completions",
			[API_RESPONSES] = "/openai/v1/responses"}},
	{.name = "Groq",
		.words = {"groq"},
		.key = "GROQ_API_KEY",
		.base = "https://api.groq.com/openai/v1",
		.paths = {[API_CHAT] = "/chat/completions",
			[API_RESPONSES] = "/responses"},
		.slashes = true},
	{.name = "Together",
		.words = {"together"},
		.key = "TOGETHER_API_KEY",
		.base = "https://api.together.xyz/v1",
		.paths = {[API_CHAT] = "/chat/completions"},
		.slashes = true},
	{.name = "Fireworks",
		.words = {"fireworks"},
		.key = "FIREWORKS_API_KEY",
		.base = "https://api.fireworks.ai/inference/v1",
		.paths = {[API_CHAT] = "/chat/completions"},
		.slashes = true},
	{.name = "Cerebras",
		.words = {"cerebras"},
		.key = "CEREBRAS_API_KEY",
		.base = "https://api.cerebras.ai/v1",
		.paths = {[API_CHAT] = "/chat/completions"}},
	{.name = "Ollama",
		.words = {"ollama", "localhost:11434", "127.0.0.1:11434"},
		.base = "http://localhost:11434",
		.paths =
			{[API_CHAT] = "/v1/chat/completions", [API_OLLAMA] = "/api/chat"},
		.slashes = true},
	{.name = "Anthropic",
		.words = {"anthropic"},
		.models = {"claude"},
		.key = "ANTHROPIC_API_KEY",
		.base = "https://api.anthropic.com",
		.base_variable = "ANTHROPIC_BASE_URL",
		.paths = {[API_ANTHROPIC] = "/v1/messages",
			[API_CHAT] = "/v1/chat/completions"},
		.api = API_ANTHROPIC},
	{.name = "Gemini",
		.words = {"gemini", "google", "vertex"},
		.models = {"gemini"},
		.key = "GEMINI_API_KEY",
		.base = "https://generativelanguage.googleapis.com",
		.base_variable = "GOOGLE_GEMINI_BASE_URL",
		.paths = {[API_GEMINI] = "/v1beta/models/%s:generateContent",
			[API_CHAT] = "/v1beta/openai/chat/completions"},
		.api = API_GEMINI},
	{.name = "DeepSeek",
		.words = {"deepseek"},
		.models = {"deepseek"},
		.key = "DEEPSEEK_API_KEY",
		.base = "https://api.deepseek.com",
		.paths = {[API_CHAT] = "/chat/completions",
			[API_ANTHROPIC] = "/anthropic/v1/messages"}},
	{.name = "Mistral",
		.words = {"mistral"},
		.models = {"mistral", "mixtral", "codestral", "magistral", "devstral",
			"ministral", "pixtral"},
		.key = "MISTRAL_API_KEY",
		.base = "https://api.mistral.ai/v1",
		.paths = {[API_CHAT] = "/chat/completions"}},
	{.name = "xAI",
		.words = {"xai", "x_ai", "api.x.ai"},
		.models = {"grok"},
		.key = "XAI_API_KEY",
		.base = "https://api.x.ai/v1",
		.paths = {[API_CHAT] = "/chat/completions",
			[API_RESPONSES] = "/responses"}},
	{.name = "Moonshot",
		.words = {"moonshot"},
		.models = {"kimi", "moonshot"},
		.key = "MOONSHOT_API_KEY",
		.base = "https://api.moonshot.ai/v1",
		.paths = {[API_CHAT] = "/chat/completions"}},
	{.name = "OpenAI",
		.words = {"openai"},
		.models = {"gpt-", "chatgpt", "o1", "o3", "o4-", "codex", "davinci"},
		.key = "OPENAI_API_KEY",
		.base = "https://api.openai.com/v1",
		.base_variable = "OPENAI_BASE_URL",
		.paths = {[API_CHAT] = "/chat/completions",
			[API_RESPONSES] = "/responses",
			[API_COMPLETIONS] = "/completions"}},
};

#define VENDORS (sizeof(vendors) / sizeof(*vendors))

static bool has(struct str text, const char *word)
{
	return text.n && memmem(text.p, text.n, word, strlen(word));
}

static const struct vendor *by_words(struct str text)
{
	for (size_t i = 0; i < VENDORS; i++)
		for (size_t w = 0; w < 4 && vendors[i].words[w]; w++)
			if (has(text, vendors[i].words[w]))
				return &vendors[i];
	return NULL;
}

/* Some sell the models of others under longer names: "us.anthropic.claude-…". */
static const struct vendor *by_model(struct str model)
{
	static const char *const inside[] = {"claude", "gemini"};
	struct str name = str_file_name(model); /* of "vertex_ai/claude-…" */

	for (size_t i = 0; i < VENDORS; i++)
		for (size_t m = 0; m < 8 && vendors[i].models[m]; m++) {
			const char *word = vendors[i].models[m];

			if (str_starts(name, str_of(word)) ||
				(STR_AMONG(str_of(word), inside) && has(name, word)))
				return &vendors[i];
		}
	return NULL;
}

/* In small letters, as the table has them. */
static struct str lowered(struct buf *out, struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		buf_byte(out, str_small(text.p[i]));
	return buf_view(out);
}

/*
 * By where a request was sent to, by the provider's name, by the model; each may be
 * empty. NULL: none is known.
 */
static const struct vendor *vendor_find(
	struct str address, struct str provider, struct str model)
{
	const char *from = address.n ? memmem(address.p, address.n, "://", 3) : NULL;
	AUTO_BUF small = BUF_INIT, maker = BUF_INIT, name = BUF_INIT;
	const struct vendor *found, *of_model;
	struct str host = {0};

	if (from)
		host.p = from + 3;
	while (from && host.p + host.n < address.p + address.n && host.p[host.n] != '/')
		host.n++;
	of_model = by_model(lowered(&name, model));
	found = by_words(lowered(&small, host));
	if (!found)
		found = by_words(lowered(&maker, provider));
	/* Google's cloud has other makers' models, too */
	if (!found || (found->api == API_GEMINI && of_model))
		found = of_model;
	return found;
}

#define HISTORY_MOST 100000 /* steps of a log that are looked at */

const char *const request_form_names[REQUEST_FORMS] = {"curl", "json", "python"};

struct request_maker {
	struct trace *trace;
	uint32_t *steps; /* the history, then the step itself */
	size_t count, cap;
	struct step_content **opened; /* as far as they are open */
	size_t opened_count;
	bool made; /* all that follows is */
	struct arena arena;
	struct request asked;
	struct buf body; /* on one line */
	enum api api;
	const struct vendor *vendor;
	struct str model, address;
	bool recorded, stream;
	const char *why; /* it is no request; static */
};

/* ---- which steps ---- */

/* Of a session log with the steps of the same thread before.  Linear in the chain. */
struct request_maker *request_new(struct trace *trace, size_t position)
{
	struct request_maker *r = mem_zalloc(1, sizeof(*r));
	struct step now = trace_step(trace, trace_at(trace, position));
	size_t i = trace->chains[trace_chain_at(trace, position)].first;

	r->trace = trace;
	r->asked.arena = &r->arena;
	if (position - i > HISTORY_MOST)
		i = position - HISTORY_MOST;
	for (; now.flags & STEP_TURN && i < position; i++) {
		struct step s = trace_step(trace, trace_at(trace, i));

		if (s.flags & STEP_TURN && s.parent == now.parent && s.scope == now.scope)
			*MEM_ADD(r->steps, r->count, r->cap) = trace_at(trace, i);
	}
	*MEM_ADD(r->steps, r->count, r->cap) = trace_at(trace, position);
	r->opened = mem_zalloc(r->count, sizeof(struct step_content *));
	return r;
}

/* What was made of the steps. */
static void forget(struct request_maker *r)
{
	request_done(&r->asked);
	arena_done(&r->arena);
	buf_done(&r->body);
	*r = (struct request_maker){.trace = r->trace,
		.steps = r->steps,
		.count = r->count,
		.opened = r->opened,
		.opened_count = r->opened_count};
	r->asked.arena = &r->arena;
}

void request_free(struct request_maker *r)
{
	if (!r)
		return;
	forget(r);
	for (size_t i = 0; i < r->opened_count; i++)
		step_content_free(r->opened[i]);
	mem_free(r->opened);
	mem_free(r->steps);
	mem_free(r);
}

static const struct step_content *asking(const struct request_maker *r)
{
	return r->opened[r->count - 1];
}

/* ---- to whom, and how ---- */

static struct str fact_text(struct request_maker *r, enum fact fact)
{
	struct jv v = asking(r)->facts.v[fact];

	return v.kind == J_STRING ? str_trim(jv_keep(v, &r->arena)) : (struct str){0};
}

static void find_model(struct request_maker *r)
{
	static const char *const before[] = {"/models/", "/model/", "/deployments/"};
	struct jv named = jv_member(asking(r)->body, "model");
	struct str address = r->address, folder = STR("models/");
	const char *at = NULL;

	/* "gemini-2.0-flash" of ".../models/gemini-2.0-flash:generateContent"; addresses
	 * of Bedrock and Azure name it, too */
	for (size_t i = 0; address.n && !at && i < 3; i++) {
		at = memmem(address.p, address.n, before[i], strlen(before[i]));
		at = at ? at + strlen(before[i]) : NULL;
	}
	r->model = (struct str){at, 0};
	while (at && at + r->model.n < address.p + address.n &&
		!memchr(":/?", at[r->model.n], 3))
		r->model.n++;
	if (named.kind == J_STRING)
		r->model = jv_keep(named, &r->arena);
	if (!r->model.n)
		r->model = fact_text(r, FACT_MODEL);
	/* a message of the log's own may name no model, or one that is none */
	for (size_t i = r->count - 1;
		i-- && !vendor_find((struct str){0}, (struct str){0}, r->model);) {
		struct jv v = r->opened[i]->facts.v[FACT_MODEL];

		if (v.kind == J_STRING && !jv_empty(v))
			r->model = jv_keep(v, &r->arena);
	}
	if (str_starts(r->model, folder))
		r->model = str_skip(r->model, folder.n);
}

/* The API of the dialect that the input is in; API_COUNT: it has none.  OpenAI's
 * messages are a custom that logs follow whoever was asked. */
static enum api api_of_dialect(const struct dialect *d)
{
	return d == &dialect_responses   ? API_RESPONSES
	       : d == &dialect_anthropic ? API_ANTHROPIC
	       : d == &dialect_gemini    ? API_GEMINI
					 : API_COUNT;
}

/* No provider is known to run the model, or to take a recorded body of that API: it is
 * sent to those whose own the API is. */
static void guess_vendor(struct request_maker *r, enum api api)
{
	r->vendor = NULL;
	for (size_t i = VENDORS; i-- && !r->vendor;)
		if (vendors[i].paths[api] &&
			(vendors[i].api == api || i + 1 == VENDORS || api == API_OLLAMA))
			r->vendor = &vendors[i];
	if (r->vendor->base_variable)
		request_note(&r->asked,
			"who runs the model is not known: it is sent to %s, unless %s "
			"says where",
			r->vendor->name, r->vendor->base_variable);
}

static void choose(struct request_maker *r)
{
	const struct step_content *o = asking(r);
	struct str name = fact_text(r, FACT_NAME);
	enum api said = api_of_dialect(o->dialect);

	/* a recorded exchange is called by its address, or its path */
	if (str_starts(name, STR("http")) || str_starts(name, STR("/")))
		r->address = name;
	find_model(r);
	r->api = api_of_body(o->body, r->address, r->model);
	/* one that leaves the model to its address is no body for another */
	r->recorded =
		r->api != API_COUNT &&
		(r->api == API_GEMINI || jv_member(o->body, "model").kind == J_STRING);
	r->vendor = vendor_find(r->address, fact_text(r, FACT_PROVIDER), r->model);
	if (!r->vendor || (r->recorded && !r->vendor->paths[r->api]))
		guess_vendor(r, r->recorded        ? r->api
				: said < API_COUNT ? said
						   : API_CHAT);
	if (!r->recorded)
		r->api = said < API_COUNT && r->vendor->paths[said] ? said
								    : r->vendor->api;
	/* logs name the route to a model before it */
	if (!r->recorded && !r->vendor->slashes)
		r->model = str_file_name(r->model);
	if (!r->model.n) {
		r->model = STR("MODEL");
		if (!r->recorded || r->api == API_GEMINI)
			request_note(&r->asked,
				"the model is not in the trace: write it for MODEL");
	}
	r->stream = jv_member(o->body, "stream").kind == J_TRUE ||
		    (r->address.n && memmem(r->address.p, r->address.n,
					     "streamGenerateContent", 21));
}

/* ---- what was asked ---- */

static void read_side(
	struct request_maker *r, const struct side *s, size_t count, bool instructions)
{
	if (s->view == SIDE_TEXT && s->text.n && !instructions)
		request_add_text(&r->asked, s->text, s->prefer);
	for (size_t i = 0; s->view == SIDE_CHAT && i < count; i++) {
		if (!instructions ||
			message_speaker(s->chat.items[i], PREFER_INPUT) == SPEAKER_SYSTEM)
			request_add(&r->asked, s->chat.items[i], s->prefer);
		if (stop_wanted(s->chat.items[i].n))
			break;
	}
}

/* Of the steps before the last both sides were said; before a compaction only what the
 * log began with is still sent. */
static void read_messages(struct request_maker *r)
{
	const struct side *input = &asking(r)->input;
	size_t compacted = 0; /* the step whose compaction was the last */
	size_t n = input->chat.count;

	for (size_t i = 0; i < r->count; i++)
		compacted = r->opened[i]->resets ? i : compacted;
	for (size_t i = 0; i + 1 < r->count; i++) {
		const struct step_content *before = r->opened[i];
		bool given_up = i < compacted;

		if (i && given_up)
			continue;
		read_side(r, &before->input, before->input.chat.count, given_up);
		if (!before->shared && !given_up)
			read_side(r, &before->output, before->output.chat.count, false);
	}
	/* of a conversation that both sides are, what the assistant says at the end is
	 * the answer */
	while (asking(r)->shared && n > 0 &&
		message_speaker(input->chat.items[n - 1], PREFER_INPUT) ==
			SPEAKER_ASSISTANT)
		n--;
	read_side(r, input, n ? n : input->chat.count, false);
}

/* Makes the body, once all steps are open. */
static void make(struct request_maker *r)
{
	const struct step_content *o = asking(r);
	bool text = o->input.view == SIDE_CHAT || o->input.view == SIDE_TEXT;
	struct jv tools = o->facts.v[FACT_TOOLS];

	if (trace_flags(r->trace, r->steps[r->count - 1]) & STEP_BROKEN) {
		r->why = "the step cannot be read";
		return;
	}
	if (text || r->count > 1)
		choose(r);
	if (r->recorded) {
		json_write_raw(&r->body, jv_raw(o->body));
		return;
	}
	if (r->count > 1 || o->run)
		request_note(&r->asked,
			"put together from %zu step%s of a session log, which has "
			"neither the agent's system text nor its tools unless shown",
			r->count, plural(r->count));
	read_messages(r);
	if (!r->asked.count) {
		r->why = "the step asks a model nothing: it has no messages";
		return;
	}
	/* a log states the tools that were offered once, and when they have changed */
	for (size_t i = r->count - 1; i-- && jv_empty(tools);)
		tools = r->opened[i]->facts.v[FACT_TOOLS];
	r->asked.model = r->model;
	parts_done(&r->asked.tools);
	r->asked.tools = parts_read_tools(tools, &r->arena);
	request_set_parameters(&r->asked, o->facts.v[FACT_PARAMETERS]);
	request_set(&r->asked, REQUEST_TEMPERATURE, o->facts.v[FACT_TEMPERATURE]);
	request_set(&r->asked, REQUEST_MOST, o->facts.v[FACT_MAX_TOKENS]);
	api_write(r->api, &r->body, &r->asked);
}

enum task_state request_run(struct request_maker *r, uint64_t deadline)
{
	while (r->opened_count < r->count) {
		struct step_content *o =
			step_content_try(r->trace, r->steps[r->opened_count], false);

		if (!o)
			return TASK_MORE;
		r->opened[r->opened_count++] = o;
		if (clock_passed(deadline))
			return TASK_MORE;
	}
	if (!r->made) {
		stop_begin();
		make(r);
		r->made = !stop_end();
	}
	if (!r->made)
		forget(r);
	return r->made ? TASK_DONE : TASK_MORE;
}

unsigned request_percent(const struct request_maker *r)
{
	return (unsigned)(r->opened_count * 100 / r->count);
}

/* ---- as something that runs ---- */

/* The path with the model's name in it, percent-encoded. */
static void put_path(const struct request_maker *r, struct buf *out)
{
	const char *path = r->vendor->paths[r->api], *hole = strstr(path, "%s");

	if (!hole) {
		buf_text(out, path);
		return;
	}
	buf_add(out, path, (size_t)(hole - path));
	buf_percent(out, r->model, "-._~");
	buf_text(out, r->stream ? ":streamGenerateContent?alt=sse" : hole + 2);
}

/* The header that has the key. */
static const char *key_header(const struct request_maker *r)
{
	switch (r->api) {
	case API_ANTHROPIC:
		return "x-api-key: ";
	case API_GEMINI:
		return "x-goog-api-key: ";
	default:
		return "Authorization: Bearer ";
	}
}

static void put_curl(const struct request_maker *r, struct str body, struct buf *out)
{
	const struct vendor *v = r->vendor;
	bool streamed =
		r->stream || (r->api != API_GEMINI &&
				     request_other(&r->asked, "stream").kind == J_TRUE);

	/* one that comes in pieces is shown as it comes */
	buf_text(out, streamed ? "curl -sSN \"" : "curl -sS \"");
	if (v->base && v->base_variable)
		buf_printf(out, "${%s:-%s}", v->base_variable, v->base);
	else if (v->base)
		buf_text(out, v->base);
	else
		buf_printf(out, "$%s", v->base_variable);
	put_path(r, out);
	buf_text(out, "\" \\\n");
	if (v->key)
		buf_printf(out, "  -H \"%s$%s\" \\\n", key_header(r), v->key);
	if (r->api == API_ANTHROPIC)
		buf_text(out, "  -H 'anthropic-version: 2023-06-01' \\\n");
	buf_text(out, "  -H 'Content-Type: application/json' \\\n"
		      "  --data-binary @- <<'EOF'\n");
	buf_str(out, body);
	buf_text(out, "EOF\n");
}

static void put_python(const struct request_maker *r, struct str body, struct buf *out)
{
	const struct vendor *v = r->vendor;

	buf_text(out, "import json\nimport os\nimport sys\nimport urllib.error\n"
		      "import urllib.request\n\nbody = json.loads(r\"\"\"\n");
	buf_str(out, body);
	buf_text(out, "\"\"\")\n\nbase = ");
	if (v->base && v->base_variable)
		buf_printf(out, "os.environ.get(\"%s\", \"%s\")\n", v->base_variable,
			v->base);
	else if (v->base)
		buf_printf(out, "\"%s\"\n", v->base);
	else
		buf_printf(out, "os.environ[\"%s\"]\n", v->base_variable);
	buf_text(out, "request = urllib.request.Request(\n    base + \"");
	put_path(r, out);
	buf_text(out, "\",\n    data=json.dumps(body).encode(),\n    headers={\n");
	if (v->key) {
		const char *header = key_header(r), *before = strchr(header, ' ') + 1;

		buf_printf(out, "        \"%.*s\": ", (int)strcspn(header, ":"), header);
		if (*before)
			buf_printf(out, "\"%s\" + ", before);
		buf_printf(out, "os.environ[\"%s\"],\n", v->key);
	}
	if (r->api == API_ANTHROPIC)
		buf_text(out, "        \"anthropic-version\": \"2023-06-01\",\n");
	buf_text(out, "        \"Content-Type\": \"application/json\",\n    },\n)\n"
		      "try:\n    with urllib.request.urlopen(request) as response:\n"
		      "        for line in response:\n"
		      "            sys.stdout.write(line.decode())\n"
		      "except urllib.error.HTTPError as error:\n"
		      "    sys.exit(error.read().decode())\n");
}

bool request_write(struct request_maker *r, enum request_form form, struct buf *out,
	struct buf *notes, struct err *err)
{
	AUTO_BUF body = BUF_INIT, line = BUF_INIT;

	if (r->why) {
		err_set(err, "%s", r->why);
		return false;
	}
	json_write_raw(&line, buf_view(&r->body));
	json_spread(&body, buf_view(&line), JSON_PRETTY);
	if (!body.len || body.data[body.len - 1] != '\n')
		buf_byte(&body, '\n');
	if (form == REQUEST_CURL)
		put_curl(r, buf_view(&body), out);
	else if (form == REQUEST_PYTHON)
		put_python(r, buf_view(&body), out);
	else
		buf_str(out, buf_view(&body));
	buf_str(notes, buf_view(&r->asked.notes));
	return true;
}
