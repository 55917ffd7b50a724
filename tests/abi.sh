#!/bin/sh
# Prints the interface as programs see it once they are compiled: the declarations of runtime/vdnn.h with the size of
# each struct, where its members are, and the values of enumerators. Itself C, so that tools can compare it.
#
#   tests/abi.sh FOLDER >tests/libvdnn.abi      of FOLDER/runtime/vdnn.h; for the sources FOLDER is .
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A program that prints it.
# shellcheck disable=SC2016 # the $ are awk's
program='
    function show(text, values) {
        printf "    printf(\"%s\\n\"%s);\n", text, values
    }

    # Names end at commas: "VDNN_OK = 0, VDNN_USAGE = 4".
    function show_enumerators(body,    names, count, i) {
        count = split(body, names, ",")
        for (i = 1; i <= count; i++) {
            gsub(/ |=.*/, "", names[i])
            if (names[i] != "")
                show("    " names[i] " = %d,", ", " names[i])
        }
    }

    # "const char *layer, *name", "int64_t dims[4]" and "void (*log)(void *context, const char *text)".
    function show_members(type, body,    members, declarators, names, count, offsets, marks, i, j) {
        count = split(body, members, / ?; ?/)
        for (i = 1; i < count; i++) {
            offsets = marks = ""
            declarators = members[i]
            sub(/\)\(.*/, "", declarators)
            for (j = split(declarators, names, ","); j > 0; j--) {
                sub(/\[.*/, "", names[j])
                sub(/.*[ *]/, "", names[j])
                offsets = ", offsetof(" type ", " names[j] ")" offsets
                marks = " %zu" marks
            }
            show("    " members[i] "; /*" marks " */", offsets)
        }
    }

    function show_type(declaration,    head, body, tail, type) {
        head = body = tail = declaration
        sub(/\{.*/, "{", head)
        gsub(/.*\{ ?|\}.*/, "", body)
        sub(/.*\}/, "}", tail)
        show(head)
        if (head ~ /enum/) {
            show_enumerators(body)
            show(tail)
        } else {
            type = tail
            gsub(/[} ;]/, "", type)
            show_members(type, body)
            show(tail " /* %zu */", ", sizeof(" type ")")
        }
    }

    /^# [0-9]/ { is_ours = /vdnn\.h"/; next }
    is_ours    { text = text " " $0 }

    END {
        gsub(/__attribute__ ?\(\(visibility\("default"\)\)\)| __attribute__ ?\(\(format[^;]*/, "", text)
        gsub(/_Bool/, "bool", text)
        gsub(/[ \t]+/, " ", text)
        print "#include \"runtime/vdnn.h\"\n#include <stdio.h>\n\nint main(void)\n{"
        show("/* Written by tests/abi.sh: next to members where they are, next to structs their sizes. */")
        show("#include <stdbool.h>\\n#include <stddef.h>\\n#include <stdint.h>\\n")
        while (match(text, /^ ?(typedef )?(struct|enum)[^;{]*\{[^}]*\}[^;]*;/) || match(text, /^[^;]*;/)) {
            declaration = substr(text, RSTART + 1, RLENGTH - 1)
            text = substr(text, RSTART + RLENGTH)
            if (declaration ~ /\{/)
                show_type(declaration)
            else
                show(declaration)
        }
        print "    return 0;\n}"
    }'

compiler=${CC:-gcc}
$compiler -E -I"$1" "$1/runtime/vdnn.h" | awk "$program" >"$folder/abi.c"
$compiler -I"$1" "$folder/abi.c" -o "$folder/abi"
"$folder/abi"
