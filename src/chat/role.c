/* See role.h. */
#include "config.h"
#include "chat/role.h"

enum speaker role_speaker(struct str role)
{
	static const struct {
		const char *name;
		enum speaker speaker;
	} roles[] = {
		{"user", SPEAKER_USER},
		{"human", SPEAKER_USER},
		{"assistant", SPEAKER_ASSISTANT},
		{"ai", SPEAKER_ASSISTANT},
		{"model", SPEAKER_ASSISTANT},
		{"gpt", SPEAKER_ASSISTANT},
		{"bot", SPEAKER_ASSISTANT},
		{"system", SPEAKER_SYSTEM},
		{"developer", SPEAKER_SYSTEM},
		{"tool", SPEAKER_TOOL},
		{"function", SPEAKER_TOOL},
		{"ipython", SPEAKER_TOOL},
	};

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (str_equal(role, str_of(roles[i].name)))
			return roles[i].speaker;
	return SPEAKER_OTHER;
}
