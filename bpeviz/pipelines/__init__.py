"""What a library does to a text before any merge, such as normalizing and cutting it.

bpeviz has no copy of it: ``tokenizers`` or ``sentencepiece`` runs it, with a model from which all merges are
taken out, and says which part of the text each base symbol stands for. So any pipeline that a library can
load gives the library's symbols; the merges are ours. A model without merges, such as Unigram, is left as it
is: its tokens are symbols that never merge. Only the rules of one notebook are here, in notebook.py.
"""
