/* The table of vendors: see vendor.h.  Of several that fit, the first counts. */
#include "config.h"
#include "export/vendor.h"

static const struct vendor vendors[] = {
	{.name = "OpenRouter",
		.words = {"openrouter"},
		.key = "OPENROUTER_API_KEY",
		.base = "https://openrouter.ai/api/v1",
		.paths = {[WIRE_CHAT] = "/chat/completions",
			[WIRE_RESPONSES] = "/responses"},
		.slashes = true},
	{.name = "Azure OpenAI",
		.words = {"azure"},
		.key = "AZURE_OPENAI_API_KEY",
		.base_variable = "AZURE_OPENAI_ENDPOINT",
		.paths = {[WIRE_CHAT] = "/openai/v1/chat/completions",
			[WIRE_RESPONSES] = "/openai/v1/responses"}},
	{.name = "Groq",
		.words = {"groq"},
		.key = "GROQ_API_KEY",
		.base = "https://api.groq.com/openai/v1",
		.paths = {[WIRE_CHAT] = "/chat/completions",
			[WIRE_RESPONSES] = "/responses"},
		.slashes = true},
	{.name = "Together",
		.words = {"together"},
		.key = "TOGETHER_API_KEY",
		.base = "https://api.together.xyz/v1",
		.paths = {[WIRE_CHAT] = "/chat/completions"},
		.slashes = true},
	{.name = "Fireworks",
		.words = {"fireworks"},
		.key = "FIREWORKS_API_KEY",
		.base = "https://api.fireworks.ai/inference/v1",
		.paths = {[WIRE_CHAT] = "/chat/completions"},
		.slashes = true},
	{.name = "Cerebras",
		.words = {"cerebras"},
		.key = "CEREBRAS_API_KEY",
		.base = "https://api.cerebras.ai/v1",
		.paths = {[WIRE_CHAT] = "/chat/completions"}},
	{.name = "Ollama",
		.words = {"ollama", "localhost:11434", "127.0.0.1:11434"},
		.base = "http://localhost:11434",
		.paths = {[WIRE_CHAT] = "/v1/chat/completions",
			[WIRE_OLLAMA] = "/api/chat"},
		.slashes = true},
	{.name = "Anthropic",
		.words = {"anthropic"},
		.models = {"claude"},
		.key = "ANTHROPIC_API_KEY",
		.base = "https://api.anthropic.com",
		.base_variable = "ANTHROPIC_BASE_URL",
		.paths = {[WIRE_ANTHROPIC] = "/v1/messages",
			[WIRE_CHAT] = "/v1/chat/completions"},
		.wire = WIRE_ANTHROPIC},
	{.name = "Gemini",
		.words = {"gemini", "google", "vertex"},
		.models = {"gemini"},
		.key = "GEMINI_API_KEY",
		.base = "https://generativelanguage.googleapis.com",
		.base_variable = "GOOGLE_GEMINI_BASE_URL",
		.paths = {[WIRE_GEMINI] = "/v1beta/models/%s:generateContent",
			[WIRE_CHAT] = "/v1beta/openai/chat/completions"},
		.wire = WIRE_GEMINI},
	{.name = "DeepSeek",
		.words = {"deepseek"},
		.models = {"deepseek"},
		.key = "DEEPSEEK_API_KEY",
		.base = "https://api.deepseek.com",
		.paths = {[WIRE_CHAT] = "/chat/completions",
			[WIRE_ANTHROPIC] = "/anthropic/v1/messages"}},
	{.name = "Mistral",
		.words = {"mistral"},
		.models = {"mistral", "mixtral", "codestral", "magistral", "devstral",
			"ministral", "pixtral"},
		.key = "MISTRAL_API_KEY",
		.base = "https://api.mistral.ai/v1",
		.paths = {[WIRE_CHAT] = "/chat/completions"}},
	{.name = "xAI",
		.words = {"xai", "x_ai", "api.x.ai"},
		.models = {"grok"},
		.key = "XAI_API_KEY",
		.base = "https://api.x.ai/v1",
		.paths = {[WIRE_CHAT] = "/chat/completions",
			[WIRE_RESPONSES] = "/responses"}},
	{.name = "Moonshot",
		.words = {"moonshot"},
		.models = {"kimi", "moonshot"},
		.key = "MOONSHOT_API_KEY",
		.base = "https://api.moonshot.ai/v1",
		.paths = {[WIRE_CHAT] = "/chat/completions"}},
	{.name = "OpenAI",
		.words = {"openai"},
		.models = {"gpt-", "chatgpt", "o1", "o3", "o4-", "codex", "davinci"},
		.key = "OPENAI_API_KEY",
		.base = "https://api.openai.com/v1",
		.base_variable = "OPENAI_BASE_URL",
		.paths = {[WIRE_CHAT] = "/chat/completions",
			[WIRE_RESPONSES] = "/responses",
			[WIRE_COMPLETIONS] = "/completions"}},
};

#define VENDORS (sizeof(vendors) / sizeof(*vendors))

static bool has(struct str text, const char *word)
{
	return text.n && memmem(text.p, text.n, word, strlen(word));
}

/* The host of an address; else an empty text. */
static struct str host_of(struct str address)
{
	const char *from = address.n ? memmem(address.p, address.n, "://", 3) : NULL;
	struct str host = {0};

	if (!from)
		return host;
	host.p = from + 3;
	while (host.p + host.n < address.p + address.n && host.p[host.n] != '/')
		host.n++;
	return host;
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
	const char *slash;
	struct str name = model;

	while (name.n && (slash = memchr(name.p, '/', name.n)))
		name = (struct str){slash + 1, name.n - (size_t)(slash + 1 - name.p)};
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
		buf_byte(out, text.p[i] >= 'A' && text.p[i] <= 'Z'
				      ? (char)(text.p[i] + 'a' - 'A')
				      : text.p[i]);
	return buf_view(out);
}

const struct vendor *vendor_find(
	struct str address, struct str provider, struct str model)
{
	struct buf host = BUF_INIT, maker = BUF_INIT, name = BUF_INIT;
	const struct vendor *found, *of_model;

	of_model = by_model(lowered(&name, model));
	found = by_words(lowered(&host, host_of(address)));
	if (!found)
		found = by_words(lowered(&maker, provider));
	/* Google's cloud has other makers' models, too */
	if (!found || (found->wire == WIRE_GEMINI && of_model))
		found = of_model;
	buf_done(&host);
	buf_done(&maker);
	buf_done(&name);
	return found;
}

const struct vendor *vendor_of_wire(enum wire wire)
{
	for (size_t i = VENDORS; i--;)
		if (vendors[i].paths[wire] &&
			(vendors[i].wire == wire || i + 1 == VENDORS ||
				wire == WIRE_OLLAMA))
			return &vendors[i];
	return NULL;
}
