#!/usr/bin/env python3
"""Makes a home folder with many sessions of agents, to measure the list of them.

    sessions.py HOME [--count 1000] [--size 2G] [--seed N] [--now SECONDS]

The files are of Claude Code and Codex, of very different sizes, written at
moments in the half year before --now.  Equal arguments give equal bytes.
"""
import argparse
import json
import os
import random
import time

TASKS = ["Fix the flaky login test", "Write a parser for the tide table", "Why is the build slow?",
         "Rename the module of the night shift", "Add a retry to the uploader", "Explain the cache",
         "Port the script to Python 3", "Review my change of the schema", "Make the release notes",
         "Find out who closes the socket twice", "Draw the dependency graph", "Update the license headers"]
FOLDERS = ["api-server", "catalog", "harbour/ferry-times", "lighthouse", "notes", "tide-table", "web/shop"]
WORDS = ("the quick ferry waits for an open transaction while a retry rewrites half of the budget "
         "and nobody reads the winter schedule ").split()


def size_of(text):
    units = {"K": 10**3, "M": 10**6, "G": 10**9}
    return int(float(text[:-1]) * units[text[-1]]) if text[-1] in units else int(text)


def words(rnd, size):
    start = rnd.randrange(len(WORDS))
    line = " ".join(WORDS[start:] + WORDS[:start]) + "\n"
    return (line * (size // len(line) + 1))[:size]


def moment(at):
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(at))


def claude(rnd, at, size, folder, task):
    yield {"type": "user", "sessionId": "s", "uuid": "u0", "parentUuid": None, "cwd": folder, "gitBranch": "main",
           "timestamp": moment(at), "message": {"role": "user", "content": task}}
    number = 0
    while size > 0:
        number += 1
        result = rnd.randrange(2000, 40000)
        size -= result + 900
        yield {"type": "assistant", "sessionId": "s", "uuid": f"a{number}", "cwd": folder, "timestamp": moment(at + 60 * number),
               "message": {"id": f"m{number}", "role": "assistant", "model": "claude-sonnet-4-5",
                           "content": [{"type": "text", "text": words(rnd, 200)},
                                       {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": "make check"}}],
                           "usage": {"input_tokens": 12 + 40 * number, "output_tokens": rnd.randrange(20, 900)}}}
        yield {"type": "user", "sessionId": "s", "uuid": f"r{number}", "cwd": folder, "timestamp": moment(at + 60 * number + 9),
               "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"t{number}",
                                                        "is_error": rnd.random() < 0.02, "content": words(rnd, result)}]}}


def codex(rnd, at, size, folder, task):
    yield {"timestamp": moment(at), "type": "session_meta", "payload": {"id": "c", "cwd": folder, "model_provider": "openai"}}
    yield {"timestamp": moment(at), "type": "response_item", "payload": {
        "type": "message", "role": "user", "content": [{"type": "input_text", "text": "<environment_context>\n</environment_context>"}]}}
    yield {"timestamp": moment(at), "type": "response_item", "payload": {
        "type": "message", "role": "user", "content": [{"type": "input_text", "text": task}]}}
    total = number = 0
    while size > 0:
        number += 1
        result = rnd.randrange(2000, 40000)
        size -= result + 900
        total += 100 + 30 * number
        yield {"timestamp": moment(at + 60 * number), "type": "response_item", "payload": {
            "type": "function_call", "name": "shell", "call_id": f"k{number}", "arguments": "{\"command\":[\"make\"]}"}}
        yield {"timestamp": moment(at + 60 * number + 5), "type": "event_msg", "payload": {
            "type": "token_count", "info": {"total_token_usage": {"input_tokens": total, "output_tokens": total // 20}}}}
        yield {"timestamp": moment(at + 60 * number + 9), "type": "response_item", "payload": {
            "type": "function_call_output", "call_id": f"k{number}", "output": words(rnd, result)}}


def make(home, count, size, seed=1, now=None):
    rnd, now = random.Random(seed), now or time.time()
    shares = [rnd.lognormvariate(0, 1.5) for _ in range(count)]
    scale = size / sum(shares)
    for i, share in enumerate(shares):
        at = now - 40 - 180 * 86400 * (i / count) ** 2
        folder = "/home/me/src/" + rnd.choice(FOLDERS)
        task = f"Part {i}. {rnd.choice(TASKS)}"
        if i % 3 < 2:
            path = f"{home}/.claude/projects/{folder.replace('/', '-')}/{rnd.getrandbits(128):032x}.jsonl"
            lines = claude(rnd, at - 3600, share * scale, folder, task)
        else:
            day = time.strftime("%Y/%m/%d", time.gmtime(at))
            path = f"{home}/.codex/sessions/{day}/rollout-{i:08}-{rnd.getrandbits(64):016x}.jsonl"
            lines = codex(rnd, at - 3600, share * scale, folder, task)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            for line in lines:
                out.write(json.dumps(line, separators=(",", ":")) + "\n")
        os.utime(path, (at, at))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("home")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--size", type=size_of, default=size_of("2G"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--now", type=float, default=time.time())
    args = parser.parse_args()
    make(args.home, args.count, args.size, args.seed, args.now)


if __name__ == "__main__":
    main()
