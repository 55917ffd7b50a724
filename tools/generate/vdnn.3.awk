# Writes the man page of the library from its header: comments as text, declarations as they are.
#
#     awk -v version=1.0.0 -f vdnn.3.awk runtime/vdnn.h > vdnn.3

function words(line) {
    gsub(/\\/, "\\e", line)
    gsub(/-/, "\\-", line)
    if (line ~ /^[.']/)
        line = "\\&" line
    return line
}

function code(on) {
    if (on && !in_code)
        print ".PP\n.nf"
    if (!on && in_code)
        print ".fi\n.PP"
    in_code = on
}

BEGIN {
    print ".TH VDNN 3 \"\" \"vdnn " version "\" \"Library Functions\""
    print ".SH NAME\nvdnn \\- trains deep networks inside a memory budget"
    print ".SH SYNOPSIS\n.B #include <vdnn/vdnn.h>\n.PP\ncc ... $(pkg\\-config \\-\\-cflags \\-\\-libs vdnn)"
    print ".SH DESCRIPTION"
}

/^\/\* ---- / {
    code(0)
    sub(/^\/\* ---- /, "")
    sub(/ -*.?\*\/$/, "")
    print ".SH " toupper($0)
    next
}
/^#(if|endif|else|include|undef VDNN_|define VDNN_(API|FORMAT|RUNTIME))/ || /^extern "C"/ { next }
/^\/\*/ && !in_comment { code(0); in_comment = 1; sub(/^\/\* ?/, "") }
in_comment {
    ends = /\*\/$/
    sub(/ ?\*\/$/, "")
    sub(/^ \* ?/, "")
    example = /^    /
    code(example)
    print words($0)
    if (ends) {
        code(0)
        in_comment = 0
    }
    next
}
{
    sub(/VDNN_API /, "")
    code(1)
    print words($0)
}
END { code(0) }
