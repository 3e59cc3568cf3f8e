# Rows about the instructions of a request, which are the same however busy the machine is.

measure_instructions() {
    local counts kind name most count
    say "instructions"
    counts=$(python3 "$here/instructions.py" "$cumulus" --json)
    while IFS='|' read -r kind name most; do
        count=$(jq ".$kind" <<<"$counts")
        row "instructions of $name" "$count" "" "≤ $most" "$(met "$count" '<=' "$most")"
    done <<<'health|/health|45000
lookup|a lookup|120000
query|a query of one|150000
create|a create|420000
wakeUp|a wake-up|90000'
}
