#compdef catena
# Completion of catena for zsh; made by tools/docgen.
_catena() {
	local -a names
	names=(
		'print:print every step as readable text'
		'search:print the steps that hold a regular expression, and where'
		'export:write the chains as JSON, Markdown, text or HTML'
		'extract:chat parts request response'
		'payloads:list show prompt validate'
		'check:print what is wrong with the steps'
		'stats:print figures per chain, model and tool, and the payloads'
		'files:print the files that tool calls change and read, with the changes'
		'diff:print what differs between two steps, or two files'
		'sessions:list the sessions and traces of this machine, or of folders'
		'formats:list the formats that are recognized'
	)
	local values_from=' atif bedrock-invocation-log har http-nock openai-agents-trace tables transcript mlflow http-cassette jaeger otlp-logs otlp aws-agentcore datadog-traces datadog mini-swe-agent langfuse-ingestion swe-agent-steps amp anthropic-batch autogen-session braintrust-requests braintrust chatbot-ui chatgpt-export claude-ai-export continue deepeval google-ai-studio grok-export hermes kiro langfuse langsmith librechat litellm-completion-log litellm model-batch open-webui openai-agents-run-state openai-assistants-run openai-assistants openai-batch posthog-batch posthog-ui promptfoo qwenpaw saved-chains swe-agent tau-bench zed-old zed continue-states promptfoo-table droid inspect-header kimi-cli opencode-events opencode-run openhands-sdk cloudflare-ai-gateway helicone inspect-ai opencode-session opencode-storage opik portkey vertex-request-response vscode-copilot-chat vscode-copilot-chatreplay weave antigravity crewai-log crewai gemini-stream-json goose-export grok-build kimi-print letta posit-assistant-conversation posit-assistant rasa voiceflow cline-session cursor-stream agent-trail anthropic-managed-agents claude-stream-json cline-ui google-adk-logs anthropic-agent-events claude-result gemini-cli openhands-pairs qwen-code ag-ui-lists ag-ui agenta claude-code cline-task google-adk-evalset google-adk jsonrpc langgraph-stream openhands-runs openhands pi-session sharegpt codex-exec-json codex-rollout copilot-cli gemini-cli-responses session-trace ag-ui-input codex-rollout-old phoenix-table goose langchain-messages otel-sdk otel-sdk-groups cline-api vercel-ui-messages cursor-agent vercel-ui-stream mistral-vibe-meta mistral-vibe gptme otel-attributes stream-events vercel-result anthropic-messages bedrock-completion bedrock-converse cohere-chat gemini ollama openai-responses openai-responses-items openai-chat chat-dataset provider-error talk event'
	local values_show=' atif bedrock-invocation-log har http-nock openai-agents-trace tables transcript mlflow http-cassette jaeger otlp-logs otlp aws-agentcore datadog-traces datadog mini-swe-agent langfuse-ingestion swe-agent-steps amp anthropic-batch autogen-session braintrust-requests braintrust chatbot-ui chatgpt-export claude-ai-export continue deepeval google-ai-studio grok-export hermes kiro langfuse langsmith librechat litellm-completion-log litellm model-batch open-webui openai-agents-run-state openai-assistants-run openai-assistants openai-batch posthog-batch posthog-ui promptfoo qwenpaw saved-chains swe-agent tau-bench zed-old zed continue-states promptfoo-table droid inspect-header kimi-cli opencode-events opencode-run openhands-sdk cloudflare-ai-gateway helicone inspect-ai opencode-session opencode-storage opik portkey vertex-request-response vscode-copilot-chat vscode-copilot-chatreplay weave antigravity crewai-log crewai gemini-stream-json goose-export grok-build kimi-print letta posit-assistant-conversation posit-assistant rasa voiceflow cline-session cursor-stream agent-trail anthropic-managed-agents claude-stream-json cline-ui google-adk-logs anthropic-agent-events claude-result gemini-cli openhands-pairs qwen-code ag-ui-lists ag-ui agenta claude-code cline-task google-adk-evalset google-adk jsonrpc langgraph-stream openhands-runs openhands pi-session sharegpt codex-exec-json codex-rollout copilot-cli gemini-cli-responses session-trace ag-ui-input codex-rollout-old phoenix-table goose langchain-messages otel-sdk otel-sdk-groups cline-api vercel-ui-messages cursor-agent vercel-ui-stream mistral-vibe-meta mistral-vibe gptme otel-attributes stream-events vercel-result anthropic-messages bedrock-completion bedrock-converse cohere-chat gemini ollama openai-responses openai-responses-items openai-chat chat-dataset provider-error talk event'
	local values_format=' json markdown text html tables'
	local values_as=' curl json python'
	local values_filter=' name: model: event: id: trace: chain: provider: file: tool: offered: role: text: input: output: cost> tokens> in> out> cache> fresh> latency> bytes> number> depth> error broken mended open orphan'
	local values_prefer=' input output'
	local values_set=' theme= background=auto background=dark background=light layout=auto layout=side layout=top ascii=on ascii=off columns= cache= images=off images=chafa new-only=auto new-only=on new-only=off fold=auto fold=closed fold=open sort-keys=on sort-keys=off bar=off bar=time bar=cost bar=tokens timestamps=begin timestamps=end mouse=on mouse=off places=on places=off wrap=on wrap=off'
	if (( CURRENT == 2 )); then
		_describe command names
	fi
	if (( CURRENT == 3 )); then
		case $words[2] in
		extract) compadd -- chat parts request response ;;
		payloads) compadd -- list show prompt validate ;;
		esac
	fi
	case "$words[2] $words[3]" in
	"print"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--filter[only steps that pass, as '\''error cost>0.01 tool\:search'\'']:FILTER: compadd -S "" -- ${=values_filter}' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--width[wrap lines at that width]:CELLS:' \
		'--transcript[write each message once, as one text, with a rule for each step]' \
		'--new-only[leave out messages that the step before showed]' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"search"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--filter[only steps that pass, as '\''error cost>0.01 tool\:search'\'']:FILTER: compadd -S "" -- ${=values_filter}' \
		'--count[only how many hits and steps there are]' \
		'--fixed[look for the text itself, not a regular expression]' \
		'--ignore-case[upper and lower case are the same]' \
		'--case-sensitive[they are not (else if the pattern has upper case)]' \
		'--json[print JSON]' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"export"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--format[json, markdown, text, html or tables (else as FILE ends)]:FORMAT: compadd -S "" -- ${=values_format}' \
		'--output[write to FILE, which must be new]:FILE:_files' \
		'--force[replace FILE]' \
		'--filter[only steps that pass, as '\''error cost>0.01 tool\:search'\'']:FILTER: compadd -S "" -- ${=values_filter}' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--width[wrap lines at that width]:CELLS:' \
		'--new-only[leave out messages that the step before showed]' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"extract chat") _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--prefer[search for input or output messages first]:SIDE: compadd -S "" -- ${=values_prefer}' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"extract parts") _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"extract request") _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--as[curl, json (the body alone) or python]:FORM: compadd -S "" -- ${=values_as}' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"extract response") _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--page[the page whose payload types and actions count]:PAGE:' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"payloads list") _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"payloads show") _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"payloads prompt") _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--page[the page whose payload types and actions count]:PAGE:' \
		'--tool[a tool that is in use; may stand several times]:NAME:' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"payloads validate") _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--schema[a JSON Schema instead of a payload type'\''s]:FILE:_files' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"check"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--filter[only steps that pass, as '\''error cost>0.01 tool\:search'\'']:FILTER: compadd -S "" -- ${=values_filter}' \
		'--json[print JSON]' \
		'--page[the page whose payload types and actions count]:PAGE:' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"stats"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--totals[per chain and in all, from the index alone]' \
		'--context[of each step what it was sent\: system prompt, tools, results]' \
		'--json[print JSON]' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"files"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--patch[print the changes as a patch, for git apply or delta]' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--width[wrap lines at that width]:CELLS:' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"diff"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--width[wrap lines at that width]:CELLS:' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"sessions"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--width[wrap lines at that width]:CELLS:' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--set[change an option, as `\:set` does\: layout=top]:NAME=VALUE: compadd -S "" -- ${=values_set}' \
		'--config[read FILE in place of ~/.config/catena/catena.yaml]:FILE:_files' \
		'--no-config[read no configuration but the built-in]' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"formats"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--explain[tell which formats FILE meets, and what they lack]:FILE:_files' \
		'--show[print a format in full]:NAME: compadd -S "" -- ${=values_show}' \
		'--json[print JSON]' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	*) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[a format beside the built-in ones (YAML)]:FILE:_files' \
		'--filter[only steps that pass, as '\''error cost>0.01 tool\:search'\'']:FILTER: compadd -S "" -- ${=values_filter}' \
		'--payloads[payload types beside the built-in ones (YAML)]:FILE:_files' \
		'--width[wrap lines at that width]:CELLS:' \
		'--max-size[unpack no more than SIZE (4G; 0\: no limit)]:SIZE:' \
		'--follow[show what is written to the files from now on]' \
		'--cache[keep steps that were shown, up to SIZE (8M; 0\: none)]:SIZE:' \
		'--script[do what FILE says, without a terminal]:FILE:_files' \
		'--sessions[list the sessions and traces in DIR; Enter opens one]:DIR:_files -/' \
		'--no-state[remember nothing of the files, nor what was typed]' \
		'--log[write what the program does, and when, to the end of FILE]:FILE:_files' \
		'--set[change an option, as `\:set` does\: layout=top]:NAME=VALUE: compadd -S "" -- ${=values_set}' \
		'--config[read FILE in place of ~/.config/catena/catena.yaml]:FILE:_files' \
		'--no-config[read no configuration but the built-in]' \
		'--dump-config[print the configuration; WHAT\: default, schema (of files like it)]:[=WHAT]:' \
		'--no-color[use no colors (as the variable NO_COLOR does)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	esac
}
_catena "$@"
