/* JSON Schema: the official suite, findings, mistakes in schemas, and hostile ones. */
#include "config.h"

#include <criterion/criterion.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "schema/schema.h"
#include "schema/schema_node.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define SUITE       "/usr/share/json-schema-test-suite/tests/draft7"

/* The official suite */

struct suite {
	size_t run, passed;       /* that count */
	size_t local, local_good; /* cases of schemas that have addresses of their own */
	size_t remote;            /* schemas that were refused for another document */
};

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static json_t *read_file(const char *folder, const char *name)
{
	struct buf path = BUF_INIT, text = BUF_INIT;
	struct err err = {0};
	json_t *value;
	FILE *file;
	int c;

	buf_printf(&path, "%s/%s", folder, name);
	file = fopen(path.data, "r");
	cr_assert(file, "%s", path.data);
	while ((c = getc(file)) != EOF)
		buf_byte(&text, (char)c);
	fclose(file);
	value = json_read(buf_view(&text), NULL, &err);
	cr_assert(value, "%s: %s", path.data, err.text);
	buf_done(&path);
	buf_done(&text);
	return value;
}

static size_t run_tests(const char *name, const json_t *group, const struct schema *s)
{
	size_t i, passed = 0;
	json_t *test;

	json_array_foreach(json_object_get(group, "tests"), i, test) {
		bool want = json_is_true(json_object_get(test, "valid"));
		bool got = schema_check(s, json_object_get(test, "data"), NULL, NULL);

		passed += got == want;
		cr_expect_eq(got, want, "%s: %s: %s", name, text_of(group, "description"),
			text_of(test, "description"));
	}
	return passed;
}

/* Whether the schema names an absolute address: that of another document, or its own. */
static bool has_address(const json_t *schema)
{
	struct buf text = BUF_INIT;
	bool has;

	json_write(&text, schema, JSON_LINE);
	has = strstr(text.data, "\"http:") != NULL;
	buf_done(&text);
	return has;
}

static void run_group(struct suite *suite, const char *name, const json_t *group)
{
	const json_t *schema = json_object_get(group, "schema");
	bool counts = strcmp(name, "refRemote.json") != 0 && !has_address(schema);
	size_t tests = json_array_size(json_object_get(group, "tests"));
	struct err err = {0};
	struct schema *s = schema_new(schema, &err);

	if (counts) {
		cr_expect(s, "%s: %s: %s", name, text_of(group, "description"), err.text);
		suite->run += tests;
		suite->passed += s ? run_tests(name, group, s) : 0;
	} else if (s) {
		suite->local += tests;
		suite->local_good += run_tests(name, group, s);
	} else {
		suite->remote++;
		cr_expect(strstr(err.text, "another document"), "%s: %s", name, err.text);
	}
	err_done(&err);
	schema_free(s);
}

static void run_file(struct suite *suite, const char *folder, const char *name)
{
	json_t *groups = read_file(folder, name), *group;
	size_t i;

	json_array_foreach(groups, i, group) {
		run_group(suite, name, group);
	}
	json_decref(groups);
}

static void run_folder(struct suite *suite, const char *folder, DIR *dir)
{
	struct dirent *entry;

	while ((entry = readdir(dir)) != NULL) {
		size_t n = strlen(entry->d_name);

		if (n > 5 && strcmp(entry->d_name + n - 5, ".json") == 0)
			run_file(suite, folder, entry->d_name);
	}
}

Test(schema, official_suite, .init = json_init)
{
	const char *folder = getenv("JSON_SCHEMA_TEST_SUITE");
	struct suite suite = {0};
	DIR *dir;

	folder = folder ? folder : SUITE;
	dir = opendir(folder);
	if (!dir) {
		printf("JSON Schema suite: skipped, %s is not there\n", folder);
		return;
	}
	run_folder(&suite, folder, dir);
	closedir(dir);
	printf("JSON Schema suite: %zu of %zu\n", suite.passed, suite.run);
	cr_expect_eq(suite.passed, suite.run);
	cr_expect_gt(suite.run, 400);
	cr_expect_eq(suite.local, suite.local_good);
	cr_expect_gt(suite.remote, 0);
}

/* Findings, a line each.  In the texts here ' stands for ". */

static bool add_line(const struct schema_finding *f, void *ctx)
{
	struct buf *out = ctx;

	buf_str(out, f->path);
	buf_printf(out, "%s%s: ", f->path.n ? " " : "", f->rule);
	buf_str(out, f->message);
	buf_byte(out, '\n');
	return true;
}

static void quote(struct buf *out, const char *text)
{
	buf_text(out, text);
	for (size_t i = 0; i < out->len; i++)
		if (out->data[i] == '\'')
			out->data[i] = '"';
}

static json_t *parse(const char *text)
{
	struct buf quoted = BUF_INIT;
	struct err err = {0};
	json_t *value;

	quote(&quoted, text);
	value = json_read(buf_view(&quoted), NULL, &err);
	cr_assert(value, "%s: %s", text, err.text);
	buf_done(&quoted);
	return value;
}

static struct schema *compile(const char *text)
{
	struct err err = {0};
	json_t *value = parse(text);
	struct schema *s = schema_new(value, &err);

	cr_assert(s, "%s: %s", text, err.text);
	json_decref(value);
	return s;
}

static void check_findings(const struct schema *s, const json_t *value, const char *want)
{
	struct buf out = BUF_INIT, quoted = BUF_INIT;

	buf_text(&out, "");
	quote(&quoted, want);
	cr_expect_eq(schema_check(s, value, add_line, &out), !*want, "%s", want);
	cr_expect_str_eq(out.data, quoted.data);
	cr_expect_eq(schema_check(s, value, NULL, NULL), !*want, "%s", want);
	buf_done(&out);
	buf_done(&quoted);
}

