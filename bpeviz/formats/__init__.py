"""Tokenizer files of other libraries, read and written; GPT-2, cl100k and o200k.

    tokenizer.json                      Hugging Face                                 huggingface.py
    vocab.json + merges.txt             GPT-2's pair, also CLIP's one file           vocab_and_merges.py
    cl100k_base.tiktoken, claude.json   tiktoken's ranks, also js-tiktoken's JSON    tiktoken.py
    tekken.json                         Mistral's ranks with a split pattern         tekken.py
    tokenizer.model                     SentencePiece                                sentencepiece.py
    tokenizer.model                     minbpe                                       minbpe.py
    codes.bpe                           subword-nmt's codes                          subword_nmt.py
    model.gguf                          llama.cpp's, from its header                 gguf.py
    vocab.json + bpe_merges.txt         the pair of "LLMs from scratch"              llms_from_scratch.py

huggingface_writing.py writes tokenizer.json; each other file also writes its format, if it can be written.

A file may come from anywhere: no code in it is run, its size is limited, and anything wrong with it raises a
TokenizerFileError before there is a tokenizer. A file is read only if the tokenizer gives the same ids as the
library that the file comes from. Only the encoding is read, not the special tokens that a library puts around
a text, truncation or padding. reading.py finds the format.

A file is written only if the library that reads it gives the same ids as the tokenizer; what a format cannot
hold is refused with the reason (writing.py). A file without some tokens keeps all else that it says
(trimmed_files.py), and so does one with new merges (continued_files.py). storage.py handles folders and files
on a disk.
"""
