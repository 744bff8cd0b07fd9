"""Replays records that Tusk wrote by pyrimaa's rules, each to the result that its comments tell.

Prints how many games there were. Stops with an error at a turn that is not legal, and where a game that
ended on the board has another winner there.

    python pyrimaa_records.py FILE
"""

import sys

from pyrimaa.board import BLANK_BOARD, Color, Position

games = 0
for game in open(sys.argv[1], encoding="utf-8").read().strip().split("\n\n"):
    position = Position(Color.GOLD, 4, BLANK_BOARD)
    result = ""
    for line in game.splitlines():
        if line.startswith("# result: "):
            result = line[len("# result: ") :]
        if line.startswith("#"):
            continue
        label, _, turn = line.partition(" ")
        assert label[-1] == "gs"[position.color], line
        position = position.do_move_str(turn)
    winner, _, reason = result.partition(", ")
    if reason in ("goal", "elimination", "immobilisation"):
        assert {1: "gold", -1: "silver"}[position.is_end_state()] == winner, game
    games += 1
print(games)
