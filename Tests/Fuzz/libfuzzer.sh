#!/bin/bash
# Looks for traps, hangs and false answers in lexer, parser, binder, evaluator, templates, patterns and dates with
# libFuzzer, which looks for inputs that reach new code.
#
#   Tests/Fuzz/libfuzzer.sh [SECONDS [FOLDER]]
#
# FOLDER (.build/libfuzzer) keeps the program, the inputs that reached something, and what was found: crash-…, timeout-…,
# oom-…. `FOLDER/fuzzer FILE` runs one again.

cd "$(dirname "$0")/../.." || exit 1
seconds=${1:-60}
folder=${2:-.build/libfuzzer}
mkdir -p "$folder/inputs" "$folder/seeds" "$folder/found" || exit 1

mapfile -t sources < <(find Sources/TablerEngine Sources/TablerCommand -name '*.swift')
resources=(Sources/TablerEngine/Paint/page.{js,css})
sources+=(Tests/TablerEngineTests/ExpressionTable.swift Tests/Fuzz/ExpressionFuzzer/ExpressionFuzzer.swift)
if [[ ! -x $folder/fuzzer || -n $(find "${sources[@]}" "${resources[@]}" -newer "$folder/fuzzer") ]]; then
  # What the package manager makes of resources.
  {
    echo 'struct PackageResources {'
    for file in "${resources[@]}"; do
      echo "static let page_${file##*.}: [UInt8] = [$(od -An -v -tu1 "$file" | tr -s ' \n' ',' | sed 's/^,//; s/,$//')]"
    done
    echo '}'
  } >"$folder/resources.swift"
  # One module, so that the harness sees all of it: the imports of the engine then mean nothing, which is warned of.
  swiftc -sanitize=fuzzer,address -parse-as-library -O -wmo -num-threads 2 -gline-tables-only -use-ld=lld -suppress-warnings \
    -swift-version 6 -enable-experimental-feature Lifetimes -Xfrontend -disable-implicit-string-processing-module-import \
    -module-name TablerEngine "${sources[@]}" "$folder/resources.swift" -o "$folder/fuzzer" || exit 1
fi

FUZZER_DICTIONARY=$folder/words "$folder/fuzzer" >/dev/null && FUZZER_SEEDS=$folder/seeds "$folder/fuzzer" >/dev/null || exit 1
# Leaks are not looked for: Swift keeps marks in the pointers of indirect cases, which are then no pointers to the
# sanitizer. What goes to the standard output are tables.
export ASAN_OPTIONS=detect_leaks=0
exec "$folder/fuzzer" -dict="$folder/words" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=1024 \
  -artifact_prefix="$folder/found/" -print_final_stats=1 "$folder/inputs" "$folder/seeds" >/dev/null
