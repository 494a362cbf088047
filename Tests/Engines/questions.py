"""Questions as options of tabler: written ones, a line each, and random ones from a seed.

A line may begin with marks: `@count` compares only how many rows there are, `@done-here` has steps that are not sent, and
`@refused` must be refused for every dialect by a rule of the specification. Everything else must be answered as tabler
answers it on the same rows, or be refused with a reason.
"""

import random
import re
import shlex

# Sections of the list are comments; `--sort` ends with `id` or the group's keys, so that no ties are left.
WRITTEN = r"""
# All rows, and which columns.
--sort id
--columns id,name --sort id
--columns 'id,two words,order,größe' --sort id
--columns 'id=Number,price=Price' --sort id
--columns '!strange,!name' --sort id
--columns 'id..w,d*' --sort id
--columns 'id,*' --sort id --head 3
--hide 'name,strange,code' --sort id

# Comparison of each type.
--filter 'n > 10'
--filter 'n >= 10 and n < 15'
--filter 'n = 3 or n == -3 or n <> 4 and n != 5 and n <= -18'
--filter 'big > 9007199254740992'
--filter 'big = 9007199254740993' --columns id,big
--filter 'big = 9223372036854775807' --columns id,big
--filter 'w < 0.5 and w > -100.125'
--filter 'w = 12.125 or w >= 900'
--filter 'price = 1936.55'
--filter 'price > 1000.005 and price <= 2000'
--filter "name = 'it''s' or name = \"it's\""
--filter 'name = "\"quoted\""'
--filter 'name = "line\nbreak" or name = "two\r\nlines" or name = "lone\rreturn"' --columns id,name
--filter "name = 'a\\nb' or name = '\\N' or name = '\\' or name = '\\\\'" --columns id,name
--filter 'name < "a"'
--filter 'name > "é"' --columns id,name
--filter 'city = "Köln"'
--filter 'city <> "Köln"'
--filter 'order = "low"'
--filter '`two words` = 3'
--filter 'größe >= 5'
--filter 'ok'
--filter 'not ok'
--filter 'ok = true'
--filter 'ok is false or n > 15'
--filter 'day >= date "2024-01-01"'
--filter 'day = date "2024-02-29"' --columns id,day
--filter 'day < date "1999-12-31" and day > date "1996-05-05"'
--filter 'at > datetime "2024-03-31T02:30:00"'
--filter 'at <= datetime "2000-01-01 00:00:00"' --columns id,at
--filter 'w > n'
--filter 'n = `two words`'
--filter 'price > w and big > n'
--filter 'day > date "2020-01-01" ? n > 0 : n < 0'

# Nulls and empty texts.
--filter 'n is null'
--filter 'n is not null'
--filter 'name is null' --columns id,name
--filter 'name is empty' --columns id,name
--filter 'name is not empty' --columns id,name
--filter 'city = ""' --columns id,city
--filter 'city != ""' --columns id,city
--filter 'city = null' --columns id,city
--filter 'is_empty(city)' --columns id
--filter 'is_empty(n) and is_empty(day)' --columns id,n,day
--filter 'ok is null or ok is true'
--filter 'ok is not true' --columns id,ok
--filter 'not (n > 3)' --columns id,n
--filter 'n > 3 or price > 5000'
--filter 'not (ok and n > 3)' --columns id,ok,n
--filter 'n is distinct from 3' --columns id,n
--filter 'n is not distinct from `two words`' --columns id,n
--filter 'name is distinct from ""' --columns id
--filter 'n ?? 0 > 5' --columns id,n
--filter 'coalesce(n, `two words`, 0) = 0' --columns id
--filter 'nullif(n, 3) is null' --columns id,n
--filter 'n is int and price is decimal and name is text'
--filter 'w is number' --columns id,w

# Lists, ranges and patterns.
--filter 'n in (1, 2, 3)'
--filter 'n not in (1, 2, 3)' --columns id,n
--filter 'n in (3)'
--filter 'city in ("Köln", "東京", "")' --columns id,city
--filter 'city not in ("Köln", "a,b")' --columns id,city
--filter 'big in (9007199254740993, 9223372036854775806)' --columns id,big
--filter 'price between 100 and 2000.50'
--filter 'n not between -10 and 10' --columns id,n
--filter 'day between date "2024-01-01" and date "2024-12-31"' --columns id,day
--filter 'name like "a%"' --columns id,name
--filter 'name like "%\\%%"' --columns id,name
--filter 'name like "f_o%"' --columns id,name
--filter 'name not like "%o%"' --columns id,name
--filter 'name like "FOO"' --columns id,name
--filter 'name ilike "foo%"' --columns id,name
--filter 'name not ilike "%A%"' --columns id,name
--filter 'name like "[a]"' --columns id,name
--filter 'name like "x.y*_"' --columns id,name
--filter 'city like "%ö%"' --columns id,city
--filter 'name =~ /^foo/' --columns id,name
--filter 'name =~ /FOO/i' --columns id,name
--filter 'name !~ /[a-z]/' --columns id,name
--filter 'name =~ /^\w+\s\w+/' --columns id,name
--filter 'name =~ /\d+$/' --columns id,name
--filter 'matches(city, /k.ln/i)' --columns id,city

# Arithmetic.
--derive 'a = n + 1, b = n - w, c = n * 3' --columns id,a,b,c
--derive 'a = n / 4' --columns id,n,a
--derive 'a = w / 3, b = price / 7' --columns id,a,b
--derive 'a = n / `two words`' --columns id,a
--derive 'a = n // 3, b = n % 3' --columns id,n,a,b
--derive 'a = n // -7, b = n % -7, c = mod(n, 4)' --columns id,n,a,b,c
--derive 'a = n // `two words`, b = n % `two words`' --columns id,a,b
--derive 'a = 2 ^ `two words`, b = n ** 2, c = pow(n, 3)' --columns id,a,b,c
--derive 'a = -n, b = +n, c = -n * -n' --columns id,a,b,c
--derive 'a = price * 2, b = price + 1, c = price - 0.05, d = price * 1.05' --columns id,a,b,c,d
--derive 'a = w * 2 + 0.5, b = w * w' --columns id,a,b
--derive 'a = big - 1' --filter 'big < 9223372036854775807 and big > -9223372036854775806' --columns id,a
--filter 'n * 2 + `two words` > 20'
--filter 'price * 0.1 = 0.5 or price + 0.1 > 9000'
--derive 'a = abs(n), b = sign(n), c = floor(w), d = ceil(w)' --columns id,a,b,c,d
--derive 'a = abs(price), b = floor(price), c = ceil(price), d = sign(w)' --columns id,a,b,c,d
--derive 'a = round(w), b = round(w, 1), c = round(price, 1), d = round(price)' --columns id,w,price,a,b,c,d
--derive 'a = trunc(w), b = trunc(price, 1), c = round_to(n, 5)' --columns id,a,b,c
--derive 'a = sqrt(w), b = ln(w), c = exp(n / 10)' --columns id,a,b,c
--derive 'a = sqrt(`two words`), b = cbrt(n), c = log10(n), d = log2(n), e = log(3, n)' --columns id,a,b,c,d,e
--derive 'a = sin(n), b = cos(n), c = atan(n), d = atan2(n, w), e = pi()' --columns id,a,b,c,d,e
--derive 'a = least(n, `two words`), b = greatest(n, `two words`, 0), c = clamp(n, -5, 5)' --columns id,a,b,c
--derive 'a = least(price, w)' --columns id,a
--derive 'a = number(code), b = is_number(code)' --columns id,code,a,b
--derive 'a = int(code)' --columns id,code,a
--derive 'a = int(w), b = int(price), c = double(n), d = decimal(n)' --columns id,a,b,c,d
--derive 'a = text(n), b = text(day), c = text(ok)' --columns id,a,b,c
--derive 'a = text(price), b = text(w)' --columns id,a,b
--filter 'code = 7' --columns id,code
--filter 'code > 8' --columns id,code
--filter 'code < 10 and code = "7"' --columns id,code

# Texts.
--derive 'a = lower(name), b = upper(name)' --columns id,name,a,b
--derive 'a = upper(city), b = lower(city)' --columns id,a,b
--derive 'a = lower(strange)' --columns id,strange,a
--derive 'a = upper(strange), b = capitalize(strange)' --columns id,strange,a,b
--derive 'a = capitalize(order)' --columns id,a
--derive 'a = length(name), b = len(city)' --columns id,name,a,b
--derive 'a = trim(name), b = ltrim(name), c = rtrim(name)' --columns id,a,b,c
--derive 'a = trim(name, "x"), b = ltrim(name, "a"), c = rtrim(name, "rab")' --columns id,a,b,c
--derive 'a = squeeze(name)' --columns id,name,a
--derive 'a = substr(name, 2), b = substr(name, 2, 3), c = substr(name, -2), d = substr(name, 0, 2)' --columns id,name,a,b,c,d
--derive 'a = left(name, 2), b = right(name, 2), c = left(city, 3)' --columns id,a,b,c
--derive 'a = replace(name, "o", "0"), b = replace(name, "", "x"), c = replace(city, "ö", "oe")' --columns id,a,b,c
--derive 'a = split_part(name, "/", 2), b = split_part(name, ",", 1)' --columns id,a,b
--derive 'a = concat(name, n), b = concat_ws("-", city, n, order)' --columns id,a,b
--derive 'a = name ++ "!" ++ city, b = order ++ n' --columns id,a,b
--derive 'a = contains(name, "o"), b = starts_with(name, "a"), c = ends_with(name, "\\")' --columns id,a,b,c
--derive 'a = position(name, "o"), b = position(city, "ö")' --columns id,a,b
--derive 'a = repeat(order, 2), b = reverse(name), c = repeat(order, 0)' --columns id,a,b,c
--derive 'a = extract(name, /[a-z]+/), b = extract(name, /(\w)(\w)/, 2)' --columns id,name,a,b
--derive 'a = sub(name, /o/, "0"), b = gsub(name, /[aeiou]/, "*")' --columns id,name,a,b
--filter 'length(name) = 1' --columns id,name
--filter 'lower(order) = "low" and upper(order) = "LOW"' --columns id
--filter 'contains(name, "${env:HOME}") or contains(name, "$1") or name = "{name}"' --columns id,name
--filter "name = ' ' or name = 'NULL' or name = 'null' or name = 'nan'" --columns id,name
--filter 'name = "-- no comment" or name = "/* none */" or name = ";"' --columns id,name
--arg "who=it's" --filter 'name = $who'
--arg "who=a,b;c|d" --filter 'name = $who or name = "two\r\nlines"' --columns id,name
--arg 'least=12' --filter 'n > $least'
--arg 'who=' --filter 'name = $who' --columns id,name

# Choices.
--derive 'a = n > 0 ? "plus" : "rest"' --columns id,n,a
--derive 'a = if(ok, n, -1)' --columns id,ok,n,a
--derive 'a = case when n > 10 then "big" when n > 0 then "small" end' --columns id,n,a
--derive 'a = case when ok then 1 when not ok then 0 else -1 end' --columns id,ok,a
--derive 'a = n ?? 99, b = city ?? "nowhere", c = coalesce(day, date "2000-01-01")' --columns id,a,b,c
--derive 'a = n > 3, b = n is null, c = ok or n > 3, d = not ok' --columns id,a,b,c,d
--derive 'a = n in (1, 2), b = city like "K%", c = n between 1 and 3' --columns id,a,b,c
--derive 'a = ok and null, b = ok or null' --columns id,a,b

# Dates.
--derive 'y = year(day), m = month(day), d = day(day)' --columns id,day,y,m,d
--derive 'h = hour(at), m = minute(at), s = second(at)' --columns id,at,h,m,s
--derive 'a = weekday(day), b = week(day), c = yearday(day)' --columns id,day,a,b,c
--derive 'a = date_trunc("month", day), b = date_trunc("week", day), c = date_trunc("year", day), d = date_trunc("quarter", day)' --columns id,a,b,c,d
--derive 'a = date_trunc("hour", at), b = date_trunc("day", at)' --columns id,a,b
--derive 'a = date_add("day", 3, day), b = date_add("month", 1, day), c = date_add("year", -1, day)' --columns id,day,a,b,c
--derive 'a = day + 3d, b = day - 7d, c = at + 1h30m' --columns id,a,b,c
--derive 'a = date_diff("day", date "2024-01-01", day)' --columns id,day,a
--derive 'a = strftime(day, "%d.%m.%Y"), b = strftime(at, "%Y-%m-%d %H:%M")' --columns id,a,b
--derive 'a = epoch(at), b = from_epoch(0)' --columns id,a,b
--derive 'a = date(at), b = datetime(day)' --columns id,a,b
--filter 'year(day) = 2024 and month(day) in (1, 2, 12)' --columns id,day
--filter 'day > date "2024-02-29" - 30d and day < date "2024-02-29" + 366d' --columns id,day
--filter 'at - datetime "2024-01-01T00:00:00" > 100d' --columns id,at
--filter 'weekday(day) > 5' --columns id,day

# Order.
--sort -n,id --columns n,id
--sort 'city,-id' --columns city,id
--sort 'name:text,id' --columns name,id
--sort '-name,id' --columns name,id
--sort 'w:number,id' --columns w,id
--sort '-price:first,id' --columns price,id
--sort 'n:first,-w,id' --columns n,w,id
--sort 'big,id' --columns big,id
--sort 'ok,-day,id' --columns ok,day,id
--sort '-at,id' --columns at,id
--sort 'code:number,id' --columns code,id
--sort 'code:text,id' --columns code,id
--sort 'name:nocase,id' --columns name,id
--sort 'name:length,id' --columns name,id
--sort '(abs(n)),id' --columns n,id
--sort '-(n * 2 + `two words`),id' --columns n,id
--derive 'b = n > 3 ? "two\\nlines" : "x\\r\\n  y"; c = b ++ "\\n"' --filter 'c != "z"' --columns id,b,c --sort id
--filter 'city is not empty' --group-by city --aggregate 'w = sum(w), m = max(w), k = w + m' --sort city
--aggregate 'n = 1'
--filter 'id < 0' --aggregate 'n = 1'
--derive 'a = clamp(w, 10, 0), b = clamp(n, -5, 5)' --columns id,a,b
--set 'w = 3 where n > 5' --set 'city = null where n < 3' --derive 'b = w + 1' --columns id,w,city,b --sort id
--sort '(2),id' --columns id,n
--derive 'k = n % 3' --sort ok,k,id --columns ok,k,id
--derive 'k = n % 3' --sort '-ok,(k + 1),-id' --columns ok,k,id
--filter 'name like "%e\\u0301%" or name like "_\\u0301"' --columns id,name --sort id
--filter 'w < 1e400 and w > -1e400' --columns id,w --sort id
--filter '(n < 3 ? (n < 2 ? 1 : 2) : (n in (4, 5, null ?? 6) ? 7 : 8)) between 2 and 7' --columns id,n --sort id
--filter 'order is not empty' --sort order,id --order 'order=low,mid,high' --columns order,id
--sort 'n,id' --nulls first --columns n,id
--sort -n,id --head 5
--sort -n,id --skip 10 --head 5 --columns id,n
--sort id --skip 295 --columns id
--sort id --head 0
--sort price,id --skip 3
--filter 'n > 0' --sort -price,id --head 20 --columns id,price,name
@count --head 7
@count --skip 290
@count --filter 'n > 0' --head 5

# Set, delete, derive in the order of work.
--set 'n = n * 2'
--set 'n = 0 where n is null' --filter 'n = 0' --columns id,n
--set 'city = "nowhere" where city is empty' --columns id,city
--set 'id = id + 1000' --filter 'id > 1250' --columns id,n
--set 'name = upper(order); n = n + 1' --columns id,name,n
--set 'ok = not ok' --filter ok --columns id,ok
--derive 'a = n + 1' --derive 'b = a * 2' --columns id,a,b
--derive 'a = n + 1; b = a > 5' --filter 'b' --columns id,a,b
--delete 'n < 0'
--delete 'n < 0' --filter 'price > 0' --columns id,n,price
--delete 'ok' --delete 'n is null' --columns id,ok,n
--derive 'z = 1' --set 'z = 2 where ok' --columns id,z
--derive 'id2 = id' --sort -id2 --head 4 --columns id2

# Groups.
--group-by city
--group-by city --aggregate 'n = count()' --sort -n,city
--group-by city --aggregate 'c = count(), a = sum(n)' --having 'c > 2 and a > 0 or city is empty' --sort -c,city
--group-by order --aggregate 'rows = count(), a = sum(n), b = min(n), c = max(n)' --sort order
--filter 'city is not empty' --group-by 'city,ok' --aggregate 'rows = count(), known = count(n), d = distinct(n)' --sort 'city,ok'
--group-by order --aggregate 'a = sum(price), b = min(price), c = max(price)' --sort order
--group-by order --aggregate 'a = sum(w), b = min(w), c = max(w)' --sort order
--group-by order --aggregate 'a = mean(n), b = mean(w), c = mean(price)' --sort order
--group-by order --aggregate 'a = median(n), b = stddev(w), c = percentile(w, 0.9)' --sort order
--group-by order --aggregate 'a = all(ok), b = any(ok), c = all(n > -30), d = any(n > 30)' --sort order
--group-by order --aggregate 'a = min(day), b = max(day), c = min(at), d = max(at)' --sort order
--group-by order --aggregate 'a = min(name), b = max(city)' --sort order
--group-by 'year(day)' --aggregate 'rows = count()' --sort year_day
--group-by '(n > 0)' --aggregate 'rows = count()'
--group-by 'two words' --aggregate 'a = sum(n), b = sum(w)'
--group-by day --aggregate 'rows = count()' --sort -rows,day --head 5
--group-by ok --aggregate 'a = sum(n * 2), b = sum(n) + count(), c = max(n) - min(n)'
--group-by city --aggregate 'rows = count(), total = sum(price)' --having 'rows > 25' --sort -total,city
--group-by city --aggregate 'rows = count(), double = rows * 2' --having 'double > 50 and city is not null' --sort city
--group-by order --aggregate 'a = join_agg(city, "; ")' --sort order
--group-by strange --aggregate 'rows = count()' --sort strange
--group-by name --aggregate 'rows = count(), first = min(id)' --sort first
--group-by n --aggregate 'rows = count()' --sort n
--group-by price --aggregate 'rows = count()' --filter 'price < 0' --sort price
--filter 'n > 100' --group-by city --aggregate 'rows = count()'
--filter 'n > 0' --derive 'half = n // 2' --group-by half --aggregate 'rows = count(), s = sum(w)' --sort half
--set 'city = lower(order)' --group-by city --aggregate 'rows = count()' --sort city
--group-by order --aggregate 'rows = count()' --columns 'rows,order' --sort order
--aggregate 'count()'
--aggregate 'rows = count(), a = sum(n), b = sum(price), c = min(name), d = max(day), e = distinct(city)'
--filter 'n > 100' --aggregate 'rows = count(), a = sum(n), b = min(n), c = mean(w), d = max(day), e = distinct(city)'
--filter 'n > 100' --aggregate 'a = all(ok), b = any(ok), c = median(n)'
--aggregate 'a = sum(big)'
--filter 'big > 0' --aggregate 'a = sum(big), b = max(big), c = min(big)'
--aggregate 'a = stddev(n), b = median(price), c = percentile(n, 0.25), d = mean(big)'
--aggregate 'a = sum(n / 4), b = count(n > 0), c = sum(n > 0 ? 1 : 0)'
--aggregate 'a = sum(w) / count(w), b = mean(w)'

# Mixtures, and steps that are done here on the answer.
--filter 'n > 0' --derive 'total = n * price' --columns id,total --sort -total,id --head 10
--filter 'ok and n > 0 and city is not empty' --group-by city --aggregate 'n = count(), t = sum(price)' --sort -t,city --head 3
--delete 'city is null' --set 'n = abs(n)' --derive 'k = n % 5' --filter 'k > 1' --group-by k --aggregate 'rows = count(), m = max(w)' --sort k
@done-here --filter 'n > 15' --sort id --tail 3
@done-here --filter 'n > 0' --sort id --head 20 --move '2 to top'
@done-here --filter 'n > 0' --group-by city --aggregate 'n = count()' --sort -n,city --compute 'r = rank(n)'
@done-here --group-by order --pivot ok --order 'ok=true,false' --aggregate 'n = count()' --sort order
@done-here --filter 'n > 5' --unpivot 'n,w to what,value' --columns id,what,value --sort id,what
@done-here --sort id --filter 'n > 0' --sample 5
@done-here --filter 'n > 0' --summary --columns column,rows,missing,distinct,min,max
@done-here --section-by order --sort order,id --columns id,order,n
@done-here --section-by city --filter 'n > 10' --sort city,id --columns id,city
@done-here --aggregate 'n = count()' --compute 'm = n * 2'
@done-here --filter 'n > 0' --sort id --select 1..3 --columns id,n

# What has no form in SQL.
@refused --derive 'a = width(name)'
@refused --filter 'levenshtein(name, "foo") < 3'
@refused --derive 'a = truncate(name, 3)'
@refused --sort 'name:natural,id'
@refused --sort 'code:version,id'
@refused --derive 'a = row_number()'
@refused --filter '$0 =~ /foo/'
@refused --delete 1..3
@refused --group-by order --aggregate 'a = first(n)'
@refused --derive 'a = split(name, ",")'
"""

