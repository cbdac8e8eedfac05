#compdef catena
# Completion of catena for zsh; made by tools/docgen.
_catena() {
	local -a names
	names=(
		'print:print every step as readable text'
		'search:print the steps that match a regular expression, with the hits'
		'export:write the chains as JSON, Markdown, text, HTML or tables'
		'extract:chat parts request response'
		'payloads:list show prompt validate'
		'check:report errors and warnings in the steps'
		'stats:print totals by chain, model and tool, and the payloads'
		'files:list the files that tool calls read and change, with the changes'
		'steps:list the steps'
		'cache:print what each request read from the provider'\''s cache, and why a prefix was not read'
		'runs:compare runs of the same tasks: outcomes, pass@k, and the calls at which they part'
		'failures:print what fails most, by tool and shape, in files or in all sessions'
		'why:print which step of which session wrote the lines of a file'
		'diff:print the differences between two steps or two files'
		'sessions:list the sessions and traces of this machine, or of folders'
		'usage:print what sessions took and cost: daily, weekly, monthly, by session, model, project or tool'
		'keep:copy the sessions that their programs delete after some days'
		'labels:list the labels of steps; of two files print how far they agree'
		'mcp:serve agents by the Model Context Protocol on standard input and output'
		'formats:list the known formats'
	)
	local values_from=' atif bedrock-invocation-log har http-nock openai-agents-trace tables transcript mlflow http-cassette jaeger otlp-logs otlp aws-agentcore datadog-traces datadog mini-swe-agent langfuse-ingestion swe-agent-steps amp anthropic-batch autogen-session braintrust-requests braintrust chatbot-ui chatgpt-export claude-ai-export continue deepeval google-ai-studio grok-export hermes kiro langfuse langsmith librechat litellm-completion-log litellm model-batch open-webui openai-agents-run-state openai-assistants-run openai-assistants openai-batch posthog-batch posthog-ui promptfoo qwenpaw saved-chains swe-agent tau-bench tau2-bench zed-old zed continue-states promptfoo-table droid inspect-header kimi-cli opencode-events opencode-run openhands-sdk cloudflare-ai-gateway helicone inspect-ai opencode-session opencode-storage opik portkey vertex-request-response vscode-copilot-chat vscode-copilot-chatreplay weave antigravity crewai-log crewai crush cursor-store gemini-stream-json goose-export grok-build hermes-state kimi-print letta llm-logs posit-assistant-conversation posit-assistant rasa voiceflow cline-session cursor-stream agent-trail anthropic-managed-agents claude-stream-json cline-ui google-adk-logs anthropic-agent-events claude-result gemini-cli openhands-pairs qwen-code ag-ui-lists ag-ui agenta claude-code cline-task google-adk-evalset google-adk jsonrpc langgraph-stream openhands-runs openhands pi-session sharegpt codex-exec-json codex-rollout copilot-cli gemini-cli-responses session-trace ag-ui-input codex-rollout-old phoenix-table goose langchain-messages otel-sdk otel-sdk-groups cline-api vercel-ui-messages cursor-agent vercel-ui-stream mistral-vibe-meta mistral-vibe gptme otel-attributes stream-events vercel-result anthropic-messages bedrock-completion bedrock-converse cohere-chat gemini ollama openai-responses openai-responses-items openai-chat chat-dataset provider-error talk event stream-event'
	local values_show=' atif bedrock-invocation-log har http-nock openai-agents-trace tables transcript mlflow http-cassette jaeger otlp-logs otlp aws-agentcore datadog-traces datadog mini-swe-agent langfuse-ingestion swe-agent-steps amp anthropic-batch autogen-session braintrust-requests braintrust chatbot-ui chatgpt-export claude-ai-export continue deepeval google-ai-studio grok-export hermes kiro langfuse langsmith librechat litellm-completion-log litellm model-batch open-webui openai-agents-run-state openai-assistants-run openai-assistants openai-batch posthog-batch posthog-ui promptfoo qwenpaw saved-chains swe-agent tau-bench tau2-bench zed-old zed continue-states promptfoo-table droid inspect-header kimi-cli opencode-events opencode-run openhands-sdk cloudflare-ai-gateway helicone inspect-ai opencode-session opencode-storage opik portkey vertex-request-response vscode-copilot-chat vscode-copilot-chatreplay weave antigravity crewai-log crewai crush cursor-store gemini-stream-json goose-export grok-build hermes-state kimi-print letta llm-logs posit-assistant-conversation posit-assistant rasa voiceflow cline-session cursor-stream agent-trail anthropic-managed-agents claude-stream-json cline-ui google-adk-logs anthropic-agent-events claude-result gemini-cli openhands-pairs qwen-code ag-ui-lists ag-ui agenta claude-code cline-task google-adk-evalset google-adk jsonrpc langgraph-stream openhands-runs openhands pi-session sharegpt codex-exec-json codex-rollout copilot-cli gemini-cli-responses session-trace ag-ui-input codex-rollout-old phoenix-table goose langchain-messages otel-sdk otel-sdk-groups cline-api vercel-ui-messages cursor-agent vercel-ui-stream mistral-vibe-meta mistral-vibe gptme otel-attributes stream-events vercel-result anthropic-messages bedrock-completion bedrock-converse cohere-chat gemini ollama openai-responses openai-responses-items openai-chat chat-dataset provider-error talk event stream-event'
	local values_format=' otlp atif sts json markdown text html tables sarif junit github'
	local values_as=' curl json python'
	local values_filter=' name: model: event: label: id: trace: chain: provider: file: tool: offered: role: text: input: output: cost> tokens> in> out> cache> fresh> latency> bytes> number> depth> error broken mended open orphan'
	local values_prefer=' input output'
	local values_set=' theme= background=auto background=dark background=light layout=auto layout=side layout=top ascii=on ascii=off columns= cache= images=off images=chafa new-only=auto new-only=on new-only=off fold=auto fold=closed fold=open sort-keys=on sort-keys=off bar=off bar=time bar=cost bar=tokens timestamps=begin timestamps=end mouse=auto mouse=on mouse=off links=auto links=on links=off places=on places=off preview=on preview=off prices= notice=off notice=bell notice=text wrap=on wrap=off'
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
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--filter[only steps that match\: '\''error cost>0.01 tool\:search'\'']:FILTER: compadd -S "" -- ${=values_filter}' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--width[wrap lines at CELLS columns]:CELLS:' \
		'--transcript[print one text\: each message once, a line between steps]' \
		'--new-only[leave out messages of the previous step]' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"search"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--filter[only steps that match\: '\''error cost>0.01 tool\:search'\'']:FILTER: compadd -S "" -- ${=values_filter}' \
		'--count[print only the numbers of hits and steps]' \
		'--fixed[search for plain text, not a regular expression]' \
		'--ignore-case[ignore case]' \
		'--case-sensitive[respect case (default\: if PATTERN has capitals)]' \
		'--json[print JSON]' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--limit[at most N rows]:N:' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--sessions[take the sessions of this machine, or of the folders that are named]' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"export"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--format[json, markdown, text, html, tables, otlp, atif or sts (default\: FILE'\''s ending); of check text, json, sarif, junit or github]:FORMAT: compadd -S "" -- ${=values_format}' \
		'--output[write to FILE, which must not exist]:FILE:_files' \
		'--force[replace an existing FILE]' \
		'--filter[only steps that match\: '\''error cost>0.01 tool\:search'\'']:FILTER: compadd -S "" -- ${=values_filter}' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--width[wrap lines at CELLS columns]:CELLS:' \
		'--redact[hide secrets, e-mail addresses and home folders]' \
		'--redact-pattern[hide what RE matches, too; can be given several times]:RE:' \
		'--redact-report[write what was hidden, and where, to FILE (JSON)]:FILE:_files' \
		'--new-only[leave out messages of the previous step]' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"extract chat") _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--prefer[search for input or output messages first]:SIDE: compadd -S "" -- ${=values_prefer}' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"extract parts") _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"extract request") _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--as[curl, json (only the body) or python]:FORM: compadd -S "" -- ${=values_as}' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"extract response") _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--page[use the payload types and actions of PAGE]:PAGE:' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"payloads list") _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"payloads show") _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"payloads prompt") _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--page[use the payload types and actions of PAGE]:PAGE:' \
		'--tool[a tool in use; can be given several times]:NAME:' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"payloads validate") _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--schema[use this JSON Schema, not a payload type]:FILE:_files' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"check"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--format[json, markdown, text, html, tables, otlp, atif or sts (default\: FILE'\''s ending); of check text, json, sarif, junit or github]:FORMAT: compadd -S "" -- ${=values_format}' \
		'--filter[only steps that match\: '\''error cost>0.01 tool\:search'\'']:FILTER: compadd -S "" -- ${=values_filter}' \
		'--json[print JSON]' \
		'--page[use the payload types and actions of PAGE]:PAGE:' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--limit[at most N rows]:N:' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"stats"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--totals[print only the totals of each chain and of all]' \
		'--by[print totals by the label of steps]:label:' \
		'--context[print the sizes of the parts of each step'\''s input]' \
		'--json[print JSON]' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--limit[at most N rows]:N:' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"files"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--patch[print the changes as a patch, for git apply or delta]' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--limit[at most N rows]:N:' \
		'--width[wrap lines at CELLS columns]:CELLS:' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"steps"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--filter[only steps that match\: '\''error cost>0.01 tool\:search'\'']:FILTER: compadd -S "" -- ${=values_filter}' \
		'--json[print JSON]' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--limit[at most N rows]:N:' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"cache"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--filter[only steps that match\: '\''error cost>0.01 tool\:search'\'']:FILTER: compadd -S "" -- ${=values_filter}' \
		'--json[print JSON]' \
		'--since[only from this day on\: 2026-11-02, or 7d for a week back]:DAY:' \
		'--until[only up to the end of this day]:DAY:' \
		'--timezone[whose days they are, as Europe/Berlin (else TZ)]:ZONE:' \
		'--prices[prices of models in the form of LiteLLM'\''s table]:FILE:_files' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--limit[at most N rows]:N:' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--sessions[take the sessions of this machine, or of the folders that are named]' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"runs"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--limit[at most N rows]:N:' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--sessions[take the sessions of this machine, or of the folders that are named]' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"failures"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--filter[only steps that match\: '\''error cost>0.01 tool\:search'\'']:FILTER: compadd -S "" -- ${=values_filter}' \
		'--json[print JSON]' \
		'--since[only from this day on\: 2026-11-02, or 7d for a week back]:DAY:' \
		'--until[only up to the end of this day]:DAY:' \
		'--timezone[whose days they are, as Europe/Berlin (else TZ)]:ZONE:' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--limit[at most N rows]:N:' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--sessions[take the sessions of this machine, or of the folders that are named]' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"why"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--limit[at most N rows]:N:' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"diff"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--width[wrap lines at CELLS columns]:CELLS:' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"sessions"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--limit[at most N rows]:N:' \
		'--width[wrap lines at CELLS columns]:CELLS:' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--set[change an option, like `\:set`\: layout=top]:NAME=VALUE: compadd -S "" -- ${=values_set}' \
		'--config[read FILE instead of ~/.config/catena/catena.yaml]:FILE:_files' \
		'--no-config[use only the built-in configuration]' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"usage"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--since[only from this day on\: 2026-11-02, or 7d for a week back]:DAY:' \
		'--until[only up to the end of this day]:DAY:' \
		'--timezone[whose days they are, as Europe/Berlin (else TZ)]:ZONE:' \
		'--prices[prices of models in the form of LiteLLM'\''s table]:FILE:_files' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--limit[at most N rows]:N:' \
		'--width[wrap lines at CELLS columns]:CELLS:' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--set[change an option, like `\:set`\: layout=top]:NAME=VALUE: compadd -S "" -- ${=values_set}' \
		'--config[read FILE instead of ~/.config/catena/catena.yaml]:FILE:_files' \
		'--no-config[use only the built-in configuration]' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"keep"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--to[copy to DIR, not to ~/.local/share/catena/kept]:DIR:_files -/' \
		'--dry-run[say what would be done, and do nothing]' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"labels"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--json[print JSON]' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--limit[at most N rows]:N:' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"mcp"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	"formats"\ *) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--explain[show why FILE has its format and no other one]:FILE:_files' \
		'--show[print a format in full]:NAME: compadd -S "" -- ${=values_show}' \
		'--json[print JSON]' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	*) _arguments \
		'--from[read the file as FORMAT instead of detecting it]:FORMAT: compadd -S "" -- ${=values_from}' \
		'--format-file[add the format that FILE describes (YAML)]:FILE:_files' \
		'--filter[only steps that match\: '\''error cost>0.01 tool\:search'\'']:FILTER: compadd -S "" -- ${=values_filter}' \
		'--payloads[add the payload types in FILE (YAML)]:FILE:_files' \
		'--width[wrap lines at CELLS columns]:CELLS:' \
		'--max-size[unpack at most SIZE (4G; 0\: no limit)]:SIZE:' \
		'--follow[follow the files\: show new steps as they are written]' \
		'--cache[keep up to SIZE of viewed steps (8M; 0\: none)]:SIZE:' \
		'--script[run the commands in FILE, without a terminal]:FILE:_files' \
		'--sessions[take the sessions of this machine, or of the folders that are named]' \
		'--no-state[do not remember places, folds or typed text]' \
		'--labels[read and keep labels of steps in FILE]:FILE:_files' \
		'--log[append a log of the program'\''s work to FILE]:FILE:_files' \
		'--set[change an option, like `\:set`\: layout=top]:NAME=VALUE: compadd -S "" -- ${=values_set}' \
		'--config[read FILE instead of ~/.config/catena/catena.yaml]:FILE:_files' \
		'--no-config[use only the built-in configuration]' \
		'--dump-config[print the configuration; WHAT\: default, schema]:[=WHAT]:' \
		'--no-color[use no colors (like the variable NO_COLOR)]' \
		'--help[show this help]' \
		'--version[show the version]' \
		'*:file:_files' ;;
	esac
}
_catena "$@"
