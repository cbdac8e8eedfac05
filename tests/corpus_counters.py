#!/usr/bin/env python3
"""Counts what stands in real trace files, for the families that the checker of the corpus has no counter for.

    corpus_counters.py CATENA SHARED [--known FILE] [--show]     compare each file of SHARED/corpus
    corpus_counters.py --expected SHARED                         what is expected of each file, as TSV

The checker (SHARED/tools/field_formats.py) is imported where it lies: how it compares, its own counters and its texts
are its own.  Here are counters for the folders that it skips or counts by its general rule (COUNTERS), for shapes in
its own folders that it counts too low, and facts in which it is wrong (FACTS), each with the reason.  All are written
from the descriptions of the formats, not from what catena shows.  Where two readings are right both are accepted
(`more_tokens`, `more_costs`, `may`) and the comment says which.

Rules that hold for all: instructions that stand outside the messages of a session may be shown as a message and need
not; a file with nothing to count (`nothing`) is read when it is opened and nothing is invented; a title that the file
states must be the name of a chain or step; a time is asked for when every message of the file has one.

With --known, a file that is not READ must be listed there with a reason; the last line is `N passed, N failed`.
UPDATE=1 in the environment writes that list anew: those that are READ go, those that are not come with what is missing.
"""
import base64, gzip, importlib.util, json, os, re, sys

SHARED = next((a for a in sys.argv[1:] if os.path.isdir(os.path.join(a, "tools"))), None)
if SHARED is None:
    sys.exit("usage: " + __doc__.splitlines()[2].strip())
spec = importlib.util.spec_from_file_location("field_formats", os.path.join(SHARED, "tools", "field_formats.py"))
given = importlib.util.module_from_spec(spec)
sys.dont_write_bytecode = True
spec.loader.exec_module(given)
from_given = ("Node Message load decode first got members seek leaves texts_of bare ids objects add_up seconds "
              "read_message read_call read_result read_block find_messages answer session claude_code openhands spans")
globals().update({name: getattr(given, name) for name in from_given.split()})

# --- Tokens ------------------------------------------------------------------------------------------------------------

CACHED = ("cache_read_input_tokens", "cache_creation_input_tokens", "$ai_cache_read_input_tokens",
          "$ai_cache_creation_input_tokens", "cache_read_tokens", "cache_creation_tokens", "cacheRead", "cacheWrite",
          "cacheReadTokens", "cacheWriteTokens", "cacheReadInputTokens", "cacheCreationInputTokens", "read", "write")
THOUGHT = ("thoughts", "reasoning", "thoughtsTokenCount", "reasoning_tokens")
TOTAL = ("total_tokens", "totalTokens", "totalTokenCount", "total", "$ai_total_tokens")
plain_tokens = given.tokens_of

def tokens_of(usages):
    """(in, out): the input with what came from the cache and went to it, the output with its reasoning.

    A total that an object states decides which of its figures stand beside each other.  Without one their names do:
    cache figures of these names are Anthropic's, beside its input, unless it is called as OpenAI does (`prompt_tokens`);
    `thoughts` (Gemini) and `reasoning` (OpenCode) stand beside the output, `reasoning_tokens` is a part of it."""
    def number(value):
        return value if isinstance(value, int) else 0
    def one(u):
        u = Node(u)
        into, out = plain_tokens([u])
        if into is None and out is None:
            return into, out
        beside = [u, u["cache"] if isinstance(u["cache"], dict) else Node()]
        cached = sum(number(d[k]) for d in beside for k in CACHED)
        details = u["completion_tokens_details"] if isinstance(u["completion_tokens_details"], dict) else Node()
        thought = max(number(d[k]) for d in (u, details) for k in THOUGHT)
        total = max(number(u[k]) for k in TOTAL)
        i, o = into or 0, out or 0
        for way in ((i, o), (i + cached, o), (i, o + thought), (i + cached, o + thought)) if total else ():
            if sum(way) == total:
                return way
        cached = 0 if "prompt_tokens" in u else cached
        part = number(u["reasoning_tokens"]) or number(details["reasoning_tokens"])
        return (i + cached if into is not None else None), (o + (0 if part else thought) if out is not None else None)
    pairs = [one(u) for u in usages]
    return add_up(p[0] for p in pairs), add_up(p[1] for p in pairs)
given.tokens_of = tokens_of

# --- The file and its facts ------------------------------------------------------------------------------------------

def values_of(text):
    """Every JSON value of a text, one after another; what is none is skipped to the end of its line."""
    decoder, at = json.JSONDecoder(object_hook=lambda d: Node((k, v) for k, v in d.items() if v is not None)), 0
    while at < len(text):
        if text[at] in " \t\r\n,":
            at += 1
            continue
        try:
            value, at = decoder.raw_decode(text, at)
            yield value
        except ValueError:
            at = text.find("\n", at) + 1 or len(text)

class File(list):
    """The objects of a file as the checker gives them, with its path and its text beside them."""
    def __init__(self, path, found):
        super().__init__(found)
        self.path = path
        with open(path, "rb") as f:
            self.text = f.read().decode("utf-8-sig", "replace")
    def values(self):
        return list(values_of(self.text))
    def beside(self, *names):
        path = os.path.normpath(os.path.join(os.path.dirname(self.path), *names))
        return File(path, given_documents(path)) if os.path.exists(path) else []

class Facts(given.Facts):
    """Also: other figures that are right, the least latency, and that there is nothing to count."""
    def __init__(self):
        super().__init__()
        self.more_tokens, self.more_costs, self.least, self.nothing = [], [], None, False
        self.wall = None
    def sum_up(self):
        super().sum_up()
        self.right, self.right_costs = self.right + self.more_tokens, self.right_costs + self.more_costs
        # Of calls without ids equal ones count once here; each may be shown as a call of its own.
        self.may_calls += sum(not c.ids for m in self.messages for c in m.calls) - sum(not c.ids for c in self.calls)
        if self.least and self.latency:
            stated, least, most = self.latency
            stated, most = (min(stated, self.wall), max(self.wall, least)) if self.wall else (stated, most)
            self.latency = (stated, min(self.least, least), most)
        return self
    def say(self, role, *texts, thoughts=()):
        m = Message(role, *texts)
        m.thoughts += [t for t in thoughts if isinstance(t, str) and t.strip()]
        self.messages.append(m)
        return m
    def called(self, known, names, args):
        self.messages.append(Message("assistant").call(known, names, args))
    def gave(self, known, value, failed=False):
        self.messages.append(Message("tool").result(known, value, failed))
    def might(self, *values):       # texts that may be shown as messages
        self.may += [Message(None, *leaves(v)) for v in values if v]
    def tokens(self, into, out):
        self.usages.append({"input": into, "output": out})
    def every(self, times):         # a time is asked for when each message has one
        times = list(times)
        self.times = self.times or bool(times) and all(map(is_time, times))
    def took_between(self, stated, spans):
        """Added up, or from the first start to the last end: calls may overlap, and a person may wait between."""
        whole = max(end for _, end in spans) - min(start for start, _ in spans) if spans else None
        self.took(stated, min(stated or 0, whole) if whole else None, whole)
    def take(self, docs):
        """What a model answered: a body, or the pieces of its stream; a file may hold many answers."""
        one = Facts()
        answer(one, docs)
        for name in ("messages", "may", "more_tokens"):
            getattr(self, name).extend(getattr(one, name))
        self.usages += [u for u in one.usages if u]
        self.models |= one.models
        self.may_errors += one.may_errors
        return one

def is_time(v):
    if isinstance(v, str):
        try:
            v = seconds(v)
        except ValueError:
            return False
    return isinstance(v, (int, float)) and v > 0
def text_of(value):         # the texts of a content that is a string or blocks
    return [value] if isinstance(value, str) else [b["text"] for b in objects(value) if isinstance(b["text"], str)]
def whole(v):               # numbers that are written as 133.0
    return int(v) if isinstance(v, (int, float)) else None
def snake_parts(value):     # Google's parts in Python's spelling
    names = {"function_call": "functionCall", "function_response": "functionResponse", "inline_data": "inlineData"}
    if isinstance(value, list):
        return [snake_parts(v) for v in value]
    return Node((names.get(k, k), snake_parts(v)) for k, v in value.items()) if isinstance(value, dict) else value
def langchain(value):
    """The three spellings of LangChain's messages as one: {"type": "human", "content": ...}."""
    if isinstance(value, list):
        return [langchain(v) for v in value]
    if not isinstance(value, dict):
        return value
    if value["type"] == "constructor" and isinstance(value["kwargs"], dict):
        kind = re.match(r"(Human|AI|System|Tool|Function)Message", str((value["id"] or [""])[-1]))
        kind = {"Function": "tool"}.get(kind[1], kind[1].lower()) if kind else None
        return langchain(Node(value["kwargs"], **({"type": kind} if kind else {})))
    if value["type"] in ("human", "ai", "system", "tool") and value["data"]:
        return langchain(Node(value["data"], type=value["type"]))
    return Node((k, langchain(v)) for k, v in value.items())

# --- Streams of events ------------------------------------------------------------------------------------------------

def ag_ui(f, docs):
    """Events of the AG-UI protocol: one list, or several under names; SSE records in several data: lines."""
    if docs.text.lstrip()[:1] not in "[{":
        blocks = re.split(r"\r?\n[ \t]*\r?\n", docs.text)
        joined = ("\n".join(m[1] for m in re.finditer(r"(?m)^data: ?(.*)$", b)) for b in blocks)
        lists = [[d for j in joined for d in values_of(j) if isinstance(d, dict)]]
    else:
        value = decode(docs.text)
        lists = [value] if isinstance(value, list) else [v for v in value.values() if isinstance(v, list)]
    for events in map(objects, lists):
        ag_ui_run(f, events)