MARKS = {"@count", "@done-here", "@refused"}


class Question:
    """A question: its options, its marks and a name that says where it comes from."""

    def __init__(self, name, words, marks=()):
        self.name, self.words, self.marks = name, words, set(marks)

    @property
    def text(self):
        return shlex.join(self.words)

    def values(self, *names):
        """The values of some options, in order."""
        return [value for name, value in zip(self.words, self.words[1:]) if name in names]

    def assignments(self):
        """The columns that the question makes, each with the text of its expression."""
        pairs = []
        for text in self.values("--derive", "--set", "--aggregate", "--compute"):
            parts = re.split(r"(?:^|[,;]\s*)(`[^`]+`|\w+)\s*=(?![=~])", text)
            pairs += [(name.strip("`"), expression) for name, expression in zip(parts[1::2], parts[2::2])]
        return pairs


def written():
    """The written questions."""
    found = []
    for number, line in enumerate(WRITTEN.splitlines(), 1):
        words = shlex.split(line, comments=False) if line and not line.startswith("# ") else []
        marks = [word for word in words if word in MARKS]
        if words:
            found.append(Question(f"written {number}", words[len(marks):], marks))
    return found


# ---------------------------------------------------------------------------------------------------- random

NUMBERS = {"n": (-20, 20), "two words": (0, 5), "w": (-1000, 1000), "größe": (0, 10), "price": (-1000, 10000), "big": (-5, 5)}
TEXTS = ["name", "city", "order", "strange", "code"]
KEYS = ["city", "order", "ok", "two words", "n", "day", "strange"]
SAMPLES = ["", "Köln", "a", "foo", "it's", 'say "x"', "a\\nb", "line\nbreak", "%", "o", "低", "low", "10", "007", "$1", "-- x", "'; --"]


