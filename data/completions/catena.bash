# Completion of catena for bash; made by tools/docgen.
_catena()
{
	local first=${COMP_WORDS[1]} words= flags= values= begun
	# "=" and ":" end a word for bash; a value may contain them.
	local line=${COMP_LINE:0:COMP_POINT}
	local cur=${line##*[[:space:]]}
	local before=(${line%"$cur"})
	local option=${before[${#before[@]}-1]}
	case $cur in
	--*=*) option=${cur%%=*} cur=${cur#*=} ;;
	esac
	begun=${cur%"${cur##*[=:]}"}
	case $option in
	--from) values=" atif bedrock-invocation-log har http-nock openai-agents-trace tables transcript mlflow http-cassette jaeger otlp-logs otlp aws-agentcore datadog-traces datadog mini-swe-agent langfuse-ingestion swe-agent-steps amp anthropic-batch autogen-session braintrust-requests braintrust chatbot-ui chatgpt-export claude-ai-export continue deepeval google-ai-studio grok-export hermes kiro langfuse langsmith librechat litellm-completion-log litellm model-batch open-webui openai-agents-run-state openai-assistants-run openai-assistants openai-batch posthog-batch posthog-ui promptfoo qwenpaw saved-chains swe-agent tau-bench tau2-bench zed-old zed continue-states promptfoo-table droid inspect-header kimi-cli opencode-events opencode-run openhands-sdk cloudflare-ai-gateway helicone inspect-ai opencode-session opencode-storage opik portkey vertex-request-response vscode-copilot-chat vscode-copilot-chatreplay weave antigravity crewai-log crewai crush cursor-store gemini-stream-json goose-export grok-build hermes-state kimi-print letta llm-logs posit-assistant-conversation posit-assistant rasa voiceflow cline-session cursor-stream agent-trail anthropic-managed-agents claude-stream-json cline-ui google-adk-logs anthropic-agent-events claude-result gemini-cli openhands-pairs qwen-code ag-ui-lists ag-ui agenta claude-code cline-task google-adk-evalset google-adk jsonrpc langgraph-stream openhands-runs openhands pi-session sharegpt codex-exec-json codex-rollout copilot-cli gemini-cli-responses session-trace ag-ui-input codex-rollout-old phoenix-table goose langchain-messages otel-sdk otel-sdk-groups cline-api vercel-ui-messages cursor-agent vercel-ui-stream mistral-vibe-meta mistral-vibe gptme otel-attributes stream-events vercel-result anthropic-messages bedrock-completion bedrock-converse cohere-chat gemini ollama openai-responses openai-responses-items openai-chat chat-dataset provider-error talk event stream-event" ;;
	--show) values=" atif bedrock-invocation-log har http-nock openai-agents-trace tables transcript mlflow http-cassette jaeger otlp-logs otlp aws-agentcore datadog-traces datadog mini-swe-agent langfuse-ingestion swe-agent-steps amp anthropic-batch autogen-session braintrust-requests braintrust chatbot-ui chatgpt-export claude-ai-export continue deepeval google-ai-studio grok-export hermes kiro langfuse langsmith librechat litellm-completion-log litellm model-batch open-webui openai-agents-run-state openai-assistants-run openai-assistants openai-batch posthog-batch posthog-ui promptfoo qwenpaw saved-chains swe-agent tau-bench tau2-bench zed-old zed continue-states promptfoo-table droid inspect-header kimi-cli opencode-events opencode-run openhands-sdk cloudflare-ai-gateway helicone inspect-ai opencode-session opencode-storage opik portkey vertex-request-response vscode-copilot-chat vscode-copilot-chatreplay weave antigravity crewai-log crewai crush cursor-store gemini-stream-json goose-export grok-build hermes-state kimi-print letta llm-logs posit-assistant-conversation posit-assistant rasa voiceflow cline-session cursor-stream agent-trail anthropic-managed-agents claude-stream-json cline-ui google-adk-logs anthropic-agent-events claude-result gemini-cli openhands-pairs qwen-code ag-ui-lists ag-ui agenta claude-code cline-task google-adk-evalset google-adk jsonrpc langgraph-stream openhands-runs openhands pi-session sharegpt codex-exec-json codex-rollout copilot-cli gemini-cli-responses session-trace ag-ui-input codex-rollout-old phoenix-table goose langchain-messages otel-sdk otel-sdk-groups cline-api vercel-ui-messages cursor-agent vercel-ui-stream mistral-vibe-meta mistral-vibe gptme otel-attributes stream-events vercel-result anthropic-messages bedrock-completion bedrock-converse cohere-chat gemini ollama openai-responses openai-responses-items openai-chat chat-dataset provider-error talk event stream-event" ;;
	--format) values=" otlp atif sts json markdown text html tables sarif junit github" ;;
	--as) values=" curl json python" ;;
	--filter) values=" name: model: event: label: id: trace: chain: provider: file: tool: offered: role: text: input: output: cost> tokens> in> out> cache> fresh> latency> bytes> number> depth> error broken mended open orphan" ;;
	--prefer) values=" input output" ;;
	--set) values=" theme= background=auto background=dark background=light layout=auto layout=side layout=top ascii=on ascii=off columns= cache= images=off images=chafa new-only=auto new-only=on new-only=off fold=auto fold=closed fold=open sort-keys=on sort-keys=off bar=off bar=time bar=cost bar=tokens timestamps=begin timestamps=end mouse=auto mouse=on mouse=off links=auto links=on links=off places=on places=off preview=on preview=off prices= notice=off notice=bell notice=text wrap=on wrap=off" ;;
	esac
	case "$first ${COMP_WORDS[2]}" in
	"print"\ *) flags="--from --format-file --filter --payloads --width --transcript --new-only --max-size --no-state --labels --log --no-color --help --version" ;;
	"search"\ *) flags="--from --format-file --filter --count --fixed --ignore-case --case-sensitive --json --payloads --limit --max-size --sessions --no-state --labels --log --no-color --help --version" ;;
	"export"\ *) flags="--from --format-file --format --output --force --filter --payloads --width --redact --redact-pattern --redact-report --new-only --max-size --no-state --labels --log --no-color --help --version" ;;
	"extract chat") flags="--from --format-file --prefer --payloads --max-size --no-state --labels --log --no-color --help --version" ;;
	"extract parts") flags="--from --format-file --payloads --max-size --no-state --labels --log --no-color --help --version" ;;
	"extract request") flags="--from --format-file --as --payloads --max-size --no-state --labels --log --no-color --help --version" ;;
	"extract response") flags="--from --format-file --page --payloads --max-size --no-state --labels --log --no-color --help --version" ;;
	"payloads list") flags="--from --format-file --json --payloads --max-size --no-state --labels --log --no-color --help --version" ;;
	"payloads show") flags="--from --format-file --json --payloads --max-size --no-state --labels --log --no-color --help --version" ;;
	"payloads prompt") flags="--from --format-file --page --tool --payloads --max-size --no-state --labels --log --no-color --help --version" ;;
	"payloads validate") flags="--from --format-file --json --schema --payloads --max-size --no-state --labels --log --no-color --help --version" ;;
	"check"\ *) flags="--from --format-file --format --filter --json --page --payloads --limit --max-size --no-state --labels --log --no-color --help --version" ;;
	"stats"\ *) flags="--from --format-file --totals --by --context --json --payloads --limit --max-size --no-state --labels --log --no-color --help --version" ;;
	"files"\ *) flags="--from --format-file --json --patch --payloads --limit --width --max-size --no-state --labels --log --no-color --help --version" ;;
	"steps"\ *) flags="--from --format-file --filter --json --payloads --limit --max-size --no-state --labels --log --no-color --help --version" ;;
	"cache"\ *) flags="--from --format-file --filter --json --since --until --timezone --prices --payloads --limit --max-size --sessions --no-state --labels --log --no-color --help --version" ;;
	"runs"\ *) flags="--from --format-file --json --payloads --limit --max-size --sessions --no-state --labels --log --no-color --help --version" ;;
	"failures"\ *) flags="--from --format-file --filter --json --since --until --timezone --payloads --limit --max-size --sessions --no-state --labels --log --no-color --help --version" ;;
	"why"\ *) flags="--from --format-file --json --payloads --limit --max-size --no-state --labels --log --no-color --help --version" ;;
	"diff"\ *) flags="--from --format-file --json --payloads --width --max-size --no-state --labels --log --no-color --help --version" ;;
	"sessions"\ *) flags="--from --format-file --json --payloads --limit --width --max-size --no-state --labels --log --set --config --no-config --no-color --help --version" ;;
	"usage"\ *) flags="--from --format-file --json --since --until --timezone --prices --payloads --limit --width --max-size --no-state --labels --log --set --config --no-config --no-color --help --version" ;;
	"keep"\ *) flags="--from --format-file --json --to --dry-run --payloads --max-size --no-state --labels --log --no-color --help --version" ;;
	"labels"\ *) flags="--from --format-file --json --payloads --limit --max-size --no-state --labels --log --no-color --help --version" ;;
	"mcp"\ *) flags="--from --format-file --payloads --max-size --no-state --labels --log --no-color --help --version" ;;
	"formats"\ *) flags="--from --format-file --explain --show --json --payloads --max-size --no-state --labels --log --no-color --help --version" ;;
	*) flags="--from --format-file --filter --payloads --width --max-size --follow --cache --script --sessions --no-state --labels --log --set --config --no-config --dump-config --no-color --help --version" ;;
	esac
	[ $COMP_CWORD -ne 1 ] || words="print search export extract payloads check stats files steps cache runs failures why diff sessions usage keep labels mcp formats"
	if [ $COMP_CWORD -eq 2 ]; then
		case $first in
		extract) words="chat parts request response" ;;
		payloads) words="list show prompt validate" ;;
		esac
	fi
	if [ -n "$values" ]; then
		COMPREPLY=($(compgen -W "$values" -- "$cur"))
		COMPREPLY=("${COMPREPLY[@]#"$begun"}")
		case ${COMPREPLY[0]} in
		*[=:\>]) compopt -o nospace 2>/dev/null ;;
		esac
	elif [[ $cur == -* ]]; then
		COMPREPLY=($(compgen -W "$flags" -- "$cur"))
	else
		# Without an answer bash completes names of files itself.
		COMPREPLY=($(compgen -W "$words" -- "$cur"))
		local IFS=$'\n'
		[ ${#COMPREPLY[@]} -eq 0 ] ||
			COMPREPLY+=($(compgen -f -- "$cur"))
	fi
}
complete -o filenames -o default -F _catena catena