def ag_ui_run(f, events):
    said, calls, thought = {}, {}, None
    for e in events:
        kind, delta, who = str(e["type"]), e["delta"], e["messageId"] or None
        if kind.startswith("TEXT_MESSAGE_") and (who or e["role"]):
            m = said.get(who) or said.setdefault(who, f.say(given.ROLES.get(e["role"] or None, "assistant")))
            m.text = ["".join(m.text + [delta])] if isinstance(delta, str) else m.text
        elif kind.startswith(("REASONING_", "THINKING_")) and not kind.startswith("REASONING_ENCRYPTED"):
            thought = f.say("assistant") if kind in ("REASONING_START", "THINKING_START") or not thought else thought
            thought.thoughts = ["".join(thought.thoughts + [delta])] if isinstance(delta, str) else thought.thoughts
            f.might(e["title"])
        elif kind == "TOOL_CALL_RESULT":
            f.gave(ids(e["toolCallId"]), e["content"])
        elif kind.startswith("TOOL_CALL_"):
            call = calls.setdefault(e["toolCallId"] or None, Node(args=""))
            call.update({k: e[k] for k in ("toolCallName", "parentMessageId") if e[k]})
            call["args"] += delta if isinstance(delta, str) else ""
        elif kind == "MESSAGES_SNAPSHOT":       # activity is state, not talk
            for m in objects(e["messages"]):
                plain = m["role"] not in ("activity", "reasoning")
                f.messages.append(read_message(Node(m, tool_calls=m["toolCalls"] or [])) if plain else Message())
                f.say("assistant", thoughts=[m["content"]]) if m["role"] == "reasoning" else None
                f.might(m["content"])
        elif kind == "RUN_ERROR":
            f.note(error=True)
        for used in objects(e["usage"]):
            f.usages.append(used)
            f.note(got(used, "model"))
        f.might({k: v for k, v in e.items() if k in ("message", "snapshot", "value", "content", "stepName", "event")})
    for known, call in calls.items():       # a call stands in the message that it names as its parent
        m = said.get(call["parentMessageId"] or None) or f.say("assistant")
        m.call(ids(known), ids(call["toolCallName"]), call["args"])
    f.every(e["timestamp"] or None for e in events)

def opencode_parts(f, info, parts):
    m = f.say(given.ROLES.get(info["role"] or None))
    results = []
    for p in parts:
        state, known = p["state"], ids(p["callID"])
        if p["type"] == "text":
            m.add(p["text"])
        elif p["type"] == "reasoning":
            m.thoughts.append(p["text"])
        elif p["type"] == "tool":
            m.call(known, ids(p["tool"]), state["input"] or [])
            gave = got(state, "error", "output")
            failed = state["status"] == "error" or state["metadata"]["exit"] not in ({}, None, 0)
            results += [(known, gave, failed)] if gave is not None else []
    for r in results:
        f.gave(*r)
    error, at = info["error"], info["time"]
    f.note(first(info["modelID"], info["model"]["modelID"]), usage=info["tokens"] or None, error=bool(error))
    cost = info["cost"]
    f.cost += [cost] if isinstance(cost, (int, float)) and cost else []
    f.more_costs += [add_up(cost.values())] if isinstance(cost, dict) and cost else []    # by kind: no one says of what
    f.might(error, info["summary"], parts)
    f.may_calls += len(parts)
    return (at["completed"] - at["created"]) / 1000 if at["completed"] and at["created"] else 0
def opencode_messages(f, pairs):
    late = sum(opencode_parts(f, info, parts) for info, parts in pairs)
    times = [info["time"] for info, _ in pairs]
    f.took_between(late, [(t["created"] / 1000, t["completed"] / 1000) for t in times if t["created"] and t["completed"]])
    if f.latency:                               # or from the first word of the user
        since = max(t["completed"] or 0 for t in times) - min(t["created"] for t in times if t["created"])
        f.latency = (*f.latency[:2], max(f.latency[2], since / 1000))
    f.every(info["time"]["created"] or None for info, _ in pairs)
def opencode_events(f, docs):
    """A message's parts come many times; the last of each is the part."""
    infos, parts = {}, {}
    for e in docs:
        p = e["properties"]
        if e["type"] == "message.updated":
            infos[p["info"]["id"]] = Node(infos.get(p["info"]["id"], {}), **p["info"])
        elif e["type"] == "message.part.updated":
            parts.setdefault(p["part"]["messageID"], {})[p["part"]["id"]] = p["part"]
        elif e["type"] == "session.error":      # stands also at its message
            f.may_errors += 1
        elif e["type"] == "session.updated":
            f.names = [(p["info"]["title"],)] if p["info"]["title"] else f.names
        f.might(p["error"])
    order = sorted({*infos, *parts}, key=lambda k: infos.get(k, Node())["time"]["created"] or 0)
    opencode_messages(f, [(infos.get(k, Node()), [v for _, v in sorted(parts.get(k, {}).items())]) for k in order])
def opencode_session(f, docs):
    head = docs[0] if docs[0]["messages"] else Node()
    f.note(name=head["info"]["title"] or None)
    opencode_messages(f, [(m["info"], objects(m["parts"])) for m in head["messages"] or docs])
def opencode_storage(f, docs):
    """One record a file.  Its siblings may be shown with it; without them there is only what stands here."""
    d = docs[0]
    if d["messageID"]:
        opencode_parts(f, Node(), [d])
    elif d["role"]:
        opencode_parts(f, d, [])
        f.every([d["time"]["created"]])
    f.note(name=d["title"] or None)
    f.nothing, f.may_calls = not (d["role"] or f.messages and f.messages[0]), 99

# --- Sessions of agents -----------------------------------------------------------------------------------------------

def agent_trail(f, docs):
    heads, talk = [d for d in docs if d["type"] in ("trail", "session")], []
    for d in docs:
        p, kind = d["payload"], d["type"]
        known = ids(got(d["semantic"], "call_id"), d["id"])
        if kind in ("user_message", "agent_message"):
            f.say("user" if kind[0] == "u" else "assistant", p["text"])
        elif kind == "agent_thinking":
            f.say("assistant", thoughts=[got(p, "text", "thinking")])
        elif kind == "tool_call":
            f.called(known, ids(p["tool"]), p["args"])
        elif kind == "tool_result":
            f.gave(ids(p["for_id"], d["semantic"]["call_id"]), got(p, "error", "output"), p["ok"] is False)
        else:
            f.might(p)
            continue
        talk.append(d["ts"] or None)
        f.note(usage=p["usage"] or None)
    name = next((h["name"] for h in heads if h["name"]), None)     # the trail's, or the session's id
    f.note(name=tuple(filter(None, [name, *(h["id"] or None for h in heads)])) if name else None)
    f.every(talk)

def managed_agents(f, docs):
    """Lines are pairs [method, payload]: the session as created, events as sent, the events as they came."""
    pairs = [v for v in docs.values() if isinstance(v, list) and len(v) == 2]
    session = next((p for _, p in pairs if isinstance(p, dict) and p["type"] == "session"), Node())
    events, starts, late, times = [p for m, p in pairs if isinstance(p, dict) and p["type"] != "session"], {}, [], []
    for e in events:
        kind, at = str(e["type"]), seconds(e["processed_at"]) if e["processed_at"] else None
        times += [at] if at else []
        if kind in ("user.message", "agent.message"):
            f.say("user" if kind[0] == "u" else "assistant", *text_of(e["content"]))
        elif kind == "agent.thinking":          # may be empty
            f.say("assistant", thoughts=text_of(e["content"]) + [e["thinking"]])
        elif kind.endswith("tool_use"):
            f.called(ids(e["id"]), ids(e["name"]), e["input"])
        elif kind.endswith("tool_result"):
            f.gave(ids(got(e, "tool_use_id", "mcp_tool_use_id", "custom_tool_use_id")), e["content"], e["is_error"] is True)
        elif kind == "span.model_request_start":
            starts[e["id"]] = at
        elif kind == "span.model_request_end":
            f.note(usage=e["model_usage"], error=e["is_error"] is True)
            late += [at - starts[e["model_request_start_id"]]] if e["model_request_start_id"] in starts else []
        f.note(error=kind == "session.error")
        f.might(e)
    f.note(session["agent"]["model"]["id"] or None, name=(session["title"], session["id"]) if session["title"] else None)
    f.times = bool(times)
    f.took(add_up(late), None, max(times) - min(times) if times else None)
    f.might(session["agent"]["system"], [p for m, p in pairs if m.endswith(".send")])

def antigravity(f, docs):
    """A result is the next step of another type; arguments are JSON strings with their quotes."""
    for d in docs:
        kind, said = d["type"], d["content"] or None
        if kind == "USER_INPUT":
            f.say("user", said)
        elif kind == "PLANNER_RESPONSE":
            m = f.say("assistant", said, thoughts=[d["thinking"]])
            for c in objects(d["tool_calls"]):
                m.call((), ids(c["name"]), {k: decode(v) for k, v in members(c["args"])})
        elif d["source"] == "SYSTEM":
            f.say("system", said)
        elif said:
            f.gave((), said)
    f.every(d["created_at"] for d in docs if is_time(d["created_at"]))

def autogen(f, docs):
    for d in docs:
        for m in objects(d["messages"]) + [Node(d["response"], type="AssistantMessage")]:
            kind, content = str(m["type"]), m["content"]
            items = content if isinstance(content, list) else [content]
            out = Message({"System": "system", "User": "user", "Assistant": "assistant"}.get(kind[:-7]))
            out.thoughts += [m["thought"]] if isinstance(m["thought"], str) else []
            for x in items:
                if kind == "FunctionExecutionResultMessage":
                    f.gave(ids(x["call_id"]), x["content"], x["is_error"] is True)
                elif isinstance(x, dict) and x["name"]:
                    out.call(ids(x["id"]), ids(x["name"]), x["arguments"])
                elif isinstance(x, dict):
                    out.other.append("image")
                else:
                    out.add(x)
            f.messages.append(out)
        f.note(usage=d["response"]["usage"])
        f.might(d["stream"])

