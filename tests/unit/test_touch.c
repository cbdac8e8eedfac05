/*
 * The files that a call touches.  A row is a tool, its arguments with ' for ", and what
 * they touch: one a line, "kind path", then as far as it is there "> new path",
 * "@line", "+added -removed", "all", "sketch", "$ command".
 */
#include "config.h"
#include <criterion/criterion.h>

#include <inttypes.h>

#include "analysis/touch.h"
#include "base/buf.h"
#include "json/json.h"

#include "chance.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

struct touch_case {
	const char *tool, *arguments, *expected;
};

static void put_touch(struct buf *out, const struct touch *t)
{
	size_t added, removed;

	buf_printf(out, "%s ", touch_kind_names[t->kind]);
	buf_str(out, t->path);
	if (t->to.n) {
		buf_text(out, " > ");
		buf_str(out, t->to);
	}
	if (t->line)
		buf_printf(out, " @%" PRIu64, t->line);
	touch_lines(t, &added, &removed);
	if (added || removed)
		buf_printf(out, " +%zu -%zu", added, removed);
	buf_text(out, t->all ? " all" : "");
	buf_text(out, t->sketch ? " sketch" : "");
	if (t->command.n) {
		buf_text(out, " $ ");
		buf_str(out, t->command);
	}
	buf_byte(out, '\n');
}

static void check(const struct touch_case *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct buf text = BUF_INIT, out = BUF_INIT;
		struct touches t = {0};
		struct arena arena = {0};

		for (const char *p = rows[i].arguments; *p; p++)
			buf_byte(&text, *p == '\'' ? '"' : *p);
		buf_text(&out, "");
		touches_read(&t, str_of(rows[i].tool), jv_parse(buf_view(&text)), &arena);
		for (size_t j = 0; j < t.count; j++)
			put_touch(&out, &t.items[j]);
		cr_expect_str_eq(out.data ? out.data : "", rows[i].expected, "%s %s: %s",
			rows[i].tool, rows[i].arguments, out.data ? out.data : "");
		touches_done(&t);
		arena_done(&arena);
		buf_done(&text);
		buf_done(&out);
	}
}

