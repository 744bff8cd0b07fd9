"""Plays games between two AEI engines by pyrimaa's Game, with times below a second.

pyrimaa's text of a time control takes whole seconds only: here its fields are set. Prints how games
ended and, on the last line, the wins of the first and the second engine. Exits with 1 if a game ends by
time or by an illegal move, or if an engine crashes.

    python pyrimaa_games.py GAMES MOVE RESERVE FIRST_COMMAND SECOND_COMMAND
"""

import sys
from collections import Counter

from pyrimaa.aei import EngineController, get_engine
from pyrimaa.game import Game
from pyrimaa.util import TimeControl

games, move, reserve = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
commands = sys.argv[4:6]
control = TimeControl("1s/1s")
control.move, control.reserve = move, reserve
ends = Counter()
wins = [0, 0]
for number in range(games):
    # Colours alternate.
    engines = [EngineController(get_engine("stdio", command)) for command in commands]
    sides = engines if number % 2 == 0 else engines[::-1]
    winner, reason = Game(*sides, [control, control], strict_setup=True).play()
    ends[reason] += 1
    wins[engines.index(sides[winner])] += 1
    if reason in "tis":
        print(f"game {number + 1}: {'gs'[winner]} won by {reason}")
    for engine in engines:
        engine.quit()
        engine.engine.proc.wait(30)
        if engine.engine.proc.returncode != 0:
            ends["crash"] += 1
        engine.cleanup()
print(" ".join(f"{reason}:{count}" for reason, count in sorted(ends.items())))
print(f"wins {wins[0]} {wins[1]}")
sys.exit(any(ends[reason] for reason in ("t", "i", "s", "crash")))