def claude_stream(f, docs):
    """Sums stand in the last line: the usage of single lines is that of their beginning.  Without it each message's
    own; lines of one message without an id cannot be told from two that used as much, so both sums are right."""
    claude_code(f, docs)
    f.names, f.times = [], False
    per_message, last = f.usages, next((d for d in reversed(docs) if d["type"] == "result"), None)
    for d in docs:
        if d["type"] == "user" and isinstance(d["message"], str):       # live in a failed run: it was said
            f.say("user", d["message"])
        f.note(d["model"] if d["subtype"] == "init" else None)
        f.may_errors += d["type"] == "rate_limit_event"
    f.may = [m for m in f.may if m] + [Message(None, *leaves(d)) for d in docs if d["type"] in ("system", "result", "stream_event")]
    if last is None:
        once = {(d["parent_tool_use_id"] or "", str(d["message"]["usage"])): d["message"]["usage"] for d in docs if
                d["type"] == "assistant" and isinstance(d["message"], dict) and d["message"]["usage"]}
        f.more_tokens.append(tokens_of(once.values()))
        return
    f.usages = [last["usage"]] if last["usage"] else per_message
    f.usages = [*last["modelUsage"].values()] or f.usages       # all models, as total_cost_usd; `usage` is of the main one
    f.note(cost=last["total_cost_usd"] or None, error=last["is_error"] is True)
    f.took((last["duration_ms"] or 0) / 1000, (last["duration_api_ms"] or 0) / 1000)

def codex_exec(f, docs):
    """Items by id, the last state of each; the prompt is not in the stream."""
    items = {}
    for d in docs:
        if d["item"]:
            items[d["item"]["id"]] = d["item"]
        f.note(usage=d["usage"] or None, error=d["type"] in ("turn.failed", "error"))
        f.might(d["error"], d["message"])
    for known, i in items.items():
        kind, failed = i["type"], i["status"] == "failed" or i["exit_code"] not in ({}, 0)
        if kind in ("reasoning", "agent_message"):
            f.say("assistant", *[i["text"]] * (kind != "reasoning"), thoughts=[i["text"]] * (kind == "reasoning"))
        elif kind == "command_execution":
            f.called(ids(known), ("command_execution", "shell", "command", "exec"), i["command"])
            f.gave(ids(known), i["aggregated_output"], failed)
        elif kind == "mcp_tool_call":
            f.called(ids(known), ids(i["tool"], "%s.%s" % (i["server"], i["tool"])), i["arguments"])
            f.gave(ids(known), got(i, "error", "result"), failed)
        elif kind == "file_change":
            f.called(ids(known), ("file_change", "patch", "apply_patch", "edit"), [c["path"] for c in objects(i["changes"])])
        elif kind == "web_search":
            f.called(ids(known), ("web_search",), i["query"])
        f.might(i)
        f.may_errors += kind == "error"

def copilot_cli(f, docs):
    """Output tokens of each message, all others only in the sums of the end; parts of a trimmed line say nothing."""
    last, out, seen, times = None, [], set(), []
    for e in docs:
        d, kind = e["data"], e["type"]
        if kind == "user.message":
            f.say("user", d["content"])
            f.might(d["transformedContent"])
        elif kind == "system.message":
            f.say("system", d["content"])
        elif kind in ("assistant.message", "assistant.reasoning"):
            plain = kind == "assistant.message"
            m = f.say("assistant", *[d["content"]] * plain, thoughts=[d["reasoningText"]] + [d["content"]] * (not plain))
            for c in objects(d["toolRequests"]):
                seen.add(c["toolCallId"])
                m.call(ids(c["toolCallId"]), ids(c["name"]), c["arguments"])
            out.append(d["outputTokens"] or None)
            f.note(d["model"] or None)
        elif kind == "tool.execution_start" and d["toolCallId"] not in seen:
            f.called(ids(d["toolCallId"]), ids(d["toolName"]), d["arguments"])
        elif kind == "tool.execution_complete":
            f.gave(ids(d["toolCallId"]), first(d["result"]["content"], d["error"]), d["success"] is False)
            f.may_errors += d["success"] is False
        else:
            last = d if kind == "session.shutdown" else last
            f.note(error=kind == "session.error")
            f.may_errors += kind == "abort"
            f.might(d)
            continue
        times.append(e["timestamp"])
    count = last["tokenDetails"] if last else Node()
    f.tokens(count["input"]["tokenCount"] or None, count["output"]["tokenCount"] or add_up(out))
    f.every(times)
    f.models.discard("[trimmed for fixture]")

def cursor(f, docs):
    f.messages = [read_message(Node(d["message"], role=d["role"])) for d in docs]

def droid(f, docs):
    for d in docs:
        kind = d["type"]
        if kind == "message":
            f.messages.append(read_message(d["message"] or Node(role=d["role"], content=d["text"])))
        elif kind == "tool_call":
            f.called(ids(d["toolCallId"]), ids(d["toolName"]), d["parameters"])
        elif kind == "tool_result":             # of a shell the text is what it printed
            value = d["value"]["stdout"] if isinstance(d["value"], dict) and d["value"]["stdout"] else got(d, "value", "error")
            f.gave(ids(d["toolCallId"]), value, d["isError"] is True)
        elif kind == "completion":
            f.say("assistant", d["finalText"])
            f.took((d["durationMs"] or 0) / 1000)
        f.note(d["model"] or None, name=got(d, "title", "sessionTitle") if kind == "session_start" else None)
    f.every(d["timestamp"] or None for d in docs if d["type"] != "session_start")

def gptme(f, docs):
    for d in docs:
        f.messages.append(read_message(d))
        m = d["metadata"]
        f.note(m["model"] or None, usage=m["usage"] or None, cost=m["cost"] or None)
        f.may_calls += str(d["content"]).count("```")       # calls are blocks of code in the text
    f.every(d["timestamp"] or None for d in docs)

def grok_build(f, docs):
    for d in docs:
        if d["type"] == "backend_tool_call":
            read_call(f.say("assistant"), Node(d["kind"], name=d["kind"]["tool_type"], type="x_call"))
        else:
            f.messages.append(read_message(d))
        f.note(d["model_id"] or None)

def hermes(f, docs):
    session(f, docs)
    f.might(docs[0]["system_prompt"])

def kimi(f, docs):
    """What a step said stands in pieces; turn.prompt says again what a message says, usage.record what step.end says.
    Tokens in are those outside the cache, or with what was read from it; a compaction's own stand in usage.record."""
    steps, ends, records, times, parts = {}, [], [], [], 0
    for d in docs:
        e, kind = d["event"], d["type"]
        times += [d["time"]] if is_time(d["time"]) else []
        if kind == "context.append_message":
            f.messages.append(read_message(d["message"]))
        elif kind == "context.apply_compaction":
            f.say("system", d["summary"])
        elif e["type"] in ("content.part", "tool.call"):
            m = steps.get(e["stepUuid"]) or steps.setdefault(e["stepUuid"], f.say("assistant"))
            m.add(e["part"]["text"]).thoughts += [e["part"]["think"]] if isinstance(e["part"]["think"], str) else []
            m.call(ids(e["toolCallId"]), ids(e["name"]), e["args"]) if e["type"] == "tool.call" else None
        elif e["type"] == "tool.result":
            f.gave(ids(e["toolCallId"]), e["result"]["output"], e["result"]["isError"] is True)
        elif e["type"] == "step.end":
            ends.append(e)
        records += [d["usage"]] if kind == "usage.record" else []
        f.note(d["model"] if kind == "llm.request" else None)
        f.might({k: v for k, v in d.items() if k in ("systemPrompt", "contextSummary", "input", "tools")})
    used = [e["usage"] for e in ends]
    def total(usages, *keys):
        return add_up(u[k] for u in usages for k in keys)
    f.tokens(total(used, "inputOther"), total(used, "output"))
    for usages in (used, records):
        for keys in (("inputOther",), ("inputOther", "inputCacheCreation"), ("inputOther", "inputCacheRead", "inputCacheCreation")):
            f.more_tokens.append((total(usages, *keys), total(usages, "output")))
    stream = total(ends, "llmStreamDurationMs")
    f.took((stream + total(ends, "llmFirstTokenLatencyMs")) / 1000 if stream else None, stream and stream / 1000,
           (max(times) - min(times)) / 1000 if times else None)
    f.times = bool(times)

def kiro(f, docs):
    """Enums of Rust: the key is the kind."""
    for d in docs:
        for h in objects(d["history"]):
            said, reply = h["user"]["content"], h["assistant"]
            f.say("user", said["Prompt"]["prompt"])
            for r in objects(said["ToolUseResults"]["tool_use_results"]):
                f.gave(ids(got(r, "tool_use_id", "id")), r["content"], r["status"] in ("Error", "error"))
            m = f.say("assistant", reply["Response"]["content"], reply["ToolUse"]["content"])
            for c in objects(reply["ToolUse"]["tool_uses"]):
                m.call(ids(c["id"]), ids(c["name"]), c["args"])
        f.every(h["user"]["timestamp"] or None for h in objects(d["history"]))
        f.might(d["transcript"])