static void expect_findings(const char *schema, const char *value, const char *want)
{
	struct schema *s = compile(schema);
	json_t *v = parse(value);

	check_findings(s, v, want);
	json_decref(v);
	schema_free(s);
}

struct row {
	const char *schema, *value, *want;
};

#define EXPECT_ROWS(rows)                                                                \
	for (size_t i = 0; i < COUNT(rows); i++)                                         \
	expect_findings(rows[i].schema, rows[i].value, rows[i].want)

Test(schema, every_rule, .init = json_init)
{
	static const struct row rows[] = {
		{"true", "1", ""},
		{"{}", "1", ""},
		{"false", "1", "schema: no value is allowed\n"},
		{"{'type':'integer'}", "'1'",
			"type: '1' is a string, expected integer\n"},
		{"{'type':['string','null']}", "{}",
			"type: is an object, expected string or null\n"},
		{"{'type':['number','integer','array']}", "true",
			"type: true is a boolean, expected array or number\n"},
		{"{'type':'boolean'}", "null", "type: is null, expected boolean\n"},
		{"{'enum':['create','update']}", "'frob'",
			"enum: 'frob' is none of 'create', 'update'\n"},
		{"{'enum':[1,2,3,4,5,6,7,8,9]}", "0",
			"enum: 0 is none of 1, 2, 3, 4, 5, 6, 7 and 2 more\n"},
		{"{'enum':[[1,{'a':2}]]}", "[1]", "enum: [1] is none of [1, {'a': 2}]\n"},
		{"{'const':'client'}", "'server'", "const: 'server' is not 'client'\n"},
		{"{'multipleOf':0.01}", "0.075",
			"multipleOf: 0.075 is not a multiple of 0.01\n"},
		{"{'maximum':3}", "4", "maximum: 4 is greater than 3\n"},
		{"{'exclusiveMaximum':3}", "3.0",
			"exclusiveMaximum: 3 is not less than 3\n"},
		{"{'minimum':3}", "2.5", "minimum: 2.5 is less than 3\n"},
		{"{'exclusiveMinimum':3}", "3",
			"exclusiveMinimum: 3 is not greater than 3\n"},
		{"{'maxLength':1}", "'ab'",
			"maxLength: 'ab' has 2 characters, expected at most 1\n"},
		{"{'minLength':2}", "'\xF0\x9F\x98\x80'",
			"minLength: '\xF0\x9F\x98\x80' has 1 character, expected at "
			"least "
			"2\n"},
		{"{'minLength':1}", "''", "minLength: is empty, expected at least 1\n"},
		{"{'pattern':'^\\\\d+$'}", "'x'", "pattern: 'x' does not match ^\\d+$\n"},
		{"{'maxItems':1}", "[1,2]",
			"maxItems: has 2 items, expected at most 1\n"},
		{"{'minItems':1}", "[]", "minItems: is empty, expected at least 1\n"},
		{"{'uniqueItems':true}", "[{'a':1,'b':2},0,{'b':2.0,'a':1}]",
			"uniqueItems: items 0 and 2 are equal: {'b': 2, 'a': 1}\n"},
		{"{'contains':{'type':'null'}}", "[1]",
			"contains: none of the items is one that must be there\n"},
		{"{'items':[{},{'type':'null'}],'additionalItems':false}", "[1,2,3]",
			"[1] type: 2 is an integer, expected null\n"
			"[2] additionalItems: item 2 is not allowed\n"},
		{"{'maxProperties':0}", "{'a':1}",
			"maxProperties: has 1 property, expected at most 0\n"},
		{"{'minProperties':2}", "{'a':1}",
			"minProperties: has 1 property, expected at least 2\n"},
		{"{'required':['mode','a']}", "{'a':1}",
			"required: required property 'mode' is missing\n"},
		{"{'propertyNames':{'pattern':'^a'}}", "{'ab':1,'b':2}",
			"propertyNames: property name 'b': 'b' does not match ^a\n"},
		{"{'patternProperties':{'^n':{'type':'null'}},"
		 "'additionalProperties':false}",
			"{'n1':1,'m':2}",
			"n1 type: 1 is an integer, expected null\n"
			"m additionalProperties: property 'm' is not allowed\n"},
		{"{'dependencies':{'a':['b'],'c':{'required':['d']}}}", "{'a':1,'c':1}",
			"dependencies: property 'b' is missing; 'a' requires it\n"
			"required: required property 'd' is missing\n"},
		{"{'allOf':[{'minimum':2},{'minimum':3}]}", "1",
			"minimum: 1 is less than 2\nminimum: 1 is less than 3\n"},
		{"{'not':{'type':'string'}}", "'x'",
			"not: 'x' is what the schema rules out\n"},
		{"{'if':{'minimum':5},'then':{'const':9},'else':{'const':0}}", "7",
			"const: 7 is not 9\n"},
		{"{'if':{'minimum':5},'then':{'const':9},'else':{'const':0}}", "2",
			"const: 2 is not 0\n"},
		{"{'then':false,'else':false}", "2", ""},
		{"{'required':['a\\u0000b','a\\u0000']}", "{'a':1,'a\\u0000b':1}",
			"required: required property 'a\\u0000' is missing\n"},
		{"{'format':'date','title':1,'frob':{'type':2}}", "'x'", ""},
	};

	EXPECT_ROWS(rows);
}