Test(touch, agents_edit)
{
	static const struct touch_case rows[] = {
		/* Claude Code */
		{"Edit",
			"{'file_path':'/w/a.py','old_string':'x = 1\\ny = 2',"
			"'new_string':'x = 1\\ny = 3\\nz = 4'}",
			"edit /w/a.py +2 -1\n"},
		{"Edit",
			"{'file_path':'a.py','old_string':'a','new_string':'b',"
			"'replace_all':true}",
			"edit a.py +1 -1 all\n"},
		{"MultiEdit",
			"{'file_path':'/w/a.py','edits':[{'old_string':'a','new_string':"
			"'b'},{'old_string':'c','new_string':''}]}",
			"edit /w/a.py +1 -1\nedit /w/a.py +0 -1\n"},
		{"Write", "{'file_path':'/w/n.md','content':'one\\ntwo\\n'}",
			"create /w/n.md +2 -0\n"},
		{"NotebookEdit",
			"{'notebook_path':'n.ipynb','cell_id':'c1','new_source':'1+1',"
			"'edit_mode':'replace'}",
			"edit n.ipynb +1 -0 sketch\n"},
		{"NotebookEdit",
			"{'notebook_path':'n.ipynb','new_source':'1+1',"
			"'cell_type':'code','edit_mode':'insert'}",
			"insert n.ipynb +1 -0 sketch\n"},
		/* Gemini CLI: an empty old text makes the file */
		{"replace",
			"{'file_path':'g.ts','old_string':'','new_string':'let a\\n',"
			"'expected_replacements':1}",
			"create g.ts +1 -0\n"},
		{"write_file", "{'file_path':'g.ts','content':''}", "create g.ts\n"},
		/* opencode */
		{"edit", "{'filePath':'./src//o.go','oldString':'a','newString':'b'}",
			"edit src/o.go +1 -1\n"},
		{"write", "{'filePath':'src/o.go','content':'package o'}",
			"create src/o.go +1 -0\n"},
		/* Cursor */
		{"edit_file",
			"{'target_file':'c.js','instructions':'say more','code_edit':"
			"'// ... existing code ...\\nlog(1)\\n// ... existing code ...'}",
			"edit c.js +1 -0 sketch\n"},
		{"search_replace",
			"{'file_path':'c.js','old_string':'a','new_string':'b'}",
			"edit c.js +1 -1\n"},
		{"delete_file", "{'target_file':'c.js','explanation':'unused'}",
			"delete c.js\n"},
		/* editors of several commands: SWE-agent, OpenHands, goose */
		{"str_replace_editor",
			"{'command':'str_replace','path':'/r/a.c','old_str':'a\\nb',"
			"'new_str':'a\\nc'}",
			"edit /r/a.c +1 -1\n"},
		{"str_replace_editor",
			"{'command':'create','path':'/r/b.c','file_text':'int x;\\n'}",
			"create /r/b.c +1 -0\n"},
		{"str_replace_based_edit_tool",
			"{'command':'insert','path':'/r/b.c','insert_line':3,"
			"'insert_text':'int y;'}",
			"insert /r/b.c @3 +1 -0\n"},
		{"str_replace_editor",
			"{'command':'insert','path':'/r/b.c','insert_line':0,"
			"'new_str':'a\\nb'}",
			"insert /r/b.c +2 -0\n"},
		{"str_replace_editor",
			"{'command':'view','path':'/r/b.c','view_range':[10,20]}",
			"read /r/b.c @10\n"},
		{"str_replace_editor", "{'command':'undo_edit','path':'/r/b.c'}",
			"edit /r/b.c $ undo_edit\n"},
		{"memory", "{'command':'rename','old_path':'/m/a','new_path':'/m/b'}",
			"rename /m/a > /m/b\n"},
		{"developer__text_editor",
			"{'command':'write','path':'/g/a.rs','file_text':'fn a(){}'}",
			"create /g/a.rs +1 -0\n"},
		{"edit_file",
			"{'path':'/r/a.py','content':'def f():\\n  pass','start':4,"
			"'end':9}",
			"edit /r/a.py @4 +2 -0\n"},
		/* Cline and its kin */
		{"write_to_file", "{'path':'src/a.ts','content':'a\\nb','line_count':2}",
			"create src/a.ts +2 -0\n"},
		{"replace_in_file",
			"{'path':'src/a.ts','diff':'------- SEARCH\\nold\\nsame\\n======="
			"\\nnew\\nsame\\n+++++++ REPLACE'}",
			"edit src/a.ts +1 -1\n"},
		{"apply_diff",
			"{'path':'src/a.ts','diff':'<<<<<<< SEARCH\\n:start_line:12\\n"
			"-------\\nold\\n=======\\nnew\\n>>>>>>> REPLACE\\n\\n<<<<<<< "
			"SEARCH\\n=======\\nat the end\\n>>>>>>> REPLACE'}",
			"edit src/a.ts @12 +1 -1\ncreate src/a.ts +1 -0\n"},
		{"insert_content", "{'path':'src/a.ts','line':7,'content':'x\\ny'}",
			"insert src/a.ts @7 +2 -0\n"},
		{"search_and_replace", "{'path':'a.ts','search':'a','replace':'b'}",
			"edit a.ts +1 -1\n"},
		/* Windsurf */
		{"replace_file_content",
			"{'TargetFile':'file:///w/a.go','ReplacementChunks':["
			"{'TargetContent':'a','ReplacementContent':'b'}]}",
			"edit /w/a.go +1 -1\n"},
		{"write_to_file",
			"{'TargetFile':'/w/a.go','CodeContent':'a','EmptyFile':false}",
			"create /w/a.go +1 -0\n"},
		/* VS Code */
		{"insert_edit_into_file",
			"{'explanation':'x','filePath':'/v/a.cs','code':'class A{}'}",
			"insert /v/a.cs +1 -0\n"},
		{"multi_replace_string_in_file",
			"{'replacements':[{'filePath':'/v/a','oldString':'1','newString'"
			":'2'},{'filePath':'/v/b','oldString':'1','newString':'3'}]}",
			"edit /v/a +1 -1\nedit /v/b +1 -1\n"},
		/* servers of the Model Context Protocol */
		{"mcp__filesystem__edit_file",
			"{'path':'/m/a','edits':[{'oldText':'a','newText':'b'}],"
			"'dryRun':false}",
			"edit /m/a +1 -1\n"},
		{"edit_file",
			"{'path':'/m/a','edits':[{'oldText':'a','newText':'b'}],"
			"'dryRun':true}",
			""},
		{"move_file", "{'source':'/m/a','destination':'/m/b'}",
			"rename /m/a > /m/b\n"},
		{"push_files",
			"{'owner':'o','files':[{'path':'a','content':'1'},{'path':'b',"
			"'content':'2\\n3'}]}",
			"create a +1 -0\ncreate b +2 -0\n"},
		/* aider */
		{"edit",
			"'a.py\\n```python\\n<<<<<<< SEARCH\\nx\\n=======\\ny\\n>>>>>>> "
			"REPLACE\\n```\\nb.py\\n<<<<<<< SEARCH\\n=======\\nz\\n>>>>>>> "
			"REPLACE\\n'",
			"edit a.py +1 -1\ncreate b.py +1 -0\n"},
		/* edits in a string, lines in a list, one object around them */
		{"edit_file",
			"{'path':'a','edits':[{'old_lines':['a','b'],'new_lines':['a']}"
			"]}",
			"edit a +0 -1\n"},
		{"call", "{'args':{'file_path':'a','old_str':'1','new_str':'2'}}",
			"edit a +1 -1\n"},
	};

	check(rows, COUNT(rows));
}