def mistral_vibe(f, docs):
    """Title, times and sums stand in meta.json beside the messages: read with them or not."""
    meta = (docs if "stats" in docs[0] else docs.beside("meta.json") or [Node()])[0]
    stats = meta["stats"]
    f.more_tokens.append((stats["session_prompt_tokens"] or 0, stats["session_completion_tokens"] or 0))
    if "stats" in docs[0]:
        f.note(name=meta["title"] or None)
        f.may += [read_message(m) for m in docs.beside("messages.jsonl")]
        f.nothing, f.may_calls = True, 99
    else:
        f.messages = [read_message(m) for m in docs]

def openhands_sdk(f, docs):
    last = Node()
    for e in docs:
        kind, known = e["kind"], ids(e["tool_call_id"])
        if kind == "ActionEvent":               # arguments: what the call and the action both say
            both, asked = texts_of(e["action"]), texts_of(e["tool_call"]["arguments"])
            m = f.say("assistant", *text_of(e["thought"]), thoughts=[e["reasoning_content"]])
            m.call(known, ids(e["tool_name"]), [t for t in asked if t in both])
        elif kind == "ObservationEvent":
            f.gave(known, text_of(e["observation"]["content"]), e["observation"]["is_error"] is True)
        elif kind == "AgentErrorEvent" and known:
            f.gave(known, e["error"], True)
        elif kind == "MessageEvent":
            f.messages.append(read_message(e["llm_message"]))
        elif kind == "SystemPromptEvent":
            f.say("system", *text_of([e["system_prompt"]]))
        else:
            last = e["value"]["usage_to_metrics"] if e["key"] == "stats" else last
            f.note(error=kind in ("AgentErrorEvent", "ConversationErrorEvent"))
        f.might({k: v for k, v in e.items() if k in ("summary", "observation", "detail", "error")})
    for used in members(last):                  # cumulative: the last are the session's
        f.note(used[1]["model_name"] or None, usage=used[1]["accumulated_token_usage"], cost=used[1]["accumulated_cost"] or None)
    f.every(e["timestamp"] or None for e in docs)

def posit(f, docs):
    """The conversation is a tree of ids; what was said stands in the file beside it."""
    if "root" in docs[0]:
        f.note(name=docs[0]["root"]["title"] or None)
        talk, f.nothing, f.may_calls = docs.beside("lm-messages.jsonl"), True, 99
    else:
        talk = docs
    for d in talk:
        m, meta = d["message"], d["message"]["providerOptions"]["providerMetadata"]["positai"]
        if talk is docs:
            f.messages.append(read_message(m))
            f.note(meta["modelId"] or None, usage=meta["usage"] or None)
        else:
            f.may.append(read_message(m))
    if talk is not docs:
        f.more_tokens.append(tokens_of([u for d in talk for u in seek(d, "usage")]))

def qwen_code(f, docs):
    for d in docs:
        f.messages.append(read_message(d["message"]))
        used = d["usageMetadata"]
        f.note(d["model"] or None, usage=used or None)
        f.might(d["systemPayload"], d["toolCallResult"])
    thought = add_up(d["usageMetadata"]["thoughtsTokenCount"] for d in docs)
    into, out = tokens_of(f.usages)
    f.more_tokens += [(into, (out or 0) + thought)] if thought else []      # thoughts may count as output
    f.every(d["timestamp"] or None for d in docs)

def qwenpaw(f, docs):
    pairs = docs[0]["agent"]["memory"]["content"]
    f.messages = [read_message(p[0]) for p in pairs]
    f.every(p[0]["timestamp"] or None for p in pairs)
    f.might(docs[0]["agent"]["_sys_prompt"])

def vscode_chat(f, docs):
    """The rounds of a request have the calls; what the editor drew of them may be shown beside."""
    def drawn(v):                               # the text leaves of the editor's own tree
        if isinstance(v, dict) and v["type"] == 2:
            yield v["text"]
        else:
            for _, x in members(v):
                yield from drawn(x)
    late = []
    for d in docs:
        for r in objects(d["requests"]):
            f.say("user", r["message"]["text"])
            meta, total = r["result"]["metadata"], r["result"]["timings"]["totalElapsed"]
            for turn in objects(meta["toolCallRounds"]):
                m = f.say("assistant", turn["response"], thoughts=list(leaves(turn["thinking"])))
                for c in objects(turn["toolCalls"]):
                    known = ids(c["id"], c["id"].split("__vscode")[0])
                    m.call(known, ids(c["name"]), c["arguments"])
                    gave = meta["toolCallResults"][c["id"]]
                    text = list(drawn(gave)) or text_of([Node(text=x["value"]) for x in objects(gave["content"])])
                    f.gave(known, "".join(text)) if gave else None
            if not meta["toolCallRounds"]:
                f.say("assistant", "".join(p["value"] for p in objects(r["response"]) if "kind" not in p))
            f.note(first(meta["resolvedModel"], r["modelId"]), r["timestamp"], error=bool(r["result"]["errorDetails"]))
            f.tokens(meta["promptTokens"] or None, meta["outputTokens"] or None)
            late.append(((r["timestamp"] or 0) / 1000, ((r["timestamp"] or 0) + (total or 0)) / 1000))
            f.might(r["response"], meta["renderedUserMessage"], meta["renderedGlobalContext"], r["result"]["errorDetails"])
            f.may_errors += r["isCanceled"] is True
        f.note(name=d["customTitle"] or None)
    f.took_between(sum(end - start for start, end in late), late)
def chatreplay(f, docs):
    roles, late = {0: "system", 1: "user", 2: "assistant", 3: "tool"}, []
    for p in objects(docs[0]["prompts"]):
        for log in objects(p["logs"]):
            meta = log["metadata"]
            if log["kind"] == "toolCall":
                f.called(ids(log["id"]), ids(log["tool"]), log["args"])
                f.gave(ids(log["id"]), list(leaves(log["response"])))
            if log["kind"] != "request":
                continue
            for m in objects(log["requestMessages"]["messages"]):
                f.messages.append(read_message(Node(m, role=roles.get(m["role"], m["role"]))))
                f.messages[-1].other = []       # marks for the cache, by the number of their type
            f.say("assistant", *[t for t in leaves(log["response"]["message"])])
            f.note(meta["model"] or None, meta["startTime"], error=log["type"] == "ChatMLFailure", usage=meta["usage"])
            start = seconds(meta["startTime"]) if meta["startTime"] else 0
            late.append((start, start + (meta["duration"] or 0) / 1000))
        f.might(p["prompt"])
    f.took_between(sum(end - start for start, end in late), late)

# --- Exports of chats -------------------------------------------------------------------------------------------------

def chatbot_ui(f, docs):
    for h in objects(docs[0]["history"]):
        f.messages += [read_message(Node(m, type=None)) for m in objects(h["messages"])]
        f.note(h["model"]["id"] or None, name=h["name"] or None)
        f.might(h["prompt"])

def chatgpt(f, docs):
    """All branches.  What the product hides may be shown; a tool's results of weight 0 are results all the same."""
    for d in docs:
        for node in d["mapping"].values():
            m, c = node["message"], node["message"]["content"]
            role, texts = m["author"]["role"], [t for t in list(c["parts"] or []) + [c["text"], c["result"]] if t]
            if m["metadata"]["is_visually_hidden_from_conversation"] is True or not m:
                f.might(c)
            elif role == "tool":
                f.gave((), texts)
            elif m["recipient"] not in ({}, "all"):
                f.called((), ids(m["recipient"]), texts)
            else:
                out = f.say(role, *texts, thoughts=[t["content"] for t in objects(c["thoughts"])])
                out.other += [x["content_type"] for x in objects(texts) if x["content_type"]]
            f.note(m["metadata"]["model_slug"] or None, m["create_time"])
            f.might(c)
        f.note(name=d["title"] or None)

def claude_ai(f, docs):
    for d in docs:
        for m in objects(d["chat_messages"]):
            blocks = [b for b in objects(m["content"]) if b["type"] != "text" or b["text"]]
            out = read_message(Node(role=m["sender"], content=blocks or m["text"]))
            f.messages.append(out)
            f.note(m["model"] or None, m["created_at"] if out else None)
            f.might(m["attachments"], m["files"], m["text"], m["content"])
        f.note(name=d["name"] or None)
    f.nothing = not any(f.messages)

def grok_export(f, docs):
    for c in objects(docs[0]["conversations"]):
        for r in (r["response"] for r in objects(c["responses"])):
            role = "user" if str(r["sender"]).lower() == "human" else "assistant"
            f.say(role, r["message"], thoughts=[r["thinking_trace"]])
            f.note(r["model"] or None, r["create_time"])
            f.might(r["web_search_results"], r["steps"])
        f.note(name=c["conversation"]["title"] or None)

def ai_studio(f, docs):
    """tokenCount is that of a chunk: a user's are in, a model's out, its thoughts with them or not."""
    d, count = docs[0], {"user": [], "model": [], "thought": []}
    chunks = objects(d["chunkedPrompt"]["chunks"])
    for c in chunks:
        thought = c["isThought"] is True
        m = f.say("user" if c["role"] == "user" else "assistant", *[c["text"]] * (not thought), thoughts=[c["text"]] * thought)
        m.other += [k for k in ("driveDocument", "inlineFile", "driveImage") if k in c]
        if c["executableCode"]:
            m.call((), ("executableCode", "code_execution"), c["executableCode"]["code"])
        if c["codeExecutionResult"]:
            f.gave((), c["codeExecutionResult"]["output"])
        count["thought" if thought else "user" if c["role"] == "user" else "model"].append(c["tokenCount"] or None)
        f.note(error=c["errorMessage"] or None)
        f.might(c["errorMessage"], c["parts"])
    user, model, thought = (add_up(count[k]) for k in ("user", "model", "thought"))
    f.tokens(user, add_up([model, thought]))
    f.more_tokens.append((user, model))
    f.note(d["runSettings"]["model"] or None, name=d["displayName"] or None)
    f.every(c["createTime"] or None for c in chunks if c["text"])
    f.might(d["systemInstruction"])