Test(schema, shortened, .init = json_init)
{
	static const struct row rows[] = {
		{"{'const':[0,1,2,3,4,5,6,7,8,9]}",
			"'0123456789012345678901234567890123456789x'",
			"const: '0123456789012345678901234567890123456789\xE2\x80\xA6' "
			"is "
			"not [\xE2\x80\xA6]\n"},
		{"{'type':'string'}", "12345678901234567890123456789012345678901",
			"type: 1234567890123456789012345678901234567890\xE2\x80\xA6 is "
			"an "
			"integer, expected string\n"},
		{"{'const':1}",
			"{'k':"
			"'0123456789012345678901234567890123456789012345678901234567890'"
			"}",
			"const: {\xE2\x80\xA6} is not 1\n"},
	};

	EXPECT_ROWS(rows);
}

/* Of several forms: the mistakes in the one that is meant. */
Test(schema, forms, .init = json_init)
{
	static const char operation[] =
		"{'oneOf':["
		"{'type':'object','required':['action','column'],'properties':"
		"{'action':{'const':'add'},'column':{'$ref':'#/definitions/column'}}},"
		"{'type':'object','required':['action','id'],'properties':"
		"{'action':{'enum':['remove']},'id':{'type':'integer'}},"
		"'additionalProperties':false}],"
		"'definitions':{'column':{'properties':{'type':{'enum':['text','date']}}}"
		"}"
		"}";
	static const struct row rows[] = {
		{operation, "{'action':'remove','id':1}", ""},
		{operation, "{'action':'add','column':{'type':'txt'}}",
			"column.type enum: 'txt' is none of 'text', 'date'\n"},
		{operation, "{'action':'remove','id':'x','odd key':1}",
			"id type: 'x' is a string, expected integer\n"
			"['odd key'] additionalProperties: property 'odd key' is not "
			"allowed\n"},
		{operation, "{'action':'frob'}",
			"oneOf: 'action' is 'frob', expected one of 'add', 'remove'\n"},
		{operation, "{'id':1}",
			"oneOf: 'action' is missing, expected one of 'add', 'remove'\n"},
		{operation, "5", "oneOf: 5 is an integer, expected object\n"},
		{"{'anyOf':[{'type':'string','minLength':2},{'type':'null'}]}", "'x'",
			"minLength: 'x' has 1 character, expected at least 2\n"},
		{"{'anyOf':[{'type':'string'},{'type':'null'}]}", "1",
			"anyOf: 1 is an integer, expected string or null\n"},
		{"{'anyOf':[{'required':['a','b']},{'properties':{'c':{'const':1}}}]}",
			"{'c':2}",
			"anyOf: fits none of 2 forms; closest is form 2: c: 2 is not "
			"1\n"},
		{"{'oneOf':[{'minimum':1},{'type':'string'},{'maximum':9}]}", "5",
			"oneOf: fits the forms 1 and 3, must fit only one\n"},
		{"{'oneOf':[{'type':'string','minLength':1},true]}", "''", ""},
		{"{'anyOf':[{'type':'string','minLength':1},true]}", "''", ""},
		{"{'anyOf':[false,{'$ref':'#/definitions/yes'},{'minLength':1}],"
		 "'definitions':{'yes':true}}",
			"''", ""},
		{"{'anyOf':[false]}", "1", "anyOf: no value is allowed\n"},
		{"{'not':{'anyOf':[{'type':'string'},{'type':'null'}]}}", "null",
			"not: null is what the schema rules out\n"},
	};

	EXPECT_ROWS(rows);
}

/* Findings stand in the order of the document, and each is reported once. */
Test(schema, order, .init = json_init)
{
	static const struct row rows[] = {
		{"{'allOf':[{'properties':{'b':{'type':'null'}}},{'required':['z']},"
		 "{'properties':{'a':{'type':'null'},'b':{'minimum':5}}}]}",
			"{'a':1,'b':2}",
			"required: required property 'z' is missing\n"
			"a type: 1 is an integer, expected null\n"
			"b type: 2 is an integer, expected null\n"
			"b minimum: 2 is less than 5\n"},
		{"{'allOf':[{'$ref':'#/definitions/a'},{'allOf':[{'$ref':'#/definitions/"
		 "a'}]}],'definitions':{'a':{'required':['x']}}}",
			"{}", "required: required property 'x' is missing\n"},
		{"{'items':{'type':'object','properties':{'n':{'type':'null'}}}}",
			"[1,{'n':2},[]]",
			"[0] type: 1 is an integer, expected object\n"
			"[1].n type: 2 is an integer, expected null\n"
			"[2] type: is an array, expected object\n"},
	};

	EXPECT_ROWS(rows);
}

static bool keep_pointer(const struct schema_finding *f, void *ctx)
{
	struct buf *out = ctx;

	buf_str(out, f->pointer);
	buf_byte(out, ' ');
	buf_str(out, f->path);
	buf_byte(out, ' ');
	json_write(out, f->value, JSON_LINE);
	return false;
}

Test(schema, place_of_a_finding, .init = json_init)
{
	struct schema *s =
		compile("{'additionalProperties':{'$ref':'#'},'type':'object'}");
	json_t *value = parse("{'a':{'b/c~d':{'$_9':{'9':{'':{'x\xC3\xA4':7,'y':8}}}}}}");
	struct buf out = BUF_INIT;

	cr_expect_not(schema_check(s, value, keep_pointer, &out));
	cr_expect_str_eq(out.data, "/a/b~1c~0d/$_9/9//x\xC3\xA4 "
				   "a[\"b/c~d\"].$_9[\"9\"][\"\"][\"x\xC3\xA4\"] 7");
	buf_done(&out);
	json_decref(value);
	schema_free(s);
}

