# Stands for sqlite3: tells the columns of a table, or shows the query and writes what the file `answer` holds.
query=$(cat)
case $query in
*pragma_table_*info*) printf '%s\n' name,type id,INTEGER name,TEXT weight,REAL color,TEXT ;;
*)
  echo "$query" >&2
  [ ! -e answer ] || cat answer
  ;;
esac
