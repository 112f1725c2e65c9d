#!/bin/sh
# Has each real library read our files, in an environment of its own; see README.md.
set -eu
cache=${INTEROP_CACHE:-$HOME/.cache/proofmark/interop}
goldens=tests/proofing/exchange/goldens
mkdir -p "$cache"
for name in ${*:-datasets label-studio argilla ragas lettucedetect recipes}; do
    room="$cache/$name"
    lock="interop/requirements/$name.txt"
    if ! cmp -s "$lock" "$room/installed.txt"; then
        "${PYTHON:-python3}" -m venv --clear "$room"
        "$room/bin/pip" install --quiet -r "$lock"
        cp "$lock" "$room/installed.txt"
    fi
    if [ "$name" = recipes ]; then
        # The tools' own packages first, then ours and what ours need.
        .venv/bin/python -c 'import os, site; print(site.getsitepackages()[0], os.getcwd(), sep="\n")' \
            > "$("$room/bin/python" -c 'import site; print(site.getsitepackages()[0])')/zz-proofmark.pth"
        HF_HUB_OFFLINE=1 HAYSTACK_TELEMETRY_ENABLED=false "$room/bin/python" interop/readers/read_recipes.py
        continue
    fi
    ours="$goldens/$name/ours"
    theirs="$goldens/$name/theirs"
    rm -rf "$ours" "$theirs"
    mkdir -p "$ours" "$theirs"
    for format in $name $( [ "$name" = ragas ] && echo ragas-alignment ); do
        .venv/bin/python -m interop.files "$format" "$ours/$format"
    done
    HF_HUB_OFFLINE=1 HF_DATASETS_OFFLINE=1 "$room/bin/python" "interop/readers/read_$(echo "$name" | tr - _).py" "$ours" "$theirs"
done
