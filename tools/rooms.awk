# Checks the includes of the project against the table of tools/rooms.txt.
#
#   awk -f tools/rooms.awk tools/rooms.txt FILE.c FILE.h FILE.cu ...
#
# Prints FILE:LINE and the rule for each include that the table does not have, and each include of a
# file that is in no room; fails where there is one.

function room_of(path,   room) {
    room = path
    while (sub(/\/[^\/]*$/, "", room))
        if (room in rooms)
            return room
    return ""
}

FNR == NR {
    if ($0 ~ /^#/ || NF == 0)
        next
    rooms[$1]
    rule[$1] = NF > 1 ? substr($0, index($0, $2)) : "nothing else"
    for (i = 2; i <= NF; i++)
        may[$1, $i]
    next
}

/^[ \t]*#[ \t]*include[ \t]*"/ && !/"runtime\/vdnn\.h"/ {
    split($0, quoted, "\"")
    from = room_of(FILENAME)
    to = room_of(quoted[2])
    if (to == "")
        to = "a folder that is no room"
    if (from == to || (from, to) in may || (from, "*") in may)
        next
    printf "%s:%d: includes %s of %s; %s may include: %s (tools/rooms.txt)\n", FILENAME, FNR, quoted[2], to, from, rule[from]
    bad = 1
}

END { exit bad }
