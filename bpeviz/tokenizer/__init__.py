"""Text to token ids and back, and why a word is not one token.

- ``vocabulary``, ``tokenizer``: the tokens by id, and the Tokenizer;
- ``tiktoken_merger``: long texts, merged by tiktoken;
- ``trimming``: what falls with a token that is dropped, and the ids of the others;
- ``with_merges``: a tokenizer with merges after its own; ``parts``: one as a message to another process;
- ``encoding_rules``, ``id_list``: what else encoding and decoding need;
- ``encoding``, ``one_token``: an encoding merge by merge, and why a word is not one token;
- ``other_cuts``: the fewest tokens that spell a text, and BPE-dropout.
"""
