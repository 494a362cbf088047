# fish completions for tabler. Printed by 'tabler --generate fish'; do not edit.

# The option whose value is being typed, where it begins with a dash of its own: fish takes it for an option.
function __tabler_signed
    string match -qr -- '^-([^-]|$)' (commandline -ct)
    or return
    switch (commandline -opc | string replace -r -- '^-[a-zA-Z]*([a-zA-Z])$' '-$1')[-1]
        case --align
            echo alignments
        case --id --diff-ignore --tolerance --unpivot --group-by --pivot --order -c --columns --hide --row-names --span --merge-repeats --editable
            echo columns
        case --add --derive --set --can-edit -f --filter --delete --can-delete --validate --same --select --aggregate --having --can-move --compute --section-by --row-background --row-overlay --cell
            echo expression
        case -s --sort --sorted-by
            echo keys
        case --format --footer
            echo templates
        case --types
            echo types
        case '*'
            return 1
    end
end

# Names of columns, in lists and with signs.
function __tabler_ask
    set -l words (commandline -opc)
    # A quote that is not closed yet cannot be unescaped.
    set -l token (commandline -ct)
    set -l plain (string unescape -- "$token")
    or set plain (string replace -r -- '^(--[^=]*=|-[a-zA-Z])?["\']' '$1' "$token")
    set token "$plain"
    set -l before ''
    if __tabler_signed >/dev/null
        # The dash belongs to the value.
    else if string match -qr -- '^--[^=]*=' "$token"
        set before (string replace -r -- '=.*' '=' "$token")
    else if string match -qr -- '^-[a-zA-Z]' "$token"
        set before (string sub -l 2 -- "$token")
    end
    set -l value (string sub -s (math 1 + (string length -- "$before")) -- "$token")
    # A tab keeps the description of the option away from each value.
    command $words[1] --complete $argv[1] "$value" -- (commandline -op | string replace -r '^~/' "$HOME/" | string unescape) 2>/dev/null | string replace -r '$' \t
end

