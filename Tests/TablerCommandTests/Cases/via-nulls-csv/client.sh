# Stands for sqlite3: says which columns there are, or shows the query and answers.
query=$(cat)
case $query in
*pragma_table_*info*)
  printf '%s\n' name,type id,INTEGER name,TEXT weight,REAL color,TEXT
  ;;
*)
  echo "$query" >&2
  printf '%s\n' id,name,weight,color '1,,,""'
    ;;
esac