def open_webui(f, docs):
    """Where a message has items its text repeats them as HTML."""
    for d in docs:
        chat = d["chat"] or d
        for m in chat["history"]["messages"].values():
            if m["output"]:
                for i in objects(m["output"]):
                    thought = i["type"] == "reasoning"
                    f.messages.append(read_message(Node(i)) if not thought else Message())
                    f.say("assistant", thoughts=text_of(i["content"])) if thought else None
                f.might(m["content"])
            else:
                f.say(m["role"], re.sub(r"(?s)<details.*?</details>", "", str(m["content"])))
                f.might(m["content"])
            used = m["usage"]
            f.tokens(got(used, "prompt_tokens", "prompt_eval_count", "input_tokens"),
                     got(used, "completion_tokens", "eval_count", "output_tokens"))
            f.note(m["model"] or None, m["timestamp"], error=bool(m["error"]))
        f.note(name=first(d["title"], chat["title"]))

def librechat(f, docs):
    """tokenCount is that of a text, promptTokens that of a request: neither is a bill, so none is right as well."""
    def walk(messages):
        for m in objects(messages):
            yield m
            yield from walk(m["children"])
    d = docs[0]
    talk = list(walk(d["messages"]))
    mine = [m for m in talk if m["isCreatedByUser"] is True]
    for m in talk:
        out = f.say("user" if m["isCreatedByUser"] is True else "assistant", m["text"])
        for b in objects(m["content"]):
            if b["type"] == "tool_call":
                c = b["tool_call"]
                out.call(ids(c["id"]), ids(c["name"]), c["args"])
                f.gave(ids(c["id"]), c["output"]) if c["output"] else None
            else:
                text = got(b, "text", "think")
                (out.text if b["type"] == "text" else out.thoughts).append(got(text, "value") if isinstance(text, dict) else text)
        f.note(m["model"] or None, error=m["error"] is True)
    theirs = [m for m in talk if m not in mine]
    into, asked, out = (add_up(m[k] for m in some) for some, k in ((mine, "tokenCount"), (theirs, "promptTokens"), (theirs, "tokenCount")))
    f.more_tokens += [(into, out), (asked, out), ((into or 0) + (out or 0), out)]
    f.note(None if f.models else d["options"]["model"] or None, name=d["title"] or None)
    f.every(m["createdAt"] or None for m in talk)
    f.might(d["options"])

# --- Platforms --------------------------------------------------------------------------------------------------------

def agenta(f, docs):
    """One call of an application: what stands around it is a test's own."""
    for d in docs:
        data, out = d["request"]["data"], d["response"]["data"]["outputs"]
        f.messages += find_messages(data["inputs"], "user")
        f.messages += find_messages(out, "assistant") or [Message("assistant", *leaves(out))]
        f.note(first(data["parameters"]["agent"]["model"], d["model"]), error=first(d["response"]["status"]["code"], 200) >= 400)
        f.might(data, d["reply"], d["expect"], d["capability"])

def bedrock_log(f, docs):
    for d in docs:
        given_body, made = d["input"]["inputBodyJson"], d["output"]["outputBodyJson"]
        f.messages += find_messages(given_body, "user")
        f.messages += [Message("system", *text_of(given_body["system"]))]
        f.take(objects(made if isinstance(made, list) else [made]))
        f.usages = f.usages[:-1] if f.usages else []
        f.tokens(d["input"]["inputTokenCount"] or None, d["output"]["outputTokenCount"] or None)
        f.note(d["modelId"], d["timestamp"], error=d["errorCode"] or None)
        f.took(next(seek(made, "latencyMs"), 0) / 1000)

def braintrust(f, docs):
    """Rows of one id are one row.  Figures are those of the rows; where they are placeholders, those that a message
    itself states may be shown.  A text alone that a span was given or gave is what was said."""
    rows = {}
    def merge(a, b):
        for k, v in b.items():
            a[k] = merge(a[k], v) if isinstance(a.get(k), dict) and isinstance(v, dict) else v
        return a
    for d in docs:
        for r in objects(d["jsonBody"]["rows"]) or objects(d["events"]) or [d] * ("span_id" in d):
            merge(rows.setdefault(r["id"], Node()), r)
    stated = []
    for r in rows.values():
        m, kind = r["metrics"], r["span_attributes"]["type"]
        for key, role in (("input", "user"), ("output", "assistant")):
            value = langchain(r[key])
            found = find_messages(value, role) or ([Message(role, value)] if isinstance(value, str) else [])
            f.messages += found
            stated += [u for u in seek(value, "usage_metadata")] if key == "output" else []
            f.might(r[key])
        number = {k: v for k, v in m.items() if isinstance(v, (int, float))}
        start, end = number.get("start"), number.get("end")
        f.nodes.append((r["span_id"], first(*(r["span_parents"] or [None])), number.get("prompt_tokens"),
                        number.get("completion_tokens"), None, (end - start if start and end else None), start or None,
                        end or None, r["root_span_id"]))
        f.note(first(r["metadata"]["model"], r["metadata"]["invocation_params"]["model"]) if kind == "llm" else None,
               start, r["span_attributes"]["name"] or None, bool(r["error"]))
        f.may_calls += kind in ("tool", "function")
    f.more_tokens.append(tokens_of({tuple(sorted((k, v) for k, v in u.items() if isinstance(v, int))): u for u in stated}.values()))

def datadog(f, docs):
    """Spans of the agent: no talk, only names, models and times in nanoseconds; the text stands elsewhere."""
    value = docs.values()[0]
    def walk(v):
        if isinstance(v, dict) and "span_id" in v:
            yield v
        else:
            for _, x in members(v):
                yield from walk(x)
    for s in walk(value):
        meta, used = s["meta"], s["metrics"]
        start = first(s["start"], s["start_ns"])
        for side, role in (("input", "user"), ("output", "assistant")):
            box = meta[side] if isinstance(meta[side], dict) else Node()
            f.messages += find_messages(box["messages"], role) or [Message(role, box["value"])]
        model = next((v for k, v in members(meta) if re.search(r"(^|[._])(model_name|request\.model)$", k)), None)
        f.note(model, start, s["name"], s["error"] == 1 or s["status"] == "error")
        f.nodes.append((s["span_id"], s["parent_id"], used["input_tokens"] or None, used["output_tokens"] or None, None,
                        s["duration"] / 1e9, start / 1e9, (start + s["duration"]) / 1e9, s["trace_id"]))

def deepeval(f, docs):
    """Spans sorted by kind.  Talk is what model calls were given and gave, and the tools; what agents, steps, the trace
    and its test around them were given says it again, each in its own place.  A price for each token is stated, its product is not: no cost is right as well."""
    def quotes(c):                              # 'name' in quotes within the string
        fn = c["function"]
        if isinstance(fn, dict) and fn["name"]:
            return Node(c, function=Node(fn, **{k: fn[k].strip("'") for k in ("name", "arguments") if isinstance(fn[k], str)}))
        return c
    def said(value, role):
        for m in objects(value) if isinstance(value, list) else [value]:
            if isinstance(m, str):
                yield Message(role, m)
            elif "function" in m:
                yield read_message(Node(role=role, tool_calls=[quotes(m)]))
            elif isinstance(m, dict) and m["role"] != "Tool Input":         # a tool that was offered
                yield read_message(Node(m, role=str(m["role"]).lower(), tool_calls=[quotes(c) for c in objects(m["tool_calls"])]))
    def around(s, *outs):                       # a text alone, or messages, of what is around a call
        for keys, role in ((("input",), "user"), (outs, "assistant")):
            value = got(s, *keys)
            f.messages += ([Message(role, value)] if " " in value else []) if isinstance(value, str) else [      # a word is a state
                m for v in (find_messages(value, role),) for m in v] if value else []
    priced = []
    for c in objects(docs[0]["testCases"]):
        around(c, "actualOutput")
    for t in (t["trace"] for t in objects(docs[0]["testCases"])) if docs[0]["testCases"] else docs:
        for kind in ("baseSpans", "agentSpans", "llmSpans", "retrieverSpans", "toolSpans"):
            for s in objects(t[kind]):
                start, end = (seconds(s[k]) if s[k] else None for k in ("startTime", "endTime"))
                if kind == "llmSpans":
                    f.messages += [*said(s["input"], "user"), *said(s["output"], "assistant")] if s["output"] else [*said(s["input"], "user")]
                elif kind == "toolSpans":
                    gave = s["output"]["content"] if isinstance(s["output"], dict) and s["output"]["content"] else s["output"]
                    f.called((), ids(s["name"]), s["input"])
                    f.gave((), gave) if gave else None
                else:
                    around(s, "output")
                into, out = whole(s["inputTokenCount"]), whole(s["outputTokenCount"])
                priced += [into * s["costPerInputToken"] + out * s["costPerOutputToken"]] if s["costPerInputToken"] else []
                f.nodes.append((s["uuid"], s["parentUuid"] or None, into, out, None, end - start if start and end else None, start, end, t["uuid"]))
                f.note(s["model"] or None, start, s["name"], s["status"] == "ERRORED")
                f.might(s)
        around(t, "output") if not docs[0]["testCases"] else None
        f.note(name=t["name"] or None)
        f.may_errors += t["status"] == "ERRORED"
    f.might(docs)
    f.may_errors += sum(c["success"] is False for c in objects(docs[0]["testCases"]))
    f.more_costs += [add_up(priced)] if priced else []

