"""Part of tests/check-tables, in its folder: counts.py ENGINE...

The tables in each database have the counts of `catena stats`; each query has one answer in all of them; what was read
back from a database, and from the rows themselves, has the counts of the rows.
"""
import csv
import json
import sys
from collections import Counter

csv.field_size_limit(1 << 30)
engines = sys.argv[1:]
passed = failed = 0


def tell(ok, words):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print("FAILED", words)


def rows_of(path):
    with open(path, newline="") as file:
        return [{name: "" if cell == "\\N" else cell for name, cell in row.items()} for row in csv.DictReader(file)]


def total(rows, column):
    return round(sum(float(row[column] or 0) for row in rows), 6)


def is_true(row, column):
    return str(row[column]).lower() in ("1", "t", "true")


def counts_of(tables):
    """What `catena stats` counts, too."""
    steps = tables["steps"]
    return {
        "steps": len(steps),
        "errors": sum(is_true(row, "error") for row in steps),
        "input_tokens": total(steps, "input_tokens"),
        "output_tokens": total(steps, "output_tokens"),
        "cache_read_tokens": total(steps, "cache_read_tokens"),
        "cost_usd": total(steps, "cost_usd"),
        "calls": Counter(row["tool"] for row in tables["calls"]),
        "failed": Counter(row["tool"] for row in tables["results"] if is_true(row, "call_failed")),
    }


def counts_of_stats(stats):
    counts = {name: round(stats["totals"][name] or 0, 6) for name in
              ("steps", "errors", "input_tokens", "output_tokens", "cache_read_tokens", "cost_usd")}
    counts["calls"] = Counter({tool["tool"]: tool["calls"] for tool in stats["tools"]})
    counts["failed"] = Counter({tool["tool"]: tool["totals"]["errors"] for tool in stats["tools"]
                                if tool["totals"]["errors"]})
    return counts


def compare(have, want, words):
    for name in want:
        tell(have[name] == want[name], f"{words}: {name}: {have[name]}, not {want[name]}")


def exported(path):
    """Rows of the form with `table`."""
    tables = {name: [] for name in ("steps", "messages", "calls", "results")}
    with open(path) as file:
        for line in file:
            row = json.loads(line)
            tables[row.pop("table")].append(row)
    return tables


def plain(cell):
    """Numbers in one spelling."""
    try:
        return f"{float(cell):.6g}"
    except ValueError:
        return cell


stats = counts_of_stats(json.load(open("stats.json")))
rows = exported("rows.jsonl")
compare(counts_of(rows), stats, "rows")
for name, table in rows.items():
    tell(len({tuple(row) for row in table}) == 1, f"{name}: rows have other columns")
tell(len({row["key"] for row in rows["steps"]}) == len(rows["steps"]), "keys of steps are not unique")
keys = {row["key"] for row in rows["steps"]}
for name in ("messages", "calls", "results"):
    tell(all(row["key"] in keys for row in rows[name]), f"{name}: of no step")
with open("tables/steps.jsonl") as file:
    tell([json.loads(line) for line in file] == rows["steps"], "the file of steps has other rows")

for engine in engines:
    tables = {name: rows_of(f"{name}.{engine}.csv") for name in rows}
    compare(counts_of(tables), stats, engine)
    for name in rows:
        tell(len(tables[name]) == len(rows[name]), f"{engine}: {name}: {len(tables[name])}, not {len(rows[name])}")
    for column in ("text", "role"):
        have = Counter(row[column].replace("\r\n", "\n") for row in tables["messages"])
        want = Counter((row[column] or "").replace("\r\n", "\n") for row in rows["messages"])
        tell(have == want, f"{engine}: messages: {column}: {list((have - want) + (want - have))[:3]}")

engines = [engine for engine in engines if engine != "clickhouse-client"]
answered = 0
for number in range(1, 11):
    answers = {engine: Counter(tuple(map(plain, row.values())) for row in rows_of(f"queries/{number:02}.sql.{engine}.csv"))
               for engine in engines}
    answered += any(answers.values())
    for engine in engines[1:]:
        tell(answers[engine] == answers[engines[0]], f"query {number}: {engine} answers otherwise than {engines[0]}")
tell(not engines or answered == 10, f"only {answered} queries find something")

want = counts_of(rows)
want["calls"] = Counter(row["tool"] for row in rows["calls"] if row["id"] or row["side"] == "output")
del want["failed"]  # an error without an id may count for another call when messages are joined
results = Counter(row["text"] for row in rows["results"] if row["text"])
for name in ["rows", *engines]:
    again = exported(f"again.{name}")
    compare(counts_of(again), want, f"read back, {name}")
    have = Counter(row["text"] for row in again["results"] if row["text"])
    tell(have == results, f"read back, {name}: results: {list((have - results) + (results - have))[:3]}")
    texts = {row["text"] for row in again["messages"]}
    whole = "\n".join(text for text in texts if text)
    lost = [row["text"] for row in rows["messages"] if row["text"] and row["text"] not in texts and row["text"] not in whole]
    tell(not lost, f"read back, {name}: {len(lost)} texts are lost: {lost[:3]}")
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
