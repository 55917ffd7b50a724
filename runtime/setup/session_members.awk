# Lists the members of a session's options and of its topics, one a line, from runtime/vdnn.h after the preprocessor:
# MEMBER(topic, where the session's options have its address, name), TOPIC(topic) for such an address, and LAST(topic, name) for the last member of a struct.
# The session's come first. A study's options, vdnn_scale_options, are no topic: only their last member is listed.

function add(row) {
    if (topic == "session")
        first = first row "\n"
    else
        rest = rest row "\n"
}

/^typedef struct vdnn_[a-z]+_options *{/ {
    topic = $3
    gsub(/^vdnn_|_options.*/, "", topic)
    address = topic == "session" ? "0" : "offsetof(vdnn_session_options, " topic ")"
    next
}

/^}/ {
    if (topic != "")
        add("LAST(" topic ", " name ")")
    topic = ""
}

topic != "" && /;$/ && !/ size;$/ {
    sub(/;$/, "")
    for (i = 1; i <= split($0, names, ","); i++) {
        name = names[i]
        sub(/.*[ *]/, "", name)
        if (topic != "scale")
            add($0 ~ /_options \*/ ? "TOPIC(" name ")" : "MEMBER(" topic ", " address ", " name ")")
    }
}

END { printf "%s%s", first, rest }