/* Numbers */

Test(schema, numbers, .init = json_init)
{
	static const struct row rows[] = {
		{"{'type':'integer'}", "1.0", ""},
		{"{'type':'integer'}", "1e300", ""},
		{"{'type':'integer'}", "123456789012345678901234567890", ""},
		{"{'type':'integer'}", "1.5e999", ""},
		{"{'type':'integer'}", "-0.0", ""},
		{"{'type':'integer'}", "0.5",
			"type: 0.5 is a number, expected integer\n"},
		{"{'type':'string'}", "1e999",
			"type: 1e999 is an integer, expected string\n"},
		{"{'const':1e2}", "100", ""},
		{"{'const':0}", "-0.0", ""},
		{"{'const':18446744073709552000}", "1.8446744073709552e19", ""},
		{"{'const':9007199254740993}", "9007199254740992.0",
			"const: 9007199254740992 is not 9007199254740993\n"},
		{"{'const':{'a':[1]}}", "{'a':[1.0]}", ""},
		{"{'const':false}", "0", "const: 0 is not false\n"},
		{"{'enum':[1]}", "true", "enum: true is none of 1\n"},
		{"{'maximum':18446744073709551615}", "18446744073709551600", ""},
		{"{'maximum':18446744073709551615}", "18446744073709551616",
			"maximum: 18446744073709551616 is greater than "
			"18446744073709551615\n"},
		{"{'minimum':-18446744073709551615}", "-18446744073709551616",
			"minimum: -18446744073709551616 is less than "
			"-18446744073709551615\n"},
		{"{'exclusiveMaximum':1e999}", "5", ""},
		{"{'exclusiveMinimum':1e-400}", "0",
			"exclusiveMinimum: 0 is not greater than 0\n"},
		{"{'multipleOf':0.0001}", "0.0075", ""},
		{"{'multipleOf':0.0001}", "0.00751",
			"multipleOf: 0.00751 is not a multiple of 0.0001\n"},
		{"{'multipleOf':0.1}", "123456789.7", ""},
		{"{'multipleOf':1e-8}", "12391239123", ""},
		{"{'multipleOf':0.5}", "1e308", ""},
		{"{'multipleOf':3}", "1e999",
			"multipleOf: 1e999 is not a multiple of 3\n"},
		{"{'multipleOf':3}", "3e999", ""},
		{"{'multipleOf':1e999}", "7e1000", ""},
		{"{'multipleOf':1e999}", "7",
			"multipleOf: 7 is not a multiple of 1e999\n"},
		{"{'multipleOf':7}", "-9223372036854775808",
			"multipleOf: -9223372036854775808 is not a multiple of 7\n"},
		{"{'multipleOf':2}", "0", ""},
		{"{'minLength':2.0}", "'a'",
			"minLength: 'a' has 1 character, expected at least 2\n"},
		{"{'maxLength':99999999999999999999}", "'a'", ""},
		{"{'uniqueItems':true}", "[1,1.0]",
			"uniqueItems: items 0 and 1 are equal: 1\n"},
		{"{'uniqueItems':true}", "[1,true,'1',[1],{'1':1},null,0,false,'']", ""},
		{"{'uniqueItems':true}", "[1e999,10e998]",
			"uniqueItems: items 0 and 1 are equal: 10e998\n"},
		{"{'uniqueItems':true}",
			"[[[1],2],[1,[2]],[[1,2]],{'a':{'b':1}},"
			"{'b':{'a':1}},[],{},[[]],[{}]]",
			""},
	};

	EXPECT_ROWS(rows);
}

/* References */

Test(schema, references, .init = json_init)
{
	static const struct row rows[] = {
		{"{'$ref':'#/definitions/a','type':'null','definitions':{'a':{'type':"
		 "'string'}}}",
			"'x'", ""},
		{"{'items':{'$ref':'#/$defs/a~1b%25c~0'},'$defs':{'a/b%c~':{'const':1}}}",
			"[1,2]", "[1] const: 2 is not 1\n"},
		{"{'items':{'$ref':'#name'},'definitions':{'a':{'$id':'#name','const':1}}"
		 "}",
			"[2]", "[0] const: 2 is not 1\n"},
		{"{'$ref':'#name','definitions':{'a':{'$id':'#name','const':1}}}", "2",
			"const: 2 is not 1\n"},
		{"{'$id':'http://h/a/root','items':{'$ref':'../b/c?q'},'definitions':{"
		 "'x':{'$id':'/b/./c?q','const':1}}}",
			"[2]", "[0] const: 2 is not 1\n"},
		{"{'$id':'http://h/a/root','items':{'$ref':'http://h/a/root#/definitions/"
		 "x'},'definitions':{'x':{'const':1}}}",
			"[2]", "[0] const: 2 is not 1\n"},
		{"{'$id':'urn:x:y','items':{'$ref':'urn:x:y#z'},'definitions':{'x':{"
		 "'$id':'#z','const':1}}}",
			"[2]", "[0] const: 2 is not 1\n"},
		{"{'definitions':{'d':{'$id':'http://h/d','items':{'$ref':'#/definitions/"
		 "e'},'definitions':{'e':{'const':1}}},'e':{'const':2}},"
		 "'allOf':[{'$ref':'http://h/d'}]}",
			"[2]", "[0] const: 2 is not 1\n"},
		{"{'items':{'$ref':'#/x/0/y'},'x':[{'y':{'items':{'$ref':'#/x/1'}}},"
		 "{'const':1}]}",
			"[[1,2]]", "[0][1] const: 2 is not 1\n"},
		{"{'properties':{'$ref':{'const':1}}}", "{'$ref':2}",
			"$ref const: 2 is not 1\n"},
		{"{'const':{'$ref':'#/nowhere'}}", "{'$ref':'#/nowhere'}", ""},
		{"{'properties':{'a':{'$ref':'#'}},'additionalProperties':false}",
			"{'a':{'a':{'b':1}}}",
			"a.a.b additionalProperties: property 'b' is not allowed\n"},
		{"{'items':{'$ref':'#/definitions/no'},'definitions':{'no':false}}",
			"[1]", "[0] $ref: item 0 is not allowed\n"},
	};

	EXPECT_ROWS(rows);
}

