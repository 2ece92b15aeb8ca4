"""How a word grows into its tokens, merge by merge, in one or several tokenizers."""
