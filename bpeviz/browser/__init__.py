"""All that a browser runs, and what feeds it: no Streamlit, no server.

A part of a page is a script, its HTML and its styles. parts.py lists the parts; each has its folder, and
``shared`` is what several use. Python feeds them with packs (pack.py, run_pack.py, comparison_pack.py) and
with JSON (encoding.py, aligned_rows.py). The app mounts parts (bpeviz.ui.kit.parts), and a
standalone page holds them (bpeviz.standalone.page). See docs/javascript.md.
"""