/* The examples of RFC 3986, section 5.4, without fragments. */
Test(schema, addresses)
{
	static const char *const rows[][2] = {
		{"g:h", "g:h"},
		{"g", "http://a/b/c/g"},
		{"./g", "http://a/b/c/g"},
		{"g/", "http://a/b/c/g/"},
		{"/g", "http://a/g"},
		{"//g", "http://g"},
		{"?y", "http://a/b/c/d;p?y"},
		{"g?y", "http://a/b/c/g?y"},
		{"#s", "http://a/b/c/d;p?q"},
		{"g;x?y#s", "http://a/b/c/g;x?y"},
		{"", "http://a/b/c/d;p?q"},
		{".", "http://a/b/c/"},
		{"..", "http://a/b/"},
		{"../g", "http://a/b/g"},
		{"../..", "http://a/"},
		{"../../g", "http://a/g"},
		{"../../../../g", "http://a/g"},
		{"/./g", "http://a/g"},
		{"/../g", "http://a/g"},
		{"g.", "http://a/b/c/g."},
		{"..g", "http://a/b/c/..g"},
		{"./../g", "http://a/b/g"},
		{"./g/.", "http://a/b/c/g/"},
		{"g/../h", "http://a/b/c/h"},
		{"g;x=1/../y", "http://a/b/c/y"},
		{"g?y/../x", "http://a/b/c/g?y/../x"},
	};
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < COUNT(rows); i++) {
		buf_clear(&out);
		uri_resolve(&out, STR("http://a/b/c/d;p?q"), str_of(rows[i][0]));
		cr_expect_str_eq(out.data, rows[i][1], "%s", rows[i][0]);
	}
	buf_clear(&out);
	uri_resolve(&out, STR(""), STR("../x"));
	cr_expect_str_eq(out.data, "../x");
	buf_clear(&out);
	uri_resolve(&out, STR("http://a"), STR("x"));
	cr_expect_str_eq(out.data, "http://a/x");
	buf_done(&out);
}

/* Schemas that are none */

static void expect_refused(const char *schema, const char *want)
{
	struct buf quoted = BUF_INIT;
	struct err err = {0};
	json_t *value = parse(schema);
	struct schema *s = schema_new(value, &err);

	quote(&quoted, want);
	cr_expect_null(s, "%s", schema);
	cr_expect_str_eq(err.text ? err.text : "", quoted.data, "%s", schema);
	cr_expect_null(schema_new(value, NULL));
	buf_done(&quoted);
	err_done(&err);
	json_decref(value);
	schema_free(s);
}