Test(touch, patches)
{
	static const struct touch_case rows[] = {
		{"apply_patch",
			"'*** Begin Patch\\n*** Update File: src/a.py\\n@@ def f():\\n-  "
			"a"
			"\\n+  b\\n+  c\\n*** Add File: b.py\\n+one\\n+two\\n*** Delete "
			"File: c.py\\n*** Update File: d.py\\n*** Move to: e.py\\n@@\\n "
			"x\\n-y\\n*** End Patch\\n'",
			"patch src/a.py +2 -1\ncreate b.py +2 -0\ndelete c.py\n"
			"patch d.py > e.py +0 -1\n"},
		{"apply_patch",
			"{'input':'*** Begin Patch\\n*** Update File: a\\n@@\\n-1\\n+2\\n"
			"*** End of File\\n*** End Patch'}",
			"patch a +1 -1\n"},
		{"patch",
			"{'patchText':'*** Begin Patch\\n*** Update File: a\\n*** Move "
			"to: b\\n*** End Patch'}",
			"rename a > b\n"},
		{"shell",
			"{'command':['apply_patch','*** Begin Patch\\n*** Add File: "
			"a\\n+1"
			"\\n*** End Patch'],'workdir':'/w'}",
			"create /w/a +1 -0\n"},
		{"shell",
			"{'command':['bash','-lc','cd sub && apply_patch "
			"<<\\u0027EOF\\u0027"
			"\\n*** Begin Patch\\n*** Update File: a\\n@@\\n-1\\n+2\\n*** "
			"End "
			"Patch\\nEOF\\necho done'],'workdir':'/w'}",
			"patch /w/sub/a +1 -1\n"},
		{"diff_tool",
			"{'diff':'--- a/src/a.c\\n+++ b/src/a.c\\n@@ -1,2 +1,2 @@\\n-int "
			"a;"
			"\\n+int b;\\n x\\n--- /dev/null\\n+++ b/n.c\\n@@ -0,0 +1,2 "
			"@@\\n+1"
			"\\n+2\\n--- a/o.c\\n+++ /dev/null\\n@@ -1 +0,0 @@\\n-gone\\n'}",
			"patch src/a.c +1 -1\ncreate n.c +2 -0\ndelete o.c +0 -1\n"},
		{"git_apply",
			"{'patch':'diff --git a/x b/y\\nsimilarity index 100%\\nrename "
			"from x\\nrename to y\\ndiff --git a/p b/p\\nindex 1..2 100644\\n"
			"--- a/p\\n+++ b/p\\n@@ -1 +1 @@\\n-a\\n+b\\n'}",
			"rename x > y\npatch p +1 -1\n"},
		{"edit", "{'path':'a','diff':'@@ -3,2 +3,1 @@\\n-x\\n y\\n'}",
			"patch a +0 -1\n"},
		{"bash",
			"{'command':'git apply <<X\\n--- p/a\\t2024-01-01\\n+++ p/a\\n@@ "
			"-1 +1 @@\\n-a\\n+b\\nX\\n'}",
			"patch p/a +1 -1\n"},
		/* what only looks like one */
		{"comment", "{'input':'--- a line\\nand another'}", ""},
		{"edit", "{'path':'a','diff':'<<<<<<< SEARCH\\nnever ends'}", ""},
	};

	check(rows, COUNT(rows));
}

