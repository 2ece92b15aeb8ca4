"""Attacks on the running app, by its own protocol, while a second visitor's wait is measured.

    .venv/bin/python -m pytest -m faults -s            both configurations; prints what each attack costs
    .venv/bin/python -m pytest -m faults -k hosted     one of them
    BPEVIZ_FAULTS_LARGE=all …                          every content at every size, which takes hours

client.py is the attacker, hostile_content.py what is sent, inputs.py where to, plan.py how much of it, and
measure.py what it costs others. Without -m, these tests run with all others.
"""
