"""BPE itself: bytes, symbols, pairs and gap ranks. Start reading here.

- ``gap_ranks``: the one array that holds the whole history of a text;
- ``base_vocabulary``: the symbols that a text is spelled with before any merge;
- ``token_chain``, ``pair_index``: the corpus while merges are made, and the pairs by count;
- ``merging_orders``: a pre-token merged by rank, or from left to right;
- ``pair_stretches``, ``pair_lives``, ``top_pairs``: from which merge to which every pair occurs, how often at
  any step, and the most frequent pairs at every step;
- ``reach``: merges that no encoding reaches.
"""
