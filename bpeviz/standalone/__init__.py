"""A run or a comparison as one page without a server, and players in notebooks.

Data flows one way: a run -> its packs (bpeviz.browser) and the same in words -> what a page shows
(content.py) -> one page with its scripts and styles (page.py) -> a Player, which shows and saves it
(player.py). making.py makes the players behind the methods ``player``. playground.py writes the page on which
a browser trains.
"""