def promptfoo(f, docs):
    """`error` is also the text of a failed assertion: only failureReason 2 is an error.  Tokens of a cached answer are
    not stated apart; its latency says nothing."""
    for r in objects(docs[0]["results"]["results"]):
        asked = decode(r["prompt"]["raw"])
        f.messages += find_messages(asked, "user") or [Message("user", r["prompt"]["raw"])]
        made = r["response"]["output"]
        f.messages += find_messages(made, "assistant") or [Message("assistant", *texts_of(made))]
        used = r["response"]["tokenUsage"]
        f.tokens(used["prompt"] or None, used["completion"] or None)
        f.note(r["provider"]["id"] or None, cost=first(r["cost"], r["response"]["cost"]), error=r["failureReason"] == 2)
        f.may_errors += r["success"] is False and r["failureReason"] != 2
        f.might(r)

def langsmith(f, docs):
    """The body of a batch: what is sent at the end of a run belongs to what was sent at its beginning."""
    runs = {}
    for d in docs:
        for r in objects(d["post"]) + objects(d["patch"]):
            run = runs.setdefault(first(r["id"], r["trace_id"]), Node())
            run.update({k: v for k, v in r.items() if v not in ({}, [])})
    for run in runs.values():
        for k in ("start_time", "end_time"):
            run[k] = run[k] * 10 ** 6 if isinstance(run[k], int) else run[k]        # milliseconds
        out = run["outputs"]
        run["usageDetails"] = first(out["usage_metadata"], out["usage"], Node())
        run["model"] = first(out["model"], run["extra"]["metadata"]["ls_model_name"])
    spans(f, list(runs.values()) or docs)

def attributes(f, docs):
    """One span as its attributes: in a box with its name, or with texts for input and output."""
    seen = [Node(d["attributes"], name=d["spanName"]) if d["spanName"] else d for d in docs]
    spans(f, [Node(d, input=d["input.value"], output=d["output.value"]) if "input.value" in d and not
              any(k.startswith("llm.input_messages") for k in d) else d for d in seen])

def flat_messages(d):
    """OpenLLMetry: gen_ai.prompt.0.role, gen_ai.completion.0.tool_calls.0.name and so on."""
    found = {}
    for k in d:
        at = re.match(r"gen_ai\.(prompt|completion)\.(\d+)\.(.*)", k)
        found.setdefault((at[1] != "prompt", int(at[2])), Node()).update({at[3]: d[k]}) if at else None
    for (made, _), x in sorted(found.items(), key=lambda i: i[0]):
        calls = {}
        for k in (k for k in x if k.startswith("tool_calls.")):
            calls.setdefault(k.split(".")[1], Node())[k.split(".")[-1]] = x[k]
        x["role"] = first(x["role"], "assistant" if made else "user")
        yield read_message(Node(x, tool_calls=list(calls.values()), finish_reason=None))
def otel(f, docs):
    """Spans of OTLP, Tempo and Jaeger.  One model call may stand in nested spans, each with its usage: once.  Spans of
    plain HTTP have no name and no time to show: they may be hidden; an error of theirs may count."""
    if docs[0]["resourceSpans"]:
        spans(f, docs)
        for d in given.records(docs):
            if d["tool.name"] and d["tool.input"]:
                f.called((), ids(d["tool.name"]), decode(d["tool.input"]))
        return
    late = []
    for s in jaeger(docs) if docs[0]["data"] else given.records(docs):
        start, end = (s[k] if isinstance(s[k], float) else seconds(s[k]) for k in ("startTimeUnixNano", "endTimeUnixNano"))
        mine = [k for k in s if k.startswith(("gen_ai.", "llm.", "gcp.vertex")) and k not in ("gen_ai.conversation.id", "gen_ai.task.id")]
        failed = s["error"] is True or s["otel.status_code"] == "ERROR" or s["status"]["code"] in (2, "STATUS_CODE_ERROR")
        used = tokens_of([s])
        f.nodes.append((s["spanId"], s["parentSpanId"] or None, *used, None, end - start, start, end, s["traceId"]))
        f.may_errors += failed and not mine
        if not mine:
            continue
        late.append(end - start)
        flat = list(flat_messages(s))
        f.messages += flat
        if s["gen_ai.operation.name"] == "execute_tool" or not flat:
            given.talk_of(f, s)
        f.note(first(s["gen_ai.response.model"], s["gen_ai.request.model"]), start, (s["name"],), failed)
        f.might(*(snake_parts(decode(v)) for k, v in s.items() if k.startswith("gcp.vertex")))
    f.least = max(late, default=None)
    f.wall = max(n[7] for n in f.nodes) - min(n[6] for n in f.nodes)      # roots whose parents are elsewhere overlap
def jaeger(docs):
    for trace in objects(docs[0]["data"]):
        for s in trace["spans"]:
            start = s["startTime"] / 1e6
            yield Node({t["key"]: t["value"] for t in s["tags"]}, name=s["operationName"], spanId=s["spanID"],
                       traceId=s["traceID"], startTimeUnixNano=start, endTimeUnixNano=start + s["duration"] / 1e6,
                       parentSpanId=next((r["spanID"] for r in objects(s["references"])), None))

# --- Frameworks -------------------------------------------------------------------------------------------------------

def google_adk(f, docs):
    """A session's events, the requests of which stand again in event_logs; or cases with the calls that are expected."""
    for d in docs:
        talk, logs = objects(d["events"]), objects(d["event_logs"])
        for e in talk:
            if e["partial"] is True or e["options"]["partial"] is True:
                continue                        # its text comes again
            f.messages += [read_message(snake_parts(e["content"]))] if e["content"] else []
            f.note(got(e, "model_version", "modelVersion"), e["timestamp"], error=got(e, "error_code", "errorCode"))
        for used in [got(e, "usage_metadata", "usageMetadata") for e in talk] + [x["model_response"]["usage_metadata"] for x in logs]:
            used = used or Node()
            f.tokens(got(used, "prompt_token_count", "promptTokenCount"), got(used, "candidates_token_count", "candidatesTokenCount"))
        for x in logs:
            f.note(x["model_request"]["model"] or None)
            f.might(x["model_request"]["config"])
        for case in objects(d["eval_cases"]):
            for turn in objects(case["conversation"]):
                f.messages.append(read_message(snake_parts(turn["user_content"]), "user"))
                data = turn["intermediate_data"]
                for c in objects(data["tool_uses"]):
                    f.called(ids(c["id"]), ids(c["name"]), c["args"])
                for r in objects(data["tool_responses"]):
                    f.gave(ids(r["id"]), r["response"])
                for _, parts in data["intermediate_responses"] or []:
                    f.messages.append(read_message(Node(role="model", parts=snake_parts(parts))))
                f.messages.append(read_message(snake_parts(turn["final_response"]), "assistant"))
        f.note(name=tuple(filter(None, (d["name"], d["eval_set_id"]))) or None if d["eval_cases"] else None)
        if "query" in d:
            f.say("user", d["query"])
            for c in objects(d["expected_tool_use"]):
                f.called((), ids(c["tool_name"]), c["tool_input"])
            f.say("assistant", d["reference"])

def run_state(f, docs):
    """The items of a run; the answers of the model say the same items again, a call that waits for approval too."""
    d = docs[0]
    f.messages += find_messages(d["original_input"], "user") or [Message("user", d["original_input"])]
    items = [g["raw_item"] for g in objects(d["generated_items"])] + [o for r in objects(d["model_responses"]) for o in objects(r["output"])]
    done = []
    for i in items:
        if i in done:
            continue
        done.append(i)
        known = ids(i["call_id"], i["id"])
        if i["type"] == "program":
            f.called(known, ("program",), i["code"])
        elif i["type"] == "program_output":
            f.gave(known, i["result"])
        else:
            f.messages.append(read_message(i))
    for r in objects(d["model_responses"]):
        f.tokens(r["usage"]["input_tokens"] or None, r["usage"]["output_tokens"] or None)

def langgraph(f, docs):
    """Rows [namespace, [piece, facts]]: pieces of one id are one message."""
    said, calls = {}, {}
    for row in docs.values()[0]:
        piece, facts = row[-1] if isinstance(row, list) and isinstance(row[-1], list) else (Node(), Node())
        k, kind = piece["kwargs"], str((piece["id"] or [""])[-1])
        role = next((r for n, r in (("AI", "assistant"), ("Human", "user"), ("System", "system"), ("Tool", "tool")) if kind.startswith(n)), None)
        m = said.get(k["id"] or None) or said.setdefault(k["id"] or None, f.say(role))
        if role == "tool":
            m.result(ids(k["tool_call_id"]), k["content"], k["status"] == "error")
            continue
        m.text = ["".join(m.text + text_of(k["content"]))]
        for c in objects(k["tool_call_chunks"]):
            call = calls.setdefault((k["id"], c["index"]), Node(args="", of=m))
            call.update({n: c[n] for n in ("id", "name") if c[n]})
            call["args"] += c["args"] or ""
        f.note(facts["ls_model_name"] or None, usage=k["usage_metadata"] or None)
    for c in calls.values():
        c["of"].call(ids(c["id"]), ids(c["name"]), c["args"])

def tau_bench(f, docs):
    """The user's cost is that of the user who is played; it may be shown as the run's."""
    for d in docs:
        f.messages += [read_message(m) for m in objects(d["traj"])]
        f.more_costs += [d["info"]["user_cost"]] if d["info"]["user_cost"] else []
        f.may_calls += len(objects(d["info"]["task"]["actions"]))
        f.might(d["info"])
    f.may_calls += sum("<function" in t for m in f.messages for t in m.text)

# --- Bodies of providers, and recordings of them ----------------------------------------------------------------------

