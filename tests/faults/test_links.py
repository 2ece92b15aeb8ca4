"""Hostile links: the page opens, and nobody waits for it."""

from tests.faults.hostile_content import LINKS
from tests.faults.measure import Stage, Target


def test_a_hostile_link_holds_up_nobody(stage: Stage) -> None:
    async def attack(target: Target) -> None:
        for name, query in LINKS.items():
            target.says(f"opens a link: {name}")
            async with target.attacker(query):
                pass

    stage.expect_no_harm(attack)
