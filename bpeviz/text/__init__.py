"""Text before BPE: Unicode, split patterns, pre-tokens.

- ``utf8``, ``unicode_scripts``, ``token_text``: bytes as text, and how the page writes a token;
- ``split_patterns``: the regular expressions that cut a text into pre-tokens;
- ``special_tokens``: finds special tokens in a text;
- ``pre_token_ends``: the same cuts, found faster for the named patterns;
- ``pieces``: where a long text can be cut into parts that split alone as in the text;
- ``pattern_size``, ``pattern_tasks``, ``pattern_search``: custom patterns, compiled and run within
  limits.
"""