Test(schema, refused, .init = json_init)
{
	static const struct {
		const char *schema, *want;
	} rows[] = {
		{"5", "expected a schema (an object, true or false), found 5"},
		{"null", "expected a schema (an object, true or false), found null"},
		{"{'properties':{'mode':{'type':'strin'}}}",
			"properties.mode.type: expected null, boolean, integer, number, "
			"string, array or object, or an array of them, found 'strin'"},
		{"{'type':[]}", "type: expected null, boolean, integer, number, string, "
				"array or object, or an array of them, found []"},
		{"{'type':['string',5]}",
			"type: expected null, boolean, integer, number, string, array or "
			"object, or an array of them, found ['string', 5]"},
		{"{'items':[true,{'minLength':-1}]}",
			"items[1].minLength: expected a whole number from 0 on, found "
			"-1"},
		{"{'maxItems':1.5}",
			"maxItems: expected a whole number from 0 on, found 1.5"},
		{"{'maxItems':-1e999}",
			"maxItems: expected a whole number from 0 on, found -1e999"},
		{"{'minimum':'3'}", "minimum: expected a number, found '3'"},
		{"{'exclusiveMinimum':true}",
			"exclusiveMinimum: expected a number, found true"},
		{"{'multipleOf':0}",
			"multipleOf: expected a number above 0, of at most 18 digits, "
			"found 0"},
		{"{'multipleOf':-2}",
			"multipleOf: expected a number above 0, of at most 18 digits, "
			"found -2"},
		{"{'required':'a'}", "required: expected an array of strings, found 'a'"},
		{"{'required':[1]}", "required: expected an array of strings, found [1]"},
		{"{'uniqueItems':1}", "uniqueItems: expected true or false, found 1"},
		{"{'enum':{}}", "enum: expected an array, found {}"},
		{"{'allOf':[]}",
			"allOf: expected an array of schemas, not empty, found []"},
		{"{'anyOf':[{},7]}",
			"anyOf[1]: expected a schema (an object, true or false), found "
			"7"},
		{"{'not':'x'}",
			"not: expected a schema (an object, true or false), found 'x'"},
		{"{'properties':[]}",
			"properties: expected an object of schemas, found []"},
		{"{'properties':{'odd key':null}}",
			"properties['odd key']: expected a schema (an object, true or "
			"false), found null"},
		{"{'dependencies':{'a':[1]}}",
			"dependencies: expected an object of schemas and arrays of "
			"strings, found {'a': [1]}"},
		{"{'dependencies':{'a':1}}",
			"dependencies.a: expected a schema (an object, true or false), "
			"found 1"},
		{"{'pattern':'a('}",
			"pattern: no pattern: missing closing parenthesis, at byte 2"},
		{"{'patternProperties':{'[':{}}}",
			"patternProperties['[']: no pattern: missing terminating ] for "
			"character class, at byte 1"},
		{"{'pattern':5}", "pattern: expected a string, found 5"},
		{"{'$id':5}", "$id: expected a string, found 5"},
		{"{'$ref':{}}", "$ref: expected a string, found {}"},
		{"{'items':{'$ref':'#/definitions/b'},'definitions':{'a':{}}}",
			"items.$ref: #/definitions/b leads nowhere"},
		{"{'items':{'$ref':'#b'}}", "items.$ref: #b leads nowhere"},
		{"{'items':{'$ref':'#/x'},'x':'s'}",
			"items.$ref: expected a schema where it leads, found 's'"},
		{"{'items':{'$ref':'#/items/01'}}",
			"items.$ref: #/items/01 leads nowhere"},
		{"{'items':{'$ref':'#/a%00b'},'a':{}}",
			"items.$ref: #/a%00b leads nowhere"},
		{"{'items':{'$ref':'#/x/y'},'x':{'y':{'type':1}}}",
			"#/x/y.type: expected null, boolean, integer, number, string, "
			"array or object, or an array of them, found 1"},
		{"{'items':{'$ref':'http://json-schema.org/draft-07/schema#'}}",
			"items.$ref: http://json-schema.org/draft-07/schema# is another "
			"document, and nothing is fetched"},
		{"{'items':{'$ref':'other.json'}}",
			"items.$ref: other.json is another document, and nothing is "
			"fetched"},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		expect_refused(rows[i].schema, rows[i].want);
}

/* A reference that comes back for the same value; those that go into the value are fine. */
Test(schema, loops, .init = json_init)
{
	static const char *const loops[] = {
		"{'$ref':'#'}",
		"{'allOf':[{'$ref':'#'}]}",
		"{'anyOf':[{'type':'string'},{'$ref':'#'}]}",
		"{'oneOf':[{'$ref':'#'}]}",
		"{'not':{'$ref':'#'}}",
		"{'if':{'$ref':'#'}}",
		"{'if':{},'then':{'$ref':'#'}}",
		"{'if':{},'else':{'$ref':'#'}}",
		"{'dependencies':{'a':['b'],'c':{'$ref':'#'}}}",
		"{'x':{'allOf':[{'$ref':'#/y'}]},'y':{'$ref':'#/x'},'$ref':'#/x'}",
		"{'items':{'$ref':'#/x'},'x':{'$ref':'#/y'},'y':{'$ref':'#/x'}}",
	};

	for (size_t i = 0; i < COUNT(loops); i++) {
		struct err err = {0};
		json_t *value = parse(loops[i]);
		struct schema *s = schema_new(value, &err);

		cr_expect_null(s, "%s", loops[i]);
		cr_expect(err.text && strstr(err.text, "$ref: comes back to itself"),
			"%s: %s", loops[i], err.text);
		err_done(&err);
		json_decref(value);
		schema_free(s);
	}
	expect_findings("{'items':{'$ref':'#'},'contains':{'$ref':'#'},'properties':{'a':"
			"{'$ref':'#'}},'propertyNames':{'$ref':'#'}}",
		"[[{'a':{}}]]", "");
}

/* Hostile schemas and values */

static void put_times(struct buf *out, size_t times, const char *text)
{
	while (times--)
		buf_text(out, text);
}

/* HEAD … HEAD middle TAIL … TAIL */
static char *nested(size_t times, const char *head, const char *middle, const char *tail)
{
	struct buf text = BUF_INIT;

	put_times(&text, times, head);
	buf_text(&text, middle);
	put_times(&text, times, tail);
	return buf_take(&text);
}

struct counted {
	size_t count;
	char *rule, *message;
};

static bool count_one(const struct schema_finding *f, void *ctx)
{
	struct counted *c = ctx;

	if (!c->count++) {
		c->rule = mem_dup(f->rule, strlen(f->rule));
		c->message = mem_dup(f->message.p, f->message.n);
	}
	return true;
}

/* The number of findings; the first is of the rule and has the words in it. */
static size_t count_findings(
	const char *schema, const char *value, const char *rule, const char *words)
{
	struct schema *s = compile(schema);
	json_t *v = parse(value);
	struct counted c = {0};

	cr_expect_eq(schema_check(s, v, count_one, &c), c.count == 0);
	cr_expect_eq(schema_check(s, v, NULL, NULL), c.count == 0);
	if (c.count) {
		cr_expect_str_eq(c.rule, rule);
		cr_expect(strstr(c.message, words), "%s", c.message);
	}
	mem_free(c.rule);
	mem_free(c.message);
	json_decref(v);
	schema_free(s);
	return c.count;
}

Test(schema, deep_values, .init = json_init)
{
	char *good = nested(2000, "{\"a\":", "{}", "}");
	char *bad = nested(2000, "{\"a\":", "{\"b\":1}", "}");
	static const char *const schemas[] = {
		"{'properties':{'a':{'$ref':'#'}},'additionalProperties':false}",
		"{'anyOf':[{'type':'string'},{'properties':{'a':{'$ref':'#'}},"
		"'additionalProperties':false}]}",
		"{'oneOf':[{'type':'object','required':['b'],'properties':{'b':{'type':"
		"'string'}}},"
		"{'type':'object','properties':{'a':{'$ref':'#'}},"
		"'additionalProperties':false}]}",
	};

	for (size_t i = 0; i < COUNT(schemas); i++) {
		cr_expect_eq(count_findings(schemas[i], good, "", ""), 0, "%zu", i);
	}
	for (size_t i = 0; i < 2; i++)
		cr_expect_eq(
			count_findings(schemas[i], bad, "additionalProperties", "\"b\""),
			1, "%zu", i);
	mem_free(good);
	mem_free(bad);
}

Test(schema, deep_schemas, .init = json_init)
{
	char *items = nested(2000, "{\"items\":", "{\"type\":\"string\"}", "}");
	char *all = nested(1000, "{\"allOf\":[", "{\"type\":\"string\"}", "]}");
	char *not = nested(2001, "{\"not\":", "{\"type\":\"string\"}", "}");
	char *array = nested(2000, "[", "1", "]");

	cr_expect_eq(count_findings(items, array, "type", "1 is an integer"), 1);
	cr_expect_eq(count_findings(all, array, "type", "is an array"), 1);
	cr_expect_eq(count_findings(not, array, "", ""), 0);
	mem_free(items);
	mem_free(all);
	mem_free(not );
	mem_free(array);
}

Test(schema, too_deep, .init = json_init)
{
	char *value = nested(2000, "{\"a\":", "{}", "}");

	cr_expect_eq(count_findings("{'anyOf':[{'not':{'not':{'not':{'not':{'properties'"
				    ":{'a':{'$ref':'#'}}}}}}}]}",
			     value, "limits", "too deep"),
		1);
	mem_free(value);
}

/* Every level tries every form, which tries every form of the level below. */
Test(schema, too_much_work, .init = json_init)
{
	char *value = nested(100, "{\"a\":", "{}", ",\"b\":0}");
	static const char form[] =
		"{'anyOf':[{'properties':{'a':{'$ref':'#'},'b':{'const':1}}},"
		"{'properties':{'a':{'$ref':'#'},'b':{'const':2}}},"
		"{'properties':{'a':{'$ref':'#'},'b':{'const':3}}}]}";

	cr_expect_eq(count_findings(form, value, "limits", "too much work"), 1);
	mem_free(value);
}

/* Many paths to one schema. */
Test(schema, diamonds, .init = json_init)
{
	struct buf schema = BUF_INIT;

	buf_text(&schema, "{\"$ref\":\"#/definitions/0\",\"definitions\":{");
	for (int i = 0; i < 60; i++)
		buf_printf(&schema,
			"\"%d\":{\"allOf\":[{\"$ref\":\"#/definitions/%d\"},"
			"{\"$ref\":\"#/definitions/%d\"}]},",
			i, i + 1, i + 1);
	buf_text(&schema, "\"60\":{\"type\":\"null\"}}}");
	cr_expect_eq(count_findings(schema.data, "1", "type", "expected null"), 1);
	buf_done(&schema);
}

Test(schema, large_documents_are_checked_to_their_end, .init = json_init)
{
	struct buf value = BUF_INIT;

	buf_byte(&value, '[');
	for (int i = 0; i < 100000; i++)
		buf_printf(&value, "{\"id\":%d,\"tags\":[%d,%d]},", i, i, i + 1);
	buf_text(&value, "{}]");
	cr_expect_eq(
		count_findings("{'uniqueItems':true,'items':{'type':'object',"
			       "'required':['id'],'properties':{'id':{'enum':[]},"
			       "'tags':{'uniqueItems':true,'items':{'minimum':0}}}}}",
			value.data, "enum", "0 is none of "),
		100001);
	buf_done(&value);
}

/* Patterns */

static enum pattern_result match(const char *pattern, struct str text)
{
	struct err err = {0};
	struct pattern *p = pattern_new(str_of(pattern), &err);
	enum pattern_result result;

	cr_assert(p, "%s: %s", pattern, err.text);
	result = pattern_match(p, text);
	pattern_free(p);
	return result;
}

Test(pattern, dialect)
{
	static const struct {
		const char *pattern, *text;
		bool matches;
	} rows[] = {
		{"", "", true},
		{"a+", "xxaayy", true},
		{"^a*$", "abc", false},
		{"^a$", "a\n", false},
		{"^a.c$", "a\nc", false},
		{"^a.c$", "a\rc", false},
		{"^a[^]c$", "a\nc", true},
		{"[]", "a", false},
		{"^\\d+$", "\xD9\xA3", false}, /* an Arabic digit */
		{"^\\u00e4$", "\xC3\xA4", true},
		{"^\\u{1F600}$", "\xF0\x9F\x98\x80", true},
		{"^.$", "\xF0\x9F\x98\x80", true},
		{"^\\x41\\cJ$", "A\n", true},
		{"^\\p{L}+$", "\xC3\xA4g", true},
		{"(?<x>a)\\k<x>", "aa", true},
		{"^(?:a|\\1(b))+$", "ab", true},
		{"^a{,3}$", "a{,3}", true},
		{".*zz$", "a\nb\r\nczz", true},
		{".*zz$", "a\nb\r\ncz", false},
		{"(?<=a)b", "cb", false},
		{".", "\xFF", false}, /* no UTF-8: matches nothing */
		{"^", "a\xFF", false},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect_eq(match(rows[i].pattern, str_of(rows[i].text)),
			rows[i].matches ? PATTERN_YES : PATTERN_NO, "%s",
			rows[i].pattern);
	cr_expect_eq(match("^a\\u0000b$", STR("a\0b")), PATTERN_YES);
	cr_expect_eq(match("x", (struct str){NULL, 0}), PATTERN_NO);
}

static void expect_no_pattern(struct str text, const char *words)
{
	struct err err = {0};
	struct pattern *p = pattern_new(text, &err);

	cr_expect_null(p, "%.40s", text.p);
	cr_expect(err.text && strstr(err.text, words), "%.40s: %s", text.p, err.text);
	cr_expect_leq(err.offset, text.n);
	err_done(&err);
	pattern_free(p);
}

Test(pattern, refused)
{
	char *deep = nested(101, "(", "a", ")");
	char *long_one = nested(PATTERN_LENGTH, "", "a", "a");

	expect_no_pattern(STR("a("), "parenthesis");
	expect_no_pattern(STR("(?<n"), "");
	expect_no_pattern(STR("\\C"), "\\C");
	expect_no_pattern(STR("(*UCP)a"), "UCP");
	expect_no_pattern(STR("a\xFF"), "UTF-8");
	expect_no_pattern(STR("((a{1,999}){1,999}){1,999}"), "too large");
	expect_no_pattern(str_of(deep), "too deeply nested");
	expect_no_pattern(str_of(long_one), "longer than the limit");
	mem_free(deep);
	mem_free(long_one);
}

/* Without limits each of these would take hours. */
Test(pattern, hostile)
{
	static const struct {
		const char *pattern, *head;
		size_t times;
		const char *tail;
	} rows[] = {
		{"^(a+)+$", "a", 40, "!"},
		{"^(a|a)*$", "a", 40, "!"},
		{"(x+x+)+y", "x", 100, "y0"},
		{"^(([a-z])+.)+[A-Z]([a-z])+$", "a", 60, ""},
		{"^(?:a?){30}a{30}$", "a", 29, ""},
		{"(?:a(?:a*b)?){0,200}[xy]", "a", 20000, ""},
		{"(?:a(?=.*+)){0,40}[xy]", "a", 200000, ""},
		{"(?R)|a", "b", 10, ""},
		{"(?:a(?R)?b)+$", "ab", 10000, "a"},
	};
	enum pattern_result result;

	for (size_t i = 0; i < COUNT(rows); i++) {
		char *text = nested(rows[i].times, rows[i].head, rows[i].tail, "");

		result = match(rows[i].pattern, str_of(text));
		if (i < 2)
			cr_expect_eq(result, PATTERN_GAVE_UP, "%s", rows[i].pattern);
		cr_expect_eq(i == 2, result == PATTERN_YES, "%s", rows[i].pattern);
		mem_free(text);
	}
}

/* Long texts are searched to their end, through all windows. */
Test(pattern, long_texts)
{
	char *text = nested(30000, "ab\xC3\xA4 ", "needle", "");
	char *pairs = nested(20000, "QUJD", "", "");

	cr_expect_eq(match("needle$", str_of(text)), PATTERN_YES);
	cr_expect_eq(match("(?<=\xC3\xA4 )n", str_of(text)), PATTERN_YES);
	cr_expect_eq(match("needles", str_of(text)), PATTERN_NO);
	cr_expect_eq(match(".*dle$", str_of(text)), PATTERN_YES);
	cr_expect_eq(match("^[\\s\\S]*needle", str_of(text)), PATTERN_YES);
	cr_expect_eq(match("^([A-Za-z0-9+/]{4})*$", str_of(pairs)), PATTERN_YES);
	mem_free(text);
	mem_free(pairs);
}

/* Giving up is a finding, also where it is only asked whether a schema holds. */
Test(schema, patterns_that_give_up, .init = json_init)
{
	static const char text[] = "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"";
	static const char *const schemas[] = {
		"{'pattern':'^(a+)+$'}",
		"{'not':{'pattern':'^(a+)+$'}}",
		"{'anyOf':[{'pattern':'^(a+)+$'},true]}",
		"{'if':{'pattern':'^(a+)+$'}}",
		"{'oneOf':[{'pattern':'^(a+)+$'},{'pattern':'^a'}]}",
	};

	for (size_t i = 0; i < COUNT(schemas); i++)
		cr_expect_eq(
			count_findings(schemas[i], text, "pattern", "takes too long"), 1,
			"%s", schemas[i]);
	cr_expect_eq(count_findings("{'patternProperties':{'^(a+)+$':true}}",
			     "{'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!':1}",
			     "patternProperties", "takes too long"),
		1);
}

/* A few bytes of pattern can take much memory; a schema may hold many. */
Test(schema, patterns_that_are_large, .init = json_init)
{
	struct buf schema = BUF_INIT;
	struct err err = {0};
	json_t *value;

	buf_text(&schema, "{'patternProperties':{");
	for (int i = 0; i < 5000; i++)
		buf_printf(&schema, "'%d(?:(?:a|b){1,50}){1,40}':true,", i);
	buf_text(&schema, "'x':true}}");
	value = parse(schema.data);
	cr_expect_null(schema_new(value, &err));
	cr_expect(err.text && strstr(err.text, "too much memory"), "%s", err.text);
	err_done(&err);
	json_decref(value);
	buf_done(&schema);
}
