"""Figures: a run or a comparison as one HTML page that needs no server.

Data flows one way: a run -> packs of bytes (run_pack.py, comparison_pack.py) -> one page with its scripts
and styles (page.py) -> a Player, which shows and saves it (player.py). The scripts are those of the app's
page, in bpeviz/ui/components.
"""
