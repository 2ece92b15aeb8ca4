"""One trained text at any step, without streamlit.

- ``run``: a training result on a named text, and how a run or a fork is trained;
- ``samples``: the texts that come with the app;
- ``training_words``: what a progress bar says.
"""
