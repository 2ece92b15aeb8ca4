"""Text before BPE: Unicode, split patterns, pre-tokens.

- ``utf8``, ``unicode_scripts``, ``token_text``: bytes as text, and how the page writes a token;
- ``named_patterns``, ``split_patterns``: the regular expressions that cut a text into pre-tokens;
- ``file_kinds``, ``file_names``: what the bytes of a file are; paths, and files that are written atomically;
- ``characters``: a text as an array, and characters newer than the libraries;
- ``special_tokens``: finds special tokens in a text;
- ``pre_token_ends``: the same cuts, found faster for the named patterns;
- ``pattern_tasks``, ``pattern_search``: custom patterns, compiled and run within limits.
"""
