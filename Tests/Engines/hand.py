"""A few dozen questions beside SQL written by hand: they prove engines, tables and the comparison without tabler's own SQL.

In the SQL `[name]` is a name in the quotes of the dialect, `{t}` the table, `{c}` what orders texts by bytes, and `'\\'` a
text as standard SQL has it. A pair of a dialect and SQL replaces the common one.
"""

import re
import shlex

import questions
import tables

PAIRS = [
    ("--columns id,name --sort id", "SELECT [id], [name] FROM {t} ORDER BY [id]"),
    ("--columns 'id,two words,order,größe' --sort id", "SELECT [id], [two words], [order], [größe] FROM {t} ORDER BY [id]"),
    ("--columns id,day,at,price,w,big,code", "SELECT [id], [day], [at], [price], [w], [big], [code] FROM {t}"),
    ("--columns id --filter 'n > 10'", "SELECT [id] FROM {t} WHERE [n] > 10"),
    ("--columns id,big --filter 'big = 9007199254740993'", "SELECT [id], [big] FROM {t} WHERE [big] = 9007199254740993"),
    ("--columns id,w --filter 'w < 0.5 and w > -100.125'", "SELECT [id], [w] FROM {t} WHERE [w] < 0.5 AND [w] > -100.125"),
    ("--columns id --filter \"name = 'it''s'\"", "SELECT [id] FROM {t} WHERE [name] = 'it''s'"),
    ("--columns id,name --filter 'name is empty'", "SELECT [id], [name] FROM {t} WHERE [name] IS NULL OR [name] = ''"),
    ("--columns id,city --filter 'city <> \"Köln\"'", "SELECT [id], [city] FROM {t} WHERE [city] <> 'Köln'"),
    ("--columns id,ok --filter 'ok'", "SELECT [id], [ok] FROM {t} WHERE [ok] = {true}"),
    ("--columns id,ok --filter 'ok is not true'", "SELECT [id], [ok] FROM {t} WHERE [ok] IS NULL OR [ok] = {false}"),
    ("--columns id,day --filter 'day = date \"2024-02-29\"'", "SELECT [id], [day] FROM {t} WHERE [day] = {date}'2024-02-29'"),
    ("--columns id,n --filter 'n not in (1, 2, 3)'", "SELECT [id], [n] FROM {t} WHERE [n] NOT IN (1, 2, 3)"),
    ("--columns id,n --filter 'n not between -10 and 10'", "SELECT [id], [n] FROM {t} WHERE NOT ([n] BETWEEN -10 AND 10)"),
    ("--columns id,n --filter 'coalesce(n, 0) > 5'", "SELECT [id], [n] FROM {t} WHERE COALESCE([n], 0) > 5"),
    ("--columns id,a --derive 'a = n / 4'", "SELECT [id], CAST([n] AS {double}) / 4 AS [a] FROM {t}"),
    ("--columns id,a --derive 'a = w / 3'", "SELECT [id], [w] / 3 AS [a] FROM {t}"),
    ("--columns id,a --derive 'a = price + 1'", "SELECT [id], [price] + 1 AS [a] FROM {t}"),
    ("--columns id,a --derive 'a = n * n'", "SELECT [id], [n] * [n] AS [a] FROM {t}"),
    ("--columns id,a --derive 'a = abs(n)'", "SELECT [id], ABS([n]) AS [a] FROM {t}"),
    ("--columns id,a --derive 'a = replace(order, \"o\", \"0\")'", "SELECT [id], REPLACE([order], 'o', '0') AS [a] FROM {t}"),
    ("--columns id,a --derive 'a = case when n > 10 then \"big\" when n > 0 then \"small\" end'",
     "SELECT [id], CASE WHEN [n] > 10 THEN 'big' WHEN [n] > 0 THEN 'small' ELSE NULL END AS [a] FROM {t}"),
    ("--sort -n,id --columns n,id", "SELECT [n], [id] FROM {t} ORDER BY [n] DESC NULLS LAST, [id]"),
    ("--sort 'city,-id' --columns city,id", "SELECT [city], [id] FROM {t} ORDER BY NULLIF([city], ''){c} NULLS LAST, [id] DESC"),
    ("--sort '-name,id' --columns name,id", "SELECT [name], [id] FROM {t} ORDER BY NULLIF([name], ''){c} DESC NULLS LAST, [id]"),
    ("--sort -n,id --skip 10 --head 5 --columns id,n", "SELECT [id], [n] FROM {t} ORDER BY [n] DESC NULLS LAST, [id] LIMIT 5 OFFSET 10"),
    ("@count --head 7", "SELECT * FROM {t} LIMIT 7"),
    ("--group-by city", "SELECT [city], COUNT(*) AS [count] FROM {t} GROUP BY [city]"),
    ("--group-by city --aggregate 'm = count()' --sort -m,city",
     "SELECT [city], COUNT(*) AS [m] FROM {t} GROUP BY [city] ORDER BY [m] DESC NULLS LAST, NULLIF([city], ''){c} NULLS LAST"),
    ("--group-by order --aggregate 'rows = count(), a = sum(n), b = min(n), c = max(n)' --sort order",
     "SELECT [order], COUNT(*) AS [rows], SUM([n]) AS [a], MIN([n]) AS [b], MAX([n]) AS [c] FROM {t} GROUP BY [order] ORDER BY [order]{c}"),
    ("--group-by order --aggregate 'a = sum(price), b = sum(w), c = mean(n), d = distinct(city)'",
     "SELECT [order], SUM([price]) AS [a], SUM([w]) AS [b], AVG([n]) AS [c], COUNT(DISTINCT [city]) AS [d] FROM {t} GROUP BY [order]"),
    ("--group-by 'two words' --aggregate 'a = sum(n), b = sum(w)'",
     "SELECT [two words], SUM([n]) AS [a], SUM([w]) AS [b] FROM {t} GROUP BY [two words]"),
    ("--aggregate 'rows = count(), a = sum(n), d = max(day), e = max(at)'",
     "SELECT COUNT(*) AS [rows], SUM([n]) AS [a], MAX([day]) AS [d], MAX([at]) AS [e] FROM {t}"),
    ("--filter 'n > 100' --columns id", "SELECT [id] FROM {t} WHERE [n] > 100"),
]

WORDS = {
    "sqlite": {"true": "1", "false": "0", "date": "", "double": "REAL", "c": ""},
    "duckdb": {"true": "TRUE", "false": "FALSE", "date": "DATE ", "double": "DOUBLE", "c": ""},
    "postgres": {"true": "TRUE", "false": "FALSE", "date": "DATE ", "double": "double precision", "c": ' COLLATE "C"'},
    "clickhouse": {"true": "1", "false": "0", "date": "", "double": "Nullable(Float64)", "c": ""},
    "spark": {"true": "TRUE", "false": "FALSE", "date": "DATE ", "double": "DOUBLE", "c": ""},
}


def asked():
    """The questions, each with its SQL for an engine and a table."""
    found = []
    for number, (line, sql) in enumerate(PAIRS, 1):
        words = shlex.split(line)
        marks = [word for word in words if word in questions.MARKS]
        question = questions.Question(f"hand {number}", words[len(marks):], marks)
        question.sql = sql
        found.append(question)
    return found


def in_dialect(sql, engine, table):
    """SQL written by hand in the dialect of an engine."""
    dialect = engine.dialect
    sql = re.sub(r"\[([^\]]+)\]", lambda match: tables.quoted(match[1], dialect), sql)
    return sql.format(t=engine.quoted_table(table), **WORDS[dialect])