def cohere(f, docs):
    """Two counts of tokens: `tokens` is that of the model, `billed_units` that of the bill."""
    f.steps, blocks = 1, {}
    if len(docs) == 1:
        f.messages = [read_message(docs[0]["message"])]
        f.messages[0].thoughts += [docs[0]["message"]["tool_plan"]] if docs[0]["message"]["tool_plan"] else []
    for e in docs if len(docs) > 1 else []:
        made = e["delta"]["message"]
        block = blocks.setdefault((str(e["type"]).split("-")[0], e.get("index")), dict.fromkeys(("text", "thinking", "id", "name", "arguments"), ""))
        call = made["tool_calls"] if isinstance(made["tool_calls"], dict) else Node()
        for k, v in [*members(made["content"]), ("thinking", made["tool_plan"]), ("id", call["id"]), *members(call["function"])]:
            block[k] = block.get(k, "") + v if isinstance(v, str) else block.get(k, "")
    if blocks:
        m = f.say("assistant", *(b["text"] for b in blocks.values()), thoughts=[b["thinking"] for b in blocks.values()])
        for b in blocks.values():
            m.call(ids(b["id"]), ids(b["name"]), b["arguments"]) if b["name"] else None
    f.usages = [u["tokens"] or u["billed_units"] for u in seek(list(docs), "usage")][-1:]
    f.note(error="ERROR" in seek(list(docs), "finish_reason"))
    f.might(list(seek(list(docs), "citations")))

def ollama_pieces(f, docs):
    m = f.say("assistant", "".join(first(d["message"]["content"], d["response"]) or "" for d in docs),
              thoughts=["".join(first(d["message"]["thinking"], d["thinking"]) or "" for d in docs)])
    for c in (c for d in docs for c in objects(d["message"]["tool_calls"])):
        read_call(m, c)
    last = docs[-1]
    f.tokens(last["prompt_eval_count"] or None, last["eval_count"] or None)
    f.note(last["model"], last["created_at"])
    f.took((f.latency or (0,))[0] + (last["total_duration"] or 0) / 1e9)
def ollama(f, docs):
    f.steps = 1
    ollama_pieces(f, docs)

def gemini_lines(f, docs):
    """One answer a line: a body, or the pieces of its stream.  Figures grow; thoughts may count as output."""
    thought, lines = 0, list(docs)
    for d in lines:
        if d["method"] != "countTokens":
            docs = objects(d["response"]) or [d["response"]]
            docs[0]["usageMetadata"].setdefault("candidatesTokenCount", 0)      # an answer may have none
            f.take(docs)
            thought += (f.usages[-1] if f.usages else Node()).get("thoughtsTokenCount", 0)
    into, out = tokens_of(f.usages)
    f.more_tokens += [(into, (out or 0) + thought)] if thought else []
    f.may_errors = sum(r not in ("STOP", "MAX_TOKENS") for r in seek(lines, "finishReason"))
    f.steps = len(lines)

def body_docs(text):
    """The JSON of a body, or of the data of its SSE."""
    if isinstance(text, (dict, list)):
        return objects(text if isinstance(text, list) else [text])
    text = "\n".join(re.findall(r"(?m)^data: ?(.*)$", text)) if re.search(r"(?m)^data:", text or "") else text or ""
    return [v for v in values_of(text) if isinstance(v, dict)]
def exchange(f, request, response, status=200):
    """One request and its response, in whatever they were recorded."""
    for d in body_docs(request):
        f.messages += find_messages(d, "user") + ([Message("user", d["input"])] if isinstance(d["input"], str) else [])
        f.messages += [Message("system", *text_of(d["system"]))] if isinstance(d["system"], list) else []
        f.note(d["model"] or None)
        f.might(d["instructions"])
    docs = body_docs(response)
    if docs and docs[-1]["done"] is True:
        ollama_pieces(f, docs)
    elif docs and status < 400 and not any("error" in d for d in docs):
        f.take(docs)
    else:
        f.note(error=status >= 400 or bool(docs))
        f.might(docs)
def har(f, docs):
    late = []
    for e in docs[0]["log"]["entries"]:
        content = e["response"]["content"]
        text = content["text"] or ""
        if content["encoding"] == "base64":     # perhaps pieces of it in a list
            raw = b"".join(map(base64.b64decode, decode(text) if isinstance(decode(text), list) else [text]))
            text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8", "replace")
        exchange(f, e["request"]["postData"]["text"] or "", text, e["response"]["status"] or 200)
        f.note(None, e["startedDateTime"])
        start, took = seconds(e["startedDateTime"]) if e["startedDateTime"] else 0, (e["time"] or 0) / 1000
        late.append((start, start + took))
    f.note(name=docs[0]["log"]["_recordingName"] or None)
    f.took_between(sum(end - start for start, end in late), late)
def cassette(f, docs):
    for d in docs:
        if "request" in d:
            r = d["response"]
            exchange(f, d["request"]["body"], r["body"], first(r["status_code"], r["status"]["code"] if isinstance(r["status"], dict) else r["status"], 200))
        else:
            exchange(f, d["body"] if "response" in d else "", got(d, "response", "body"), d["status"] or 200)
def httprr(f, docs):
    """Text: the lengths in bytes of a request and its response, then both."""
    raw, at = docs.text.encode(), 0
    while (head := re.compile(rb"(\d+) (\d+)\n").search(raw, at)):
        ask, end = head.end() + int(head[1]), head.end() + int(head[1]) + int(head[2])
        request, response = raw[head.end():ask].decode(errors="replace"), raw[ask:end].decode(errors="replace")
        (_, asked), (top, gave) = (re.split(r"\r?\n\r?\n", part, maxsplit=1) for part in (request, response))
        exchange(f, asked, re.sub(r"(?m)^[0-9a-f]+\r?\n", "", gave) if "chunked" in top else gave, int(top.split()[1]))
        at = end

def batch(f, docs):
    """Lines of questions, or lines of answers."""
    for d in docs:
        if d["body"]:
            exchange(f, d["body"], None)
            f.errors = 0
        else:
            exchange(f, None, first(d["response"]["body"], d["result"]["message"], d["error"]), first(d["response"]["status_code"], 200))
            f.note(None, d["response"]["body"]["created"] or None)

def completion_log(f, docs):
    for d in docs:
        f.messages += find_messages(d["messages"]) + find_messages(d["response"], "assistant")
        f.note(d["response"]["model"], d["timestamp"], usage=d["response"]["usage"], cost=d["cost"] or None)
        f.took(d["latency_sec"] or None)
        f.might(d["raw_response"])

def json_rpc(f, docs):
    """A call of a tool and its result; all else is the protocol's own."""
    called = set()
    for line in docs.text.splitlines():
        way, d = line.split(":", 1)[0], next((v for v in values_of(line[line.find("{"):]) if isinstance(v, dict)), Node())
        p, r = d["params"], d["result"]
        if d["method"] == "tools/call":
            called.add(str(d["id"]))
            f.called((), ids(p["name"]), p["arguments"])
        elif "result" in d and str(d["id"]) in called and "content" in r:
            f.gave((), r["content"], r["isError"] is True)
        f.may_calls += way == "STDIN" and "method" in d
        f.note(error="error" in d)
        f.might(p, r, d["error"])

# --- Shapes that the checker counts too low in folders of its own -----------------------------------------------------

def responses(f, docs):
    """Events one after another without a line between them; the instructions are said again in each."""
    found = [v for v in docs.values() if isinstance(v, dict)] if len(docs) < 2 and "}{" in docs.text else docs
    answer(f, list(found))
    f.might(*{i for i in seek(list(found), "instructions") if isinstance(i, str)})

def resolver(f, docs):
    """Events without names of their sources, in lines of whole runs; older ones are pairs of action and observation."""
    if not docs[0]["history"]:
        openhands(f, docs)
        replies = [d["tool_call_metadata"]["model_response"] for d in docs]
        f.more_tokens.append(tokens_of({r["id"]: r["usage"] for r in replies if r["usage"]}.values()))
        return
    for d in docs:
        for e in (e for h in d["history"] for e in (h if isinstance(h, list) else [h])):
            act, seen, args = e["action"], e["observation"], e["args"] or e
            if act in ("message", "system"):
                f.say(given.ROLES.get(e["source"] or None, "user") if act == "message" else "system", args["content"])
            elif act == "finish":
                f.say("assistant", args["thought"])
                f.may_calls += 1
            elif act:
                f.say("assistant", args["thought"]).call((), ids(act), got(args, "command", "code", "path", "url"))
            elif seen:
                f.gave((), e["content"], seen == "error")
            f.might(e)
        f.note(cost=d["metrics"]["accumulated_cost"] or None, error=bool(d["error"]))
        f.might({k: v for k, v in d.items() if k != "history"})

def atif(f, docs):
    """Trajectories of subagents within the file belong to it, and what their calls used counts also."""
    given.atif(f, docs)
    whole, below = list(f.usages), list(docs[0]["subagent_trajectories"] or [])
    for t in below:
        one = Facts()
        given.atif(one, [Node(t, session_id=first(t["session_id"], t["trajectory_id"]))])
        below += t["subagent_trajectories"] or []
        f.messages += one.messages
        whole += one.usages
    f.usages = whole

