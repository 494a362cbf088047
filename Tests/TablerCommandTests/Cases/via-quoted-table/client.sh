# A table whose name has a dot.
cat >&2
printf '%s\n' name,type id,INTEGER
