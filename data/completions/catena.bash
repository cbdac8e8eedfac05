# Completion of catena for bash; made by tools/docgen.
_catena()
{
	local cur=${COMP_WORDS[COMP_CWORD]} first=${COMP_WORDS[1]} words flags
	case "$first ${COMP_WORDS[2]}" in
	"print"\ *) flags="--from --filter --payloads --width --max-size --no-color --help --version" ;;
	"search"\ *) flags="--from --filter --count --fixed --ignore-case --case-sensitive --json --payloads --max-size --no-color --help --version" ;;
	"export"\ *) flags="--from --format --output --force --filter --payloads --width --max-size --no-color --help --version" ;;
	"extract chat") flags="--from --prefer --payloads --max-size --no-color --help --version" ;;
	"extract parts") flags="--from --payloads --max-size --no-color --help --version" ;;
	"extract response") flags="--from --page --payloads --max-size --no-color --help --version" ;;
	"payloads list") flags="--from --json --payloads --max-size --no-color --help --version" ;;
	"payloads show") flags="--from --json --payloads --max-size --no-color --help --version" ;;
	"payloads prompt") flags="--from --page --tool --payloads --max-size --no-color --help --version" ;;
	"payloads validate") flags="--from --json --schema --payloads --max-size --no-color --help --version" ;;
	"check"\ *) flags="--from --filter --json --page --payloads --max-size --no-color --help --version" ;;
	"stats"\ *) flags="--from --totals --json --payloads --max-size --no-color --help --version" ;;
	"diff"\ *) flags="--from --json --payloads --width --max-size --no-color --help --version" ;;
	"formats"\ *) flags="--from --payloads --max-size --no-color --help --version" ;;
	*) flags="--from --filter --payloads --width --max-size --follow --cache --script --no-state --background --config --no-config --dump-config --no-color --help --version" ;;
	esac
	[ $COMP_CWORD -ne 1 ] || words="print search export extract payloads check stats diff formats"
	if [ $COMP_CWORD -eq 2 ]; then
		case $first in
		extract) words="chat parts response" ;;
		payloads) words="list show prompt validate" ;;
		esac
	fi
	case $cur in
	-*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
	*) COMPREPLY=($(compgen -W "$words" -- "$cur") $(compgen -f -- "$cur")) ;;
	esac
}
complete -o filenames -F _catena catena
