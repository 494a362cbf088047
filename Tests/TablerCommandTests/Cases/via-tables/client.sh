# The tables of a database.
cat >&2
printf '%s\n' table,rows fruit,4 orders,