def codex_sessions(f, docs):
    """An event that says what no item says is the only carrier of it: a user's word, a last word, a call of MCP or of a
    shell.  Of sums that grow the largest is the session's; a trimmed line that says 0 after it may be taken."""
    given.codex(f, docs)
    events = [line["payload"] for line in docs if line["type"] == "event_msg"]
    known = {bare(t) for m in f.messages for t in [m.said(), *m.text, *m.thoughts]}
    seen = {k for m in f.messages for c in m.calls + m.results for k in c.ids}
    for p in events:
        kind, text = p["type"], first(p["message"], p["text"], p["last_agent_message"])
        if kind in ("user_message", "agent_message", "agent_reasoning", "task_complete") and isinstance(text, str):
            if bare(text) not in known:
                thought = kind == "agent_reasoning"
                f.say("user" if kind == "user_message" else "assistant", *[text] * (not thought), thoughts=[text] * thought)
                known.add(bare(text))
        elif kind in ("mcp_tool_call_end", "exec_command_end") and p["call_id"] and p["call_id"] not in seen:
            seen.add(p["call_id"])
            made, gave = p["invocation"], p["result"]
            f.called(ids(p["call_id"]), ids(made["tool"]) or ("exec_command", "exec", "shell"), first(made["arguments"], p["command"], []))
            f.gave(ids(p["call_id"]), first(gave["Err"], gave["Ok"], p["aggregated_output"], p["stdout"]), "Err" in gave)
        f.note(error=kind == "error")
        f.may_errors += kind == "turn_aborted" or "error" in p or "Err" in p["result"] or p["exit_code"] not in ({}, 0)
        f.may_calls += kind.endswith("_end")
    totals = [p["info"]["total_token_usage"] for p in events if p["info"]["total_token_usage"]]
    if totals:
        f.more_tokens.append(tokens_of(f.usages))
        f.usages = [max(totals, key=lambda u: u["total_tokens"] or 0)]

def claude_sessions(f, docs):
    claude_code(f, docs)
    f.models.discard("<synthetic>")         # what the program itself said in the place of a model

COUNTERS = {
    "ag-ui-events": ag_ui, "agent-trail": agent_trail, "agenta": agenta, "anthropic-managed-agents": managed_agents,
    "antigravity": antigravity, "autogen-session": autogen, "bedrock-invocation-log": bedrock_log,
    "braintrust": braintrust, "chatbot-ui": chatbot_ui, "chatgpt-export": chatgpt, "claude-ai-export": claude_ai, "claude-code-jsonl": claude_sessions,
    "claude-stream-json": claude_stream, "codex-exec-json": codex_exec,
    "codex-rollout": codex_sessions, "cohere-chat": cohere,
    "copilot-cli-events": copilot_cli, "cursor-jsonl": cursor, "datadog-apm-spans": datadog, "deepeval": deepeval,
    "droid": droid, "gemini-cli-responses": gemini_lines, "google-adk": google_adk, "google-ai-studio": ai_studio,
    "gptme": gptme, "grok-build": grok_build, "grok-export": grok_export, "har": har, "harbor-atif": atif, "hermes": hermes,
    "http-cassette": cassette, "http-recordings-nock": cassette, "httprr": httprr, "jaeger-json": otel, "kimi-cli": kimi,
    "kiro": kiro, "langgraph-stream": langgraph, "langsmith": langsmith, "librechat": librechat,
    "litellm-completion-log": completion_log, "mcp-jsonrpc-log": json_rpc, "mistral-vibe": mistral_vibe,
    "ollama-ndjson": ollama, "open-webui": open_webui, "openai-agents-run-state": run_state, "openai-batch": batch,
    "openai-responses": responses, "openclaw": session, "opencode-events": opencode_events,
    "opencode-session": opencode_session, "opencode-storage": opencode_storage, "openhands": resolver,
    "openhands-sdk": openhands_sdk, "otel-span-attributes": attributes, "otlp-json": otel, "posit-assistant": posit,
    "promptfoo": promptfoo, "qwen-code": qwen_code, "qwenpaw": qwenpaw, "tau-bench": tau_bench, "tempo-json": otel,
    "vscode-copilot-chat": vscode_chat, "vscode-copilot-chatreplay": chatreplay}

# Where the checker or EXPECTED.tsv is wrong: {file: (facts to set, the reason)}.  Facts are set after the counter has
# counted; where they are none, a counter above counts otherwise.
FACTS = {
    "claude-code-jsonl/stage0_claude_small.jsonl": ({}, "`<synthetic>` is no model: the program spoke in its place"),
    "codex-rollout/agent-trail_lifecycle.jsonl": ({}, "the last word and the call of MCP stand in events alone"),
    "codex-rollout/agent-trail_web-search.jsonl": ({}, "the user's word stands in an event alone"),
    "codex-rollout/stage0_codex_small.jsonl": ({}, "the sum of the tokens is 16341 and 81, a trimmed line after it says 0; "
        "the event `error` is an error; both counted as too large"),
    "harbor-atif/v17_embedded_subagents.json": ({}, "the two messages of the embedded trajectory are in the file; its 25 "
        "and 9 tokens are not in the 42 and 12 of final_metrics, which stay right as a statement of the parent"),
    "http-recordings-nock/should-handle-api-error-scenarios.json": ({}, "status 400 is an error; it counted none, so one "
        "that is shown was too many"),
    "openhands/runtime-trajs-basic.json": ({}, "without llm_metrics the usage of the two replies (8132 and 1312) is what "
        "is stated; it counted none, so any figure was too large"),
    "openai-responses/codex_responses_stream_bare.json": ({}, "JSON values without a line between them are one stream"),
    "openhands/resolver-output.jsonl": ({}, "lines of runs: their events stand in `history`"),
    "langsmith/langsmith_js_wrap_openai_default.json": ({}, "the end of a run belongs to its beginning"),
    "langsmith/langsmith_py_wrap_openai_reasoning.json": ({}, "the end of a run belongs to its beginning"),
    "langsmith/langsmith_py_wrap_openai_stream.json": ({}, "the end of a run belongs to its beginning"),
    "http-recordings-nock/cline-headless-json.json": ({"cost": [0.00102585]}, "the response is SSE in a string; its usage "
        "states a cost, as OpenRouter adds it"),
    "http-recordings-nock/thinking-multi-turn-1.json": ({}, "the body is JSON in a string"),
    "otel-span-attributes/langwatch_gemini-B.llm_call.json": ({}, "the attributes stand in a box beside the span's name"),
    "otel-span-attributes/openinference_client_span_input_output_only.json": ({}, "input.value and output.value are the talk"),
}

# --- The comparison ---------------------------------------------------------------------------------------------------

given_documents = given.documents
MEANING = {"TREE": "shown as JSON, no talk", "PART": "in part", "WRONG": "misleads", "CRASH": "crashes"}
def files(root):
    """The checker's own rule of what is a sample."""
    return sorted(os.path.relpath(os.path.join(d, n), root) for d, _, ns in os.walk(root) for n in ns
                  if not n.startswith(given.SKIPPED) and d != root)
def judged(catena, root, name):
    """(verdict, why, messages that were not found)"""
    f = given.expect(root, name)
    verdict, why, _, missing = given.examine(catena, os.path.join(root, name), f)
    if getattr(f, "nothing", False) and why == "counter (it found nothing) missing":
        verdict, why = "READ", "nothing to count"
    return verdict, why + ("; no counter: %s" % f.trouble if f.trouble else ""), missing
def expected(root):
    print("format\tfile\tmessages\tcalls\tresults\ttokens_in\ttokens_out\tcost\terrors\tmodels\tlatency_s\ttrouble")
    for name in files(root):
        f = given.expect(root, name)
        cells = [*name.split("/", 1), *map(len, (f.own, f.calls, f.results)), *f.right[0], f.right_costs[0],
                 f.errors + f.failed, ", ".join(sorted(map(str, f.models))), f.latency and f.latency[0], f.trouble]
        print(*("-" if c in (None, "") else "%.10g" % c if isinstance(c, float) else c for c in cells), sep="\t")
def known_files(path):
    lines = (line.rstrip("\n").split("\t", 1) for line in open(path)) if path else ()
    return {parts[0]: parts[-1] for parts in lines if parts[0] and parts[0][0] != "#"}
def rewrite(path, known, now):
    """The list anew: its comments stay, and the reasons of what is still on it."""
    with open(path) as f:
        head = [line for line in f if line.startswith("#")]
    with open(path, "w") as f:
        f.writelines(head + ["%s\t%s\n" % (name, known.get(name, why)) for name, why in now.items()])
def compare(catena, root, path, show):
    known, now, tally, passed, bad = known_files(path), {}, {}, 0, []
    for name in files(root):
        verdict, why, missing = judged(catena, root, name)
        tally[verdict] = tally.get(verdict, 0) + 1
        passed += verdict == "READ"
        now.update({} if verdict == "READ" else {name: "%s: %s" % (MEANING[verdict], why)})
        bad += [name] if verdict != "READ" and name not in known else []
        print("%-5s %s%s" % (verdict, name, ": " + why if why else ""))
        if name in FACTS and show:
            print("      the checker counts otherwise: " + FACTS[name][1])
        if verdict == "READ" and name in known:
            print("      is listed as not read (%s): take it off the list" % known[name])
        for m in missing if show else []:
            print("      not found: %s: %.90r" % (m.role, first(m.text, m.calls, m.results, m.thoughts, m.other)))
    print(*("%s %d" % (v, tally.get(v, 0)) for v in ("READ", "PART", "TREE", "WRONG", "CRASH")), "of %d" % sum(tally.values()))
    if path and os.environ.get("UPDATE"):
        rewrite(path, known, now)
        bad = []
    for name in bad:
        print("not read, and not on the list: " + name)
    print("%d passed, %d failed" % (passed, len(bad)))
    return bool(bad or not tally)
def main():
    args = [a for a in sys.argv[1:] if not a.startswith("--")]
    root = os.path.join(SHARED, "corpus")
    given.documents, given.Facts = lambda path: File(path, given_documents(path)), Facts
    given.COUNTERS.update(COUNTERS)
    given.FACTS.update({name: facts for name, (facts, _) in FACTS.items()})
    if "--expected" in sys.argv:
        return expected(root)
    at = sys.argv.index("--known") + 1 if "--known" in sys.argv else 0
    return compare(args[0], root, sys.argv[at] if at else None, "--show" in sys.argv)

if __name__ == "__main__":
    sys.exit(main())