complete -c tabler -n __tabler_signed -x -a '(__tabler_ask (__tabler_signed))'
complete -c tabler -n 'not __tabler_signed' -l from -x -a 'auto\\t csv\\t tsv\\t words\\t blanks\\t table\\t jsonl\\t json\\t' -d 'input format'
complete -c tabler -n 'not __tabler_signed' -s d -l delimiter -x -d 'field delimiter; implies --from csv'
complete -c tabler -n 'not __tabler_signed' -l quote -x -a 'none\\t' -d 'quote character'
complete -c tabler -n 'not __tabler_signed' -l escape -x -a 'none\\t' -d 'escape character'
complete -c tabler -n 'not __tabler_signed' -l lazy-quotes -d 'accept text after a closing quote'
complete -c tabler -n 'not __tabler_signed' -l comment -x -a 'none\\t' -d 'skip lines that begin with CHAR'
complete -c tabler -n 'not __tabler_signed' -l skip-lines -x -d 'skip the first N lines, before the header'
complete -c tabler -n 'not __tabler_signed' -s H -l no-header-in -d 'the input has no header'
complete -c tabler -n 'not __tabler_signed' -l names -x -d 'column names to use instead of the header'
complete -c tabler -n 'not __tabler_signed' -l auto-names -x -d 'template for names of columns that have none'
complete -c tabler -n 'not __tabler_signed' -l header-lines -x -d 'the first N records are the header'
complete -c tabler -n 'not __tabler_signed' -l max-fields -x -d 'the last of N fields takes the rest of the line'
complete -c tabler -n 'not __tabler_signed' -l footer-lines -x -d 'the last N records are the footer of the table'
complete -c tabler -n 'not __tabler_signed' -l trim -d 'remove spaces around cells and titles'
complete -c tabler -n 'not __tabler_signed' -l at -x -d 'read the rows from the JSON array at PATH'
complete -c tabler -n 'not __tabler_signed' -l ragged -x -a 'error\\t fill\\t skip\\t' -d 'what to do with rows that are too short or too long'
complete -c tabler -n 'not __tabler_signed' -l null -x -d 'read cells and JSON strings equal to TEXT as null'
complete -c tabler -n 'not __tabler_signed' -l quoted-empty -x -a 'null\\t text\\t' -d 'what "" means in csv'
complete -c tabler -n 'not __tabler_signed' -l types -x -a '(__tabler_ask types)' -d 'types of columns, as in weight:number,zip:text'
complete -c tabler -n 'not __tabler_signed' -l on-error -x -a 'null\\t skip\\t stop\\t' -d 'what to do with cells that do not convert'
complete -c tabler -n 'not __tabler_signed' -l date-format -x -d 'how dates in cells are written, as in %d.%m.%Y'
complete -c tabler -n 'not __tabler_signed' -l decimal -x -d 'decimal mark in numbers'
complete -c tabler -n 'not __tabler_signed' -l thousands -x -d 'thousands mark in numbers'
complete -c tabler -n 'not __tabler_signed' -l encoding -x -a 'utf-8\\t latin1\\t utf-16\\t utf-16le\\t utf-16be\\t' -d 'input encoding'
complete -c tabler -n 'not __tabler_signed' -l lookup -r -F -d 'load FILE as a table to look things up in'
complete -c tabler -n 'not __tabler_signed' -l arg -x -d 'set $NAME in expressions and templates to TEXT'
complete -c tabler -n 'not __tabler_signed' -l apply -r -F -d 'replay a change list of --diff over the table'
complete -c tabler -n 'not __tabler_signed' -l reverse -d 'replay the list of --apply backwards, from new to old'
complete -c tabler -n 'not __tabler_signed' -l add -x -a '(__tabler_ask expression)' -d 'add a record at the end: \'id = 7, name = "Mango"\''
complete -c tabler -n 'not __tabler_signed' -l derive -x -a '(__tabler_ask expression)' -d 'add a column: \'kg = weight / 1000\''
complete -c tabler -n 'not __tabler_signed' -l set -x -a '(__tabler_ask expression)' -d 'change cells: \'weight = weight * 2 where color = "red"\''
complete -c tabler -n 'not __tabler_signed' -l can-edit -x -a '(__tabler_ask expression)' -d 'let --set change only the rows where EXPR is true'
complete -c tabler -n 'not __tabler_signed' -s f -l filter -x -a '(__tabler_ask expression)' -d 'keep the rows where EXPR is true; see EXPRESSIONS'
complete -c tabler -n 'not __tabler_signed' -l delete -x -a '(__tabler_ask expression)' -d 'drop rows: \'1,5..7,-1\', or those where an EXPR is true'
complete -c tabler -n 'not __tabler_signed' -l can-delete -x -a '(__tabler_ask expression)' -d 'let --delete drop only the rows where EXPR is true'
complete -c tabler -n 'not __tabler_signed' -l validate -x -a '(__tabler_ask expression)' -d 'check rows: \'weight: value > 0, "must be positive"\''
complete -c tabler -n 'not __tabler_signed' -l id -x -a '(__tabler_ask columns)' -d 'columns that identify a row: findings name it by them'
complete -c tabler -n 'not __tabler_signed' -l diff -r -F -d 'show what became of the table in a file'
complete -c tabler -n 'not __tabler_signed' -l context -x -a 'all\\t' -d 'unchanged rows shown around each change (--diff)'
complete -c tabler -n 'not __tabler_signed' -l diff-ignore -x -a '(__tabler_ask columns)' -d 'columns that --diff shows but does not compare'
complete -c tabler -n 'not __tabler_signed' -l same -x -a '(__tabler_ask expression)' -d 'cells are equal if EXPR is: \'name: lower(value)\''
complete -c tabler -n 'not __tabler_signed' -l tolerance -x -a '(__tabler_ask columns)' -d 'how far apart equal numbers may be: price=0.01,\'*=5%\''
complete -c tabler -n 'not __tabler_signed' -l moves -x -a 'auto\\t always\\t never\\t' -d 'whether --diff shows rows that were moved'
complete -c tabler -n 'not __tabler_signed' -l delta -d 'changed numbers say by how much: 12 → 15 (+25 %) (--diff)'
complete -c tabler -n 'not __tabler_signed' -l diff-stat -d 'count the changes of each column instead (--diff)'
complete -c tabler -n 'not __tabler_signed' -l changed-columns -d 'show only --id and columns that changed (--diff)'
complete -c tabler -n 'not __tabler_signed' -l invalid-only -d 'keep only the rows that are not valid (needs --validate)'
complete -c tabler -n 'not __tabler_signed' -l rejects -r -F -d 'file for rows that are not valid, or changes that do not fit'
complete -c tabler -n 'not __tabler_signed' -l select -x -a '(__tabler_ask expression)' -d 'mark rows: \'1,5..7,-1\', or those where an EXPR is true'
complete -c tabler -n 'not __tabler_signed' -l select-mode -x -a 'none\\t single\\t multi\\t' -d 'how many rows --select may mark'
complete -c tabler -n 'not __tabler_signed' -l unpivot -x -a '(__tabler_ask columns)' -d 'one row for each of COLS: \'q1,q2 to quarter, sales\''
complete -c tabler -n 'not __tabler_signed' -l group-by -x -a '(__tabler_ask columns)' -d 'one row for each distinct key, in order of appearance'
complete -c tabler -n 'not __tabler_signed' -l aggregate -x -a '(__tabler_ask expression)' -d 'columns of the groups: \'g = sum(weight), m = mean(weight)\''
complete -c tabler -n 'not __tabler_signed' -l pivot -x -a '(__tabler_ask columns)' -d 'a column for each value of COL, filled by --aggregate'
complete -c tabler -n 'not __tabler_signed' -l pivot-total -x -d 'with --pivot, add the aggregate over all values of COL'
complete -c tabler -n 'not __tabler_signed' -l having -x -a '(__tabler_ask expression)' -d 'keep the groups where EXPR is true: \'n > 10\''
complete -c tabler -n 'not __tabler_signed' -l summary -d 'one row for each column: type, missing, min, max, mean, top'
complete -c tabler -n 'not __tabler_signed' -l move -x -d 'move rows: \'5,6 to top\', \'(x = 1) to bottom\''
complete -c tabler -n 'not __tabler_signed' -l can-move -x -a '(__tabler_ask expression)' -d 'let --move move only the rows where EXPR is true'
complete -c tabler -n 'not __tabler_signed' -l compute -x -a '(__tabler_ask expression)' -d 'add a column over the rows in order: \'r = running(n)\''
complete -c tabler -n 'not __tabler_signed' -l sample -x -d 'keep N rows, chosen by chance, in their order'
complete -c tabler -n 'not __tabler_signed' -l seed -x -d 'choose other rows with --sample'
complete -c tabler -n 'not __tabler_signed' -l skip -x -d 'skip the first N rows'
complete -c tabler -n 'not __tabler_signed' -s n -l head -x -d 'show the first N rows; -N: all but the last N'
complete -c tabler -n 'not __tabler_signed' -l tail -x -d 'show the last N rows'
complete -c tabler -n 'not __tabler_signed' -l ends -x -d 'show the first and the last N rows'
complete -c tabler -n 'not __tabler_signed' -s s -l sort -x -a '(__tabler_ask keys)' -d 'sort by KEYS, as in -weight,name; see SORT KEYS'
complete -c tabler -n 'not __tabler_signed' -l sorted-by -x -a '(__tabler_ask keys)' -d 'check that rows are in this order; do not sort'
complete -c tabler -n 'not __tabler_signed' -l nulls -x -a 'first\\t last\\t' -d 'whether nulls come first or last in a sort'
complete -c tabler -n 'not __tabler_signed' -l order -x -a '(__tabler_ask columns)' -d 'order of the values of a column, as in size=S,M,L'
complete -c tabler -n 'not __tabler_signed' -l memory -x -d 'memory for rows; the rest goes to a temporary file'
complete -c tabler -n 'not __tabler_signed' -s c -l columns -x -a '(__tabler_ask columns)' -d 'columns to show, their order and their titles'
complete -c tabler -n 'not __tabler_signed' -l hide -x -a '(__tabler_ask columns)' -d 'columns to hide; other options can still use them'
complete -c tabler -n 'not __tabler_signed' -l flatten -d 'make columns of the members of JSON objects'
complete -c tabler -n 'not __tabler_signed' -l row-names -x -a '(__tabler_ask columns)' -d 'columns to show first, as row headers'
complete -c tabler -n 'not __tabler_signed' -l row-numbers -d 'number the rows'
complete -c tabler -n 'not __tabler_signed' -l align -x -a '(__tabler_ask alignments)' -d 'align columns, as in weight:trailing'
complete -c tabler -n 'not __tabler_signed' -l format -x -a '(__tabler_ask templates)' -d 'how to show cells, as in \'weight={:.1f} kg\''
complete -c tabler -n 'not __tabler_signed' -l missing -x -d 'text for null and missing cells'
complete -c tabler -n 'not __tabler_signed' -s l -l list -d 'columns with a rule under the header (the default)'
complete -c tabler -n 'not __tabler_signed' -s k -l stack -d 'rows between double rules'
complete -c tabler -n 'not __tabler_signed' -s g -l grid -d 'a frame around every cell'
complete -c tabler -n 'not __tabler_signed' -s x -l detail -d 'one card per record, one line per field'
complete -c tabler -n 'not __tabler_signed' -s w -l width -x -a 'auto\\t none\\t' -d 'maximum line width'
complete -c tabler -n 'not __tabler_signed' -l overflow -x -a 'fit\\t wrap\\t truncate\\t scroll\\t' -d 'what to do with cells that are too wide'
complete -c tabler -n 'not __tabler_signed' -l single-line -d 'one line per cell'
complete -c tabler -n 'not __tabler_signed' -l lookahead -x -a 'all\\t' -d 'how many rows to measure before drawing'
complete -c tabler -n 'not __tabler_signed' -l follow -d 'for live streams: show each row as it comes'
complete -c tabler -n 'not __tabler_signed' -l grid-items -x -d 'widths and alignments in order, as in 40,12..:c,10..30:r'
complete -c tabler -n 'not __tabler_signed' -l grid-alignment -x -a 'leading\\t center\\t trailing\\t' -d 'position of the table within --width'
complete -c tabler -n 'not __tabler_signed' -l grid-wrap -d 'continue records on further lines if columns do not fit'
complete -c tabler -n 'not __tabler_signed' -l fill -d 'make the table as wide as --width'
complete -c tabler -n 'not __tabler_signed' -l min-width -x -d 'minimum table width'
complete -c tabler -n 'not __tabler_signed' -l header-position -x -a 'inside\\t outside\\t' -d 'header and footer with the rows, or set apart'
complete -c tabler -n 'not __tabler_signed' -l border -x -a 'none\\t ascii\\t light\\t heavy\\t double\\t round\\t rules\\t dots\\t outline\\t' -d 'style of the frame and the rules'
complete -c tabler -n 'not __tabler_signed' -l separator -x -a 'none\\t line\\t' -d 'line or text between columns'
complete -c tabler -n 'not __tabler_signed' -l row-rules -d 'draw a rule between rows'
complete -c tabler -n 'not __tabler_signed' -l page -x -a 'auto\\t none\\t' -d 'repeat header and footer every N lines'
complete -c tabler -n 'not __tabler_signed' -l no-header -d 'leave out the header, in csv and tsv too'
complete -c tabler -n 'not __tabler_signed' -l footer -x -a 'titles\\t totals\\t (__tabler_ask templates)' -d 'titles, totals or a template per column, at the end'
complete -c tabler -n 'not __tabler_signed' -l header-height -x -d 'maximum number of lines of a title'
complete -c tabler -n 'not __tabler_signed' -l title -x -d 'heading above the table'
complete -c tabler -n 'not __tabler_signed' -l caption -x -d 'line directly above the table, below the heading'
complete -c tabler -n 'not __tabler_signed' -l section-by -x -a '(__tabler_ask expression)' -d 'begin a section wherever the value of EXPR changes'
complete -c tabler -n 'not __tabler_signed' -l section-header -x -a 'none\\t' -d 'text above the rows of a section'
complete -c tabler -n 'not __tabler_signed' -l section-footer -x -a 'titles\\t totals\\t none\\t' -d 'text below the rows of a section'
complete -c tabler -n 'not __tabler_signed' -l span -x -a '(__tabler_ask columns)' -d 'draw a title over several columns'
complete -c tabler -n 'not __tabler_signed' -l merge-repeats -x -a '(__tabler_ask columns)' -d 'draw equal cells below each other once'
complete -c tabler -n 'not __tabler_signed' -l title-of -x -d 'title of each card, as in \'{name}\''
complete -c tabler -n 'not __tabler_signed' -l preamble -r -F -d 'draw the records of FILE as a form above the table'
complete -c tabler -n 'not __tabler_signed' -l postamble -r -F -d 'draw the records of FILE as a form below the table'
complete -c tabler -n 'not __tabler_signed' -l blend -d 'draw the forms inside the frame of the table (text, HTML)'
complete -c tabler -n 'not __tabler_signed' -l table-padding -x -d 'space around the table'
complete -c tabler -n 'not __tabler_signed' -l row-padding -x -d 'space around each row (Stack, Detail)'
complete -c tabler -n 'not __tabler_signed' -l item-padding -x -d 'space around each cell (Grid)'
complete -c tabler -n 'not __tabler_signed' -l header-spacing -x -d 'space above and below the header'
complete -c tabler -n 'not __tabler_signed' -l footer-spacing -x -d 'space above and below the footer'
complete -c tabler -n 'not __tabler_signed' -l row-spacing -x -d 'space between rows'
complete -c tabler -n 'not __tabler_signed' -l column-spacing -x -d 'space between columns'
complete -c tabler -n 'not __tabler_signed' -l min-row-height -x -d 'minimum number of lines per row'
complete -c tabler -n 'not __tabler_signed' -l color -x -a 'auto\\t always\\t never\\t' -d 'when to use color'
complete -c tabler -n 'not __tabler_signed' -l sort-indicator-forward -x -d 'mark of columns in ascending order'
complete -c tabler -n 'not __tabler_signed' -l sort-indicator-reverse -x -d 'mark of columns in descending order'
complete -c tabler -n 'not __tabler_signed' -l sort-indicator-neutral -x -d 'mark of the other columns'
complete -c tabler -n 'not __tabler_signed' -l no-sort-indicators -d 'do not mark sorted columns'
complete -c tabler -n 'not __tabler_signed' -l sort-rank -d 'number the marks in the order of the sort keys'
complete -c tabler -n 'not __tabler_signed' -l invalid-indicator -x -d 'mark of cells and rows that are not valid'
complete -c tabler -n 'not __tabler_signed' -l valid-indicator -x -d 'mark after a cell that keeps its rules'
complete -c tabler -n 'not __tabler_signed' -l hover -d 'highlight the row or card under the pointer (HTML)'
complete -c tabler -n 'not __tabler_signed' -l header-style -x -d 'style of the header, as in \'bold fg=red\''
complete -c tabler -n 'not __tabler_signed' -l zebra -d 'shade every second row'
complete -c tabler -n 'not __tabler_signed' -l row-background -x -a '(__tabler_ask expression)' -d 'style of whole rows: \'weight > 100 -> bg=red\''
complete -c tabler -n 'not __tabler_signed' -l row-overlay -x -a '(__tabler_ask expression)' -d 'style on top of whole rows: \'weight > 100 -> box\''
complete -c tabler -n 'not __tabler_signed' -l cell -x -a '(__tabler_ask expression)' -d 'style of cells: \'name: fg={color}\''
complete -c tabler -n 'not __tabler_signed' -l selection-style -x -a 'marker\\t background\\t overlay\\t' -d 'how selected rows are drawn'
complete -c tabler -n 'not __tabler_signed' -l ascii -d 'draw with ASCII characters only'
complete -c tabler -n 'not __tabler_signed' -l ambiguous-width -x -a '1\\t 2\\t' -d 'width of East Asian ambiguous characters'
complete -c tabler -n 'not __tabler_signed' -s t -l to -x -a 'text\\t markdown\\t pandoc\\t html\\t csv\\t tsv\\t json\\t jsonl\\t' -d 'write text markdown pandoc html csv tsv json jsonl'
complete -c tabler -n 'not __tabler_signed' -l text -d 'the same as --to text'
complete -c tabler -n 'not __tabler_signed' -l markdown -d 'the same as --to markdown'
complete -c tabler -n 'not __tabler_signed' -l html -d 'the same as --to html'
complete -c tabler -n 'not __tabler_signed' -l csv -d 'the same as --to csv'
complete -c tabler -n 'not __tabler_signed' -l tsv -d 'the same as --to tsv'
complete -c tabler -n 'not __tabler_signed' -l json -d 'the same as --to json: one array'
complete -c tabler -n 'not __tabler_signed' -l jsonl -d 'the same as --to jsonl: one object per line'
complete -c tabler -n 'not __tabler_signed' -s o -l output -r -F -d 'write FILE whole or not at all; format by suffix'
complete -c tabler -n 'not __tabler_signed' -s i -l in-place -d 'write back to the named file, in its own form'
complete -c tabler -n 'not __tabler_signed' -l markdown-raw -d 'cells are Markdown: do not escape them'
complete -c tabler -n 'not __tabler_signed' -l fragment -d 'only the table, not a whole HTML document'
complete -c tabler -n 'not __tabler_signed' -l html-style -x -a 'embed\\t inline\\t none\\t' -d 'where the HTML style goes'
complete -c tabler -n 'not __tabler_signed' -l interactive -d 'a page that sorts, filters, selects and copies (HTML)'
complete -c tabler -n 'not __tabler_signed' -l editable -x -a '(__tabler_ask columns)' -d 'columns whose cells the page lets people change'
complete -c tabler -n 'not __tabler_signed' -l lang -x -d 'language of the HTML document, as in pt-BR'
complete -c tabler -n 'not __tabler_signed' -l output-delimiter -x -d 'delimiter of csv output'
complete -c tabler -n 'not __tabler_signed' -l formula-guard -d 'put \' before cells that look like formulas (csv, tsv)'
complete -c tabler -n 'not __tabler_signed' -l raw-control -d 'write control characters of the data as they are'
complete -c tabler -n 'not __tabler_signed' -l paging -x -a 'auto\\t always\\t never\\t' -d 'show long tables in a pager'
complete -c tabler -n 'not __tabler_signed' -s P -l no-pager -d 'the same as --paging never'
complete -c tabler -n 'not __tabler_signed' -l explain -x -a 'plan\\t duckdb\\t sqlite\\t postgres\\t clickhouse\\t spark\\t trino\\t ansi\\t portable\\t' -d 'print the plan of the run or, by dialect, its SQL query'
complete -c tabler -n 'not __tabler_signed' -l via -x -d 'ask the engine that COMMAND reaches, as in \'psql -d shop\''
complete -c tabler -n 'not __tabler_signed' -l dialect -x -a 'duckdb\\t sqlite\\t postgres\\t clickhouse\\t spark\\t' -d 'SQL dialect of the client of --via'
complete -c tabler -n 'not __tabler_signed' -l table -x -d 'table to query by --via or --explain'
complete -c tabler -n 'not __tabler_signed' -l tables -d 'list all tables of the database of --via'
complete -c tabler -n 'not __tabler_signed' -s e -l exit-status -d 'exit with status 1 if there are no rows'
complete -c tabler -n 'not __tabler_signed' -l progress -x -a 'auto\\t always\\t never\\t' -d 'show how far a long run has come'
complete -c tabler -n 'not __tabler_signed' -s q -l quiet -d 'no warnings, notes and findings'
complete -c tabler -n 'not __tabler_signed' -l config -r -F -d 'read the options in FILE first'
complete -c tabler -n 'not __tabler_signed' -l no-config -d 'read no file of options'
complete -c tabler -n 'not __tabler_signed' -s h -l help -d '-h for a short help, --help for all options'
complete -c tabler -n 'not __tabler_signed' -s V -l version -d 'print the version'
