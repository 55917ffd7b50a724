# Writes a man page from one of the project's pages in Markdown: headings, paragraphs, lists, tables, examples,
# `code`, **strong words**, *emphasis*, [links](to). Pictures are left out.
#
#     awk -v name=vdnn-model -v section=5 -v what='networks of vdnn' -v version=1.0.0 -f page.awk README.md

function plain(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text ~ /^[.']/ ? "\\&" text : text
}

# One form of emphasis: what lies between two marks, which stand for themselves where they are alone.
function emphasize(text, mark, font,    out, from, to) {
    out = ""
    while ((from = index(text, mark)) > 0 && (to = index(substr(text, from + length(mark)), mark)) > 1) {
        out = out substr(text, 1, from - 1) "\\f" font substr(text, from + length(mark), to - 1) "\\fR"
        text = substr(text, from + 2 * length(mark) + to - 1)
    }
    return out text
}

function words(text) {
    gsub(/!\[[^][]*\]\([^()]*\)/, "", text)
    while (match(text, /\[[^][]*\]\([^()]*\)/)) {
        link = substr(text, RSTART, RLENGTH)
        sub(/^\[/, "", link)
        sub(/\]\(.*$/, "", link)
        text = substr(text, 1, RSTART - 1) link substr(text, RSTART + RLENGTH)
    }
    return emphasize(emphasize(emphasize(plain(text), "`", "B"), "**", "B"), "*", "I")
}

# A row becomes an item of a list: pages are narrower than tables. Its first cell is the term; the others follow it,
# each after the head of its column.
function put_row(line,    cells, count, i) {
    gsub(/^\| *| *\|$/, "", line)
    count = split(line, cells, / *\| */)
    if (!in_table) {
        for (i = 1; i <= count; i++)
            heads[i] = cells[i]
        return
    }
    print ".TP\n.B " words(cells[1])
    for (i = 2; i <= count; i++)
        if (cells[i] != "")
            print words(heads[i] (heads[i] == "" ? "" : ": ") cells[i] (i < count ? ";" : ""))
}

BEGIN {
    printf ".TH %s %s \"\" \"vdnn %s\" \"vdnn\"\n", toupper(name), section, version
    printf ".SH NAME\n%s \\- %s\n", name, plain(what)
    print ".SH DESCRIPTION"
}

in_code && /^```/ { print ".fi\n.RE"; in_code = 0; next }
in_code           { print plain($0) == "" ? ".sp" : plain($0); next }
!/^\|/            { in_table = 0 }
/^```/            { print ".PP\n.RS 2\n.nf"; in_code = 1; next }
/^# / || /^ *<.*>$/ { next }
/^#+ /            { sub(/^#+ /, ""); print ".SH " toupper(words($0)); next }
/^\|[-| :]+$/     { next }
/^\|/             { put_row($0); in_table = 1; next }
/^ *[-*] /        { sub(/^ *[-*] /, ""); print ".IP \\(bu 2"; print words($0); next }
/^ *$/            { print ".PP"; next }
                  { sub(/^ +/, ""); print words($0) }

END {
    print ".SH SEE ALSO\n.BR vdnnrun (1),\n.BR vdnnreport (1),\n.BR vdnnscale (1),\n.BR vdnn (3),\n.BR vdnn (7),"
    print ".BR vdnn\\-model (5),\n.BR vdnn\\-device (5),\n.BR vdnn\\-json (5)"
}
