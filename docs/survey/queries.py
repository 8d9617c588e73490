#!/usr/bin/env python3
"""Runs the queries of README.md with DuckDB and compares what they give with what stands there.

With --write it puts what they give in their place.
"""
import re
import sys
from pathlib import Path

import duckdb

here = Path(__file__).resolve().parent
readme = here / "README.md"
BLOCK = re.compile(r"```sql\n(.*?)```\n\n```text\n(.*?)```", re.S)


def result(query):
    found = duckdb.sql(re.sub(r"'([\w-]+\.ndjson\.gz)'", lambda file: f"'{here / file[1]}'", query))
    rows = [found.columns] + [["" if cell is None else str(cell) for cell in row] for row in found.fetchall()]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() + "\n" for row in rows)


text = readme.read_text()
if "--write" in sys.argv:
    readme.write_text(BLOCK.sub(lambda block: f"```sql\n{block[1]}```\n\n```text\n{result(block[1])}```", text))
    sys.exit()
blocks = BLOCK.findall(text)
wrong = [query for query, wanted in blocks if result(query) != wanted]
for query in wrong:
    print(f"{query}gives\n{result(query)}", file=sys.stderr)
print(f"{len(blocks)} queries, {len(wrong)} of them give something else")
sys.exit(bool(wrong) or not blocks)