Test(touch, files_that_are_read)
{
	static const struct touch_case rows[] = {
		{"Read", "{'file_path':'/w/a','offset':20,'limit':50}",
			"read /w/a @20\n"},
		{"read_file",
			"{'target_file':'a','should_read_entire_file':false,"
			"'start_line_one_indexed':5,'end_line_one_indexed_inclusive':9}",
			"read a @5\n"},
		{"fetch", "{'absolute_path':'/w/a','offset':0,'limit':10}",
			"read /w/a\n"}, /* by its shape alone */
		{"read_many_files", "{'paths':['a','b/c']}", "read a\nread b/c\n"},
		{"read_file", "{'files':[{'path':'a'},{'path':'b','line_range':[3,4]}]}",
			"read a\nread b @3\n"},
		{"view", "{'path':'a'}", "read a\n"},
		{"list_directory", "{'path':'src'}", ""},
		{"grep", "{'path':'src','pattern':'x','limit':5}", ""},
		{"search_files", "{'path':'src','regex':'x'}", ""},
		{"mkdir", "{'path':'src'}", ""},
		{"fetch", "{'path':'src'}", ""},
		{"read_url", "{'path':'https://example.com/a'}", ""},
	};

	check(rows, COUNT(rows));
}

Test(touch, shells)
{
	static const struct touch_case rows[] = {
		{"bash", "{'command':'cat > a.txt <<EOF\\none\\ntwo\\nEOF\\nls'}",
			"create a.txt +2 -0\n"},
		{"bash",
			"{'cmd':'cat <<-\\u0027E F\\u0027 >> \\u0027a "
			"b\\u0027\\n\\tx\\n\\tE F'}",
			"insert a b +1 -0\n"},
		{"bash", "{'command':'cat >> log/a <<EOF\\nx\\nEOF'}",
			"insert log/a +1 -0\n"},
		{"bash", "{'command':'cat <<EOF | tee a b\\nx\\nEOF'}",
			"create a +1 -0\ncreate b +1 -0\n"},
		{"bash", "{'command':'tee -a a <<EOF\\nx\\nEOF'}", "insert a +1 -0\n"},
		{"bash", "{'command':'echo hello world > a; echo $X >> a'}",
			"create a +1 -0\ninsert a $ echo $X >> a\n"},
		{"bash", "{'command':'make 2>&1 >build.log | head'}",
			"create build.log $ make 2>&1 >build.log\n"},
		{"bash", "{'command':'make >/dev/null 2>err.txt; x > $OUT; y > *.c'}",
			""},
		{"bash",
			"{'command':'cd /w && sed -i.bak -e s/a/b/ src/a.c src/b.c && "
			"make'}",
			"edit /w/src/a.c $ sed -i.bak -e s/a/b/ src/a.c src/b.c\n"
			"edit /w/src/b.c $ sed -i.bak -e s/a/b/ src/a.c src/b.c\n"},
		{"bash",
			"{'command':'sed -i \\u0027\\u0027 \\u0027s/a/b/;s/c/d/\\u0027 "
			"a'}",
			"edit a $ sed -i '' 's/a/b/;s/c/d/' a\n"},
		{"bash", "{'command':'sed s/a/b/ a; sed -n 1,20p b; cat c | wc'}",
			"read b $ sed -n 1,20p b\nread c $ cat c\n"},
		{"bash", "{'command':'perl -pi -e \\u0027s/a/b/\\u0027 a.pl'}",
			"edit a.pl $ perl -pi -e 's/a/b/' a.pl\n"},
		{"bash", "{'command':'rm -f a b; git mv c d; mv e f/; cp g h'}",
			"delete a\ndelete b\nrename c > d $ git mv c d\n"
			"create h $ cp g h\n"},
		{"bash", "{'command':'head -n 20 a && tail -5 b'}",
			"read a $ head -n 20 a\nread b $ tail -5 b\n"},
		{"shell", "{'command':['sed','-n','1,5p','a.c'],'workdir':'/w/'}",
			"read /w/a.c $ sed -n 1,5p a.c\n"},
		{"shell", "['bash','-lc','touch x']", "create x $ touch x\n"},
		{"execute_command",
			"{'command':'if true; then X=1 sudo touch a; fi # > b'}",
			"create a $ touch a\n"},
		{"bash", "'rm a'", "delete a\n"},
		/* not clear, or no shell */
		{"bash", "{'command':'rm $FILE *.o ~/x `ls`'}", ""},
		{"bash", "{'command':'python - <<EOF\\nopen(1) > 2\\nEOF'}", ""},
		{"sql", "{'command':'SELECT a FROM t WHERE a > b'}", ""},
		{"bash", "{'command':'grep \\u0027a > b\\u0027 c'}", ""},
		{"bash", "{'command':'cat <<EOF > a'}", "create a\n"},
		{"bash", "{'command':'\\u0000\\u0000 > \\\\'}", ""},
		{"bash", "{'command':'$( \\u0027'}", ""},
		{"bash", "{'command':'echo \\'a $(date)\\' > f'}",
			"create f $ echo \"a $(date)\" > f\n"},
	};

	check(rows, COUNT(rows));
}

