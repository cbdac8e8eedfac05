# Completion of catena for bash; made by tools/docgen.
_catena()
{
	local cur=${COMP_WORDS[COMP_CWORD]} first=${COMP_WORDS[1]} words flags
	case "$first ${COMP_WORDS[2]}" in
	"print"\ *) flags="--from --format-file --filter --payloads --width --transcript --new-only --max-size --no-color --help --version" ;;
	"search"\ *) flags="--from --format-file --filter --count --fixed --ignore-case --case-sensitive --json --payloads --max-size --no-color --help --version" ;;
	"export"\ *) flags="--from --format-file --format --output --force --filter --payloads --width --new-only --max-size --no-color --help --version" ;;
	"extract chat") flags="--from --format-file --prefer --payloads --max-size --no-color --help --version" ;;
	"extract parts") flags="--from --format-file --payloads --max-size --no-color --help --version" ;;
	"extract request") flags="--from --format-file --as --payloads --max-size --no-color --help --version" ;;
	"extract response") flags="--from --format-file --page --payloads --max-size --no-color --help --version" ;;
	"payloads list") flags="--from --format-file --json --payloads --max-size --no-color --help --version" ;;
	"payloads show") flags="--from --format-file --json --payloads --max-size --no-color --help --version" ;;
	"payloads prompt") flags="--from --format-file --page --tool --payloads --max-size --no-color --help --version" ;;
	"payloads validate") flags="--from --format-file --json --schema --payloads --max-size --no-color --help --version" ;;
	"check"\ *) flags="--from --format-file --filter --json --page --payloads --max-size --no-color --help --version" ;;
	"stats"\ *) flags="--from --format-file --totals --context --json --payloads --max-size --no-color --help --version" ;;
	"files"\ *) flags="--from --format-file --json --patch --payloads --width --max-size --no-color --help --version" ;;
	"diff"\ *) flags="--from --format-file --json --payloads --width --max-size --no-color --help --version" ;;
	"sessions"\ *) flags="--from --format-file --json --payloads --width --max-size --no-state --set --config --no-config --no-color --help --version" ;;
	"formats"\ *) flags="--from --format-file --explain --show --json --payloads --max-size --no-color --help --version" ;;
	*) flags="--from --format-file --filter --payloads --width --max-size --follow --cache --script --sessions --no-state --set --config --no-config --dump-config --no-color --help --version" ;;
	esac
	[ $COMP_CWORD -ne 1 ] || words="print search export extract payloads check stats files diff sessions formats"
	if [ $COMP_CWORD -eq 2 ]; then
		case $first in
		extract) words="chat parts request response" ;;
		payloads) words="list show prompt validate" ;;
		esac
	fi
	case $cur in
	-*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
	*) COMPREPLY=($(compgen -W "$words" -- "$cur") $(compgen -f -- "$cur")) ;;
	esac
}
complete -o filenames -F _catena catena
