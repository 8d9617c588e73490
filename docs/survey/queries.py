#!/usr/bin/env python3
"""Runs the queries of README.md with DuckDB and compares what they give with what stands there.

With --write it puts what they give in their place. Rows that are equal in all that a query orders by would stand in any
order, so each query must end its order with the code, of which no two rows are the same, or with all columns.
"""
import re
import sys
from pathlib import Path

import duckdb

here = Path(__file__).resolve().parent
readme = here / "README.md"
BLOCK = re.compile(r"```sql\n(.*?)```\n\n```text\n(.*?)```", re.S)
WHOLE_ORDER = re.compile(r"ORDER BY (.*, )?(code|standard_form|first|ALL)( LIMIT \d+)?;")


def result(query):
    found = duckdb.sql(re.sub(r"'([\w-]+\.ndjson(?:\.gz)?)'", lambda file: f"'{here / file[1]}'", query))
    rows = [found.columns] + [["" if cell is None else str(cell) for cell in row] for row in found.fetchall()]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() + "\n" for row in rows)


text = readme.read_text()
if "--write" in sys.argv:
    readme.write_text(BLOCK.sub(lambda block: f"```sql\n{block[1]}```\n\n```text\n{result(block[1])}```", text))
    sys.exit()
blocks = BLOCK.findall(text)
wrong = [query for query, wanted in blocks if result(query) != wanted]
unordered = [query for query, _ in blocks if not WHOLE_ORDER.search(query)]
for query in unordered:
    print(f"{query}doesn't order all its rows", file=sys.stderr)
for query in wrong:
    print(f"{query}gives\n{result(query)}", file=sys.stderr)
print(f"{len(blocks)} queries, {len(wrong)} of them give something else")
sys.exit(bool(wrong or unordered) or not blocks)