class Generator:
    """Makes questions; expressions have the type that was asked for, and stay within numbers that are exact."""

    def __init__(self, seed, number):
        self.chance = random.Random(f"{seed} question {number}")
        self.columns = {name: "number" for name in NUMBERS} | {name: "text" for name in TEXTS}
        self.columns |= {"id": "number", "ok": "bool", "day": "date", "at": "datetime"}

    def named(self, kind):
        """A column of a kind."""
        return column(self.chance.choice([name for name, one in self.columns.items() if one == kind and name != "big"]))

    def number(self, depth=2):
        """An expression of a number; the products of at most two factors stay exact in a double."""
        pick = self.chance.randrange(13) if depth else self.chance.randrange(5)
        if pick < 3:
            return self.named("number")
        if pick < 5:
            return self.chance.choice(["0", "1", "2", "7", "0.5", "10", "12.25", "100"])
        left, right = self.number(depth - 1), self.number(depth - 1)
        return [f"({left} + {right})", f"({left} - {right})", f"{self.named('number')} * {self.chance.randint(2, 9)}",
                f"(n // {self.chance.randint(2, 7)})", f"(n % {self.chance.randint(2, 7)})", f"abs({left})",
                f"coalesce({left}, {right})", f"({self.truth(depth - 1)} ? {left} : {right})",
                f"(n / {self.chance.choice([2, 4, 8, 3])})"][self.chance.randrange(9)]

    def text(self, depth=1):
        """An expression of a text."""
        pick = self.chance.randrange(10) if depth else 0
        if pick < 4:
            return self.named("text")
        inner = self.text(depth - 1)
        return [f"lower({self.chance.choice(['order', 'city'])})", f"upper({self.chance.choice(['order', 'name'])})",
                f"trim({inner})", f"({inner} ++ {self.literal()})", f"coalesce({inner}, {self.literal()})",
                f"replace({inner}, {self.literal(False)}, {self.literal()})"][pick - 4]

    def literal(self, canBeEmpty=True):
        """A literal of a text, in either quotes."""
        text = self.chance.choice(SAMPLES if canBeEmpty else SAMPLES[1:])
        if "\n" not in text and self.chance.random() < 0.5:
            return "'" + text.replace("'", "''") + "'"
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'

    def truth(self, depth=2):
        """An expression that is true, false or null."""
        if depth and self.chance.random() < 0.4:
            left, right = self.truth(depth - 1), self.truth(depth - 1)
            return self.chance.choice([f"({left} and {right})", f"({left} or {right})", f"not ({left})"])
        compare = self.chance.choice(["=", "<>", "<", "<=", ">", ">="])
        low = self.chance.randint(-20, 10)
        pattern = self.chance.choice(["'a%'", "'%o%'", "'_'", "'%ö%'", "'f_o%'", "'%'", "'Foo'"])
        return self.chance.choice([
            f"{self.number(1)} {compare} {self.number(0)}",
            f"{self.named('number')} {compare} {low}",
            f"big {compare} {self.chance.choice(['0', '9007199254740993', '9223372036854775806', '-1'])}",
            f"{self.named('text')} {compare} {self.literal(False)}",
            f"{self.named('text')} {self.chance.choice(['like', 'not like'])} {pattern}",
            f"{self.named('text')} {self.chance.choice(['is empty', 'is not empty', 'is null', 'is not null'])}",
            f"{self.named('number')} is {self.chance.choice(['null', 'not null'])}",
            f"n {self.chance.choice(['in', 'not in'])} ({low}, {low + 3}, {low + 9})",
            f"city {self.chance.choice(['in', 'not in'])} ('Köln', 'a,b', 'Oslo')",
            f"n between {low} and {low + 12}",
            f"day {compare} date \"{self.chance.choice(['2024-02-29', '2000-01-01', '2012-06-15'])}\"",
            f"at {compare} datetime \"{self.chance.choice(['2024-01-01T00:00:00', '2003-05-06T07:08:09'])}\"",
            "ok", "ok is not true", "ok is null",
            f"n is distinct from `two words`",
        ])

    def aggregate(self):
        """An aggregate and whether it is exact enough to sort by."""
        return self.chance.choice(["count()", "count(n)", "sum(n)", "min(n)", "max(n)", "sum(w)", "min(w)", "max(price)",
                                   "sum(price)", "distinct(city)", "distinct(n)", "min(day)", "max(day)", "mean(n)", "mean(w)",
                                   "min(id)", "count(day)", f"sum({self.number(1)})", f"max({self.number(1)})"])

    def words(self):
        """The options of a question."""
        words = []
        derived = []
        if self.chance.random() < 0.25:
            name = self.chance.choice(["n", "two words"])
            condition = f" where {self.truth(1)}" if self.chance.random() < 0.5 else ""
            words += ["--set", f"{column(name)} = {self.chance.choice(['n + 1', '0', 'abs(n)', 'coalesce(n, 7)'])}{condition}"]
        for name in ["a", "b"][:self.chance.choice([0, 0, 1, 1, 2])]:
            kind = self.chance.choice(["number", "number", "text", "bool"])
            made = {"number": self.number, "text": self.text, "bool": self.truth}[kind]()
            words += ["--derive", f"{name} = {made}"]
            self.columns[name] = kind
            derived.append(name)
        for _ in range(self.chance.choice([0, 1, 1, 1, 2])):
            words += [self.chance.choice(["--filter", "--filter", "--filter", "--delete"]), self.truth()]
        if self.chance.random() < 0.4:
            return words + self.grouped(derived)
        sort = self.sort()
        if sort:
            words += ["--sort", sort]
            if self.chance.random() < 0.4:
                words += ["--head", str(self.chance.choice([1, 5, 20, 1000]))]
            if self.chance.random() < 0.2:
                words += ["--skip", str(self.chance.choice([1, 10, 290]))]
        if self.chance.random() < 0.7:
            shown = self.chance.sample([name for name in self.columns if name != "id"], self.chance.randint(1, 4))
            words += ["--columns", ",".join(map(key, ["id", *shown, *[name for name in derived if name not in shown]]))]
        return words

    def sort(self):
        """A sort key that leaves no ties; empty for none."""
        if self.chance.random() < 0.4:
            return ""
        names = self.chance.sample([name for name in self.columns if name not in ("id", "a", "b", "code")],
                                   self.chance.choice([0, 1, 1, 2]))
        return ",".join([self.chance.choice(["", "-"]) + key(name) for name in names] + [self.chance.choice(["id", "-id"])])

    def grouped(self, derived):
        """The options of groups."""
        keys = self.chance.sample(KEYS, self.chance.choice([0, 1, 1, 1, 2]))
        made = [f"x{number} = {self.aggregate()}" for number in range(self.chance.randint(1, 3))]
        words = ["--group-by", ",".join(map(key, keys))] if keys else []
        words += ["--aggregate", ", ".join(made)]
        if keys and self.chance.random() < 0.25:
            words[-1] += ", rows = count()"
            words += ["--having", f"rows > {self.chance.choice([1, 5, 25])}"]
        if keys and self.chance.random() < 0.5:
            words += ["--sort", ",".join(self.chance.choice(["", "-"]) + key(name) for name in keys)]
            # An empty text is ordered like a null: groups of both would tie.
            for name in keys:
                words = ["--filter", f"{column(name)} is not empty", *words]
        return words


def column(name):
    """A column in an expression."""
    return name if name.isalnum() else f"`{name}`"


def key(name):
    """A column in a list of columns or a sort key."""
    return name


def random_ones(seed, count):
    """Random questions, the same for a seed."""
    return [Question(f"random {number}", Generator(seed, number).words()) for number in range(count)]
