"""One line of text as several tokenizers cut it, a row for each."""