Test(touch, what_touches_nothing)
{
	static const struct touch_case rows[] = {
		{"get_weather", "{'city':'Basel'}", ""},
		{"send", "{'to':'a','from':'b','text':'c'}", ""},
		{"post", "{'uri':'https://x.y/z','content':'c'}", ""},
		{"translate", "{'old':'a','new':'b'}", ""},
		{"Edit", "{'file_path':'','old_string':'a','new_string':'b'}", ""},
		{"Edit", "{'file_path':5,'old_string':'a','new_string':'b'}", ""},
		{"Write", "{'file_path':'a\\nb','content':'x'}", ""},
		{"x", "[]", ""},
		{"x", "'text'", ""},
		{"x", "null", ""},
		{"x", "{'a':{'b':{'c':{'d':{'path':'x','content':'y'}}}}}", ""},
	};

	check(rows, COUNT(rows));
}

/* Whatever a call says, it is read to its end, and each path is one. */
Test(touch, any_text, .timeout = 60)
{
	static const char *const pieces[] = {"cat ", "a.c", "<<EOF", "<<-'E'", "\nEOF\n",
		"\nE\n", " > ", ">>", "2>&1", "&>", "<", "|", "&&", ";", "(", ")", "$(",
		"`", "'", "\"", "\\", "\n", "\r\n", " ", "\t", "#", "sed -i ", "s/a/b/ ",
		"rm ", "mv ", "cd ", "tee ", "echo ", "bash -c ", "apply_patch ",
		"*** Begin Patch\n", "*** Update File: ", "*** Add File: ",
		"*** Move to: ", "*** Delete File: ", "*** End Patch\n", "--- a/x\n",
		"+++ b/x\n", "+++ /dev/null\n", "@@ -1 +1 @@\n", "+x\n", "-y\n",
		"<<<<<<< SEARCH\n", ":start_line:9\n", "-------\n", "=======\n",
		">>>>>>> REPLACE\n", "rename from a\n", "rename to b\n",
		"diff --git a/a b/b\n", "\xC3", "\x01", "./", "../", "//", "file://"};
	static const char *const shapes[] = {"{\"command\":", "{\"path\":\"p\",\"diff\":",
		"{\"path\":\"p\",\"content\":",
		("{\"old_string\":\"a\",\"new_string\":\"b\","
		 "\"file_path\":"),
		"{\"input\":", "["};
	struct buf text = BUF_INIT, json = BUF_INIT;

	for (int round = 0; round < 20000; round++) {
		const char *shape = shapes[below(COUNT(shapes))];
		struct touches t = {0};
		struct arena arena = {0};

		buf_clear(&text);
		buf_clear(&json);
		for (size_t n = below(24); n; n--) {
			const char *piece = pieces[below(COUNT(pieces))];

			buf_text(&text, piece);
			if (below(50) == 0)
				buf_byte(&text, '\0');
		}
		if (round % 3)
			buf_text(&json, shape);
		json_write_string(&json, buf_view(&text));
		if (round % 3)
			buf_byte(&json, *shape == '[' ? ']' : '}');
		touches_read(&t, STR("bash"), jv_parse(buf_view(&json)), &arena);
		for (size_t i = 0; i < t.count; i++) {
			size_t added, removed;

			touch_lines(&t.items[i], &added, &removed);
			cr_assert(t.items[i].path.n);
			cr_assert(!memchr(t.items[i].path.p, '\n', t.items[i].path.n));
			cr_assert(added + removed <= 2 * text.len + 2);
		}
		touches_done(&t);
		arena_done(&arena);
	}
	buf_done(&text);
	buf_done(&json);
}

/* The folder of a command after very many `cd` is no path: what it takes is linear. */
Test(touch, cd_after_cd)
{
	size_t bytes[2];

	for (size_t round = 0; round < 2; round++) {
		struct buf json = BUF_INIT, script = BUF_INIT;
		struct touches t = {0};
		struct arena arena = {0};

		for (size_t n = round ? 40000 : 20000; n; n--)
			buf_text(&script, "cd a;");
		buf_text(&script, "echo x >/b");
		buf_text(&json, "{\"command\":");
		json_write_string(&json, buf_view(&script));
		buf_byte(&json, '}');
		touches_read(&t, STR("bash"), jv_parse(buf_view(&json)), &arena);
		cr_expect_eq(t.count, 1);
		bytes[round] = arena.bytes;
		touches_done(&t);
		arena_done(&arena);
		buf_done(&json);
		buf_done(&script);
	}
	cr_expect_lt(bytes[1], 3 * bytes[0], "%zu, then %zu", bytes[0], bytes[1]);
}
