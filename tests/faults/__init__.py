"""Attacks on the running app over its protocol, while a second visitor's wait is measured.

    .venv/bin/python -m pytest tests/faults -s         both configurations; prints what each attack costs
    .venv/bin/python -m pytest tests/faults -k hosted  one of them
    BPEVIZ_FAULTS_LARGE=all …                          every content at every size, which takes hours

client.py is the attacker; hostile_content.py says what it sends, inputs.py where, plan.py how much;
measure.py measures what that costs others.
"""
